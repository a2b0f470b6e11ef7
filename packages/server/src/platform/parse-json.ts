import type { z } from 'zod';

/** The value of a text that may be no JSON: undefined then. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a text that may be no JSON: the text itself then. */
export function parseJsonOrText(text: string): z.core.util.JSONType {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
