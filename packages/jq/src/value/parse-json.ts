import { JsonReader } from './json-reader.ts';
import type { JqValue } from './value.ts';

const keyLikeIndex = /[{,]\s*"\d/;

/** The text is not a single JSON document. The message is jq's own, without "(while parsing ...)". */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/**
 * Reads one JSON document as jq does: it also accepts `nan`, `Infinity`, `+1`, `01`, `.5`, `5.`, keeps the order of
 * keys that look like numbers, and skips a byte order mark. Returns undefined for blank text. Throws {@link
 * JsonTextError}.
 */
export function parseJson(source: string): JqValue | undefined {
  const text = withoutByteOrderMark(source);
  if (!keyLikeIndex.test(text) && !text.includes('\\ud') && !text.includes('\\uD')) {
    try {
      return JSON.parse(text) as JqValue;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return new JsonReader(text, (message) => new JsonTextError(message)).document();
}

/** jq compares bytes: a first character whose UTF-8 only starts like the mark (U+F000 and above) is a broken mark. */
function withoutByteOrderMark(text: string): string {
  if (!(text >= '\uf000')) return text;
  if (!text.startsWith('\ufeff')) throw new JsonTextError('Malformed BOM');
  return text.slice(1);
}
