/**
 * A JSON value as a parameter of a json or jsonb column. An array passed without it is an SQL array, an object passed
 * without it is refused: so a value means the same whatever its content.
 */
export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
