import { JsonReader } from './json-reader.ts';
import type { JqValue } from './value.ts';

const keyLikeIndex = /[{,]\s*"\d/;

/** A text that is not one JSON document. The message is jq's own, without "(while parsing ...)". */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/**
 * Reads one JSON document as jq does: beyond the standard it takes `nan`, `+1`, `01`, `.5`, `5.` and keeps the order of
 * keys that look like numbers. Returns undefined for blank text. Throws {@link JsonTextError}.
 */
export function parseJson(text: string): JqValue | undefined {
  if (!keyLikeIndex.test(text) && !text.includes('\\ud') && !text.includes('\\uD')) {
    try {
      return JSON.parse(text) as JqValue;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return new JsonReader(text, (message) => new JsonTextError(message)).document();
}
