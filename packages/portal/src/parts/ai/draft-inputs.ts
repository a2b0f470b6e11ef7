/** What a draft would run with, and the hash that stands for exactly this. */
export interface DraftInputs {
  readonly entity: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly inputsHash: string;
}

/** A member of the form of an action, as far as a draft needs it. */
export interface DraftField {
  readonly key: string;
  readonly title: string;
  readonly type: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
}

/** The inputs of the action's form first, in its order; then what the draft holds beside them. */
export function listDraftFields(
  trigger: unknown,
  properties: Readonly<Record<string, unknown>>,
): readonly DraftField[] {
  const { userInputs } = (trigger ?? {}) as {
    userInputs?: { properties?: Record<string, Record<string, unknown>>; required?: unknown };
  };
  const required = Array.isArray(userInputs?.required) ? userInputs.required : [];
  const declared = Object.entries(userInputs?.properties ?? {}).map(([key, { title, type, encryption }]) => ({
    key,
    title: typeof title === 'string' && title ? title : key,
    type: typeof type === 'string' ? type : 'string',
    isSecret: encryption !== undefined && encryption !== null,
    isRequired: required.includes(key),
  }));
  const known = new Set(declared.map(({ key }) => key));
  const others = Object.entries(properties).flatMap(([key, value]) =>
    known.has(key)
      ? []
      : [{ key, title: key, type: Array.isArray(value) ? 'array' : typeof value, isSecret: false, isRequired: false }],
  );
  return [...declared, ...others];
}

/** A value as people read it. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as it is edited. */
export function editedText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What was typed, as the value that the form wants; an empty field is no input.
 * @throws SyntaxError where it wants something else than what was typed
 */
export function readText(text: string, type: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'string') return text;
  const value: unknown = JSON.parse(text);
  const fits =
    type === 'number' || type === 'boolean'
      ? typeof value === type
      : type === 'array'
        ? Array.isArray(value)
        : typeof value === 'object';
  if (!fits) throw new SyntaxError(`must be ${type === 'array' || type === 'object' ? 'an' : 'a'} ${type}`);
  return value;
}

/** The keys that differ between two sets of inputs. */
export function changedKeys(one: DraftInputs, other: DraftInputs): ReadonlySet<string> {
  const keys = new Set([...Object.keys(one.properties), ...Object.keys(other.properties)]);
  return new Set(
    [...keys].filter((key) => JSON.stringify(one.properties[key]) !== JSON.stringify(other.properties[key])),
  );
}
