import { JsonReader } from './json-reader.ts';
import type { JqValue } from './value.ts';

const keyLikeIndex = /[{,]\s*"\d/;

/** A text that is not one JSON document. The message is jq's own, without "(while parsing ...)". */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/**
 * Reads one JSON document as jq does: beyond the standard it takes `nan`, `Infinity`, `+1`, `01`, `.5`, `5.` and keeps the order of
 * keys that look like numbers; a byte order mark is passed over. Returns undefined for blank text. Throws {@link JsonTextError}.
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

/** jq looks at bytes: a first character that only begins like the mark in UTF-8 (U+F000 and above) is a broken mark. */
function withoutByteOrderMark(text: string): string {
  if (!(text >= '\uf000')) return text;
  if (!text.startsWith('\ufeff')) throw new JsonTextError('Malformed BOM');
  return text.slice(1);
}
