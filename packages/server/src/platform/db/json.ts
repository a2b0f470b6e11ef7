declare const written: unique symbol;

/** What a json or jsonb column holds, before the field of a row says what was written there (`row.ts`). */
export interface Json {
  readonly [written]: never;
}

/**
 * A JSON value as a parameter of a json or jsonb column. An array passed without it is an SQL array, an object passed
 * without it is refused: so a value means the same whatever its content.
 */
export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** JSON that is already text; it is not serialized again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? 'null');
}

/** Caches the text and the value of JSON that one transaction writes or reads more than once. */
export interface JsonTexts {
  /** Cached by identity, so the value must not change. */
  of(value: object): string;
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
