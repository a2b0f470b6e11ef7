/**
 * A JSON value as a parameter of a json or jsonb column. An array passed without it is an SQL array, an object passed
 * without it is refused: so a value means the same whatever its content.
 */
export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** A JSON value that was written as text already, for those who put texts together: nothing is written twice. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of a value; undefined has none. */
export function jsonTextOf(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? 'null');
}

/** The JSON of values that one transaction writes or reads more than once: each is put into text, or parsed, once. */
export interface JsonTexts {
  /** The text of a value; values are told apart by identity, and must not change. */
  of(value: object): string;
  /** The value of a text, which is known from then on. */
  parse<Value extends object>(text: string): Value;
}

export function createJsonTexts(): JsonTexts {
  const known = new Map<object, string>();
  return {
    of(value) {
      const kept = known.get(value);
      if (kept !== undefined) return kept;
      const text = JSON.stringify(value);
      known.set(value, text);
      return text;
    },
    parse<Value extends object>(text: string) {
      const value = JSON.parse(text) as Value;
      known.set(value, text);
      return value;
    },
  };
}
