import { t } from '../../kit/translate.ts';
/** The inputs of a draft run, and the hash that identifies exactly these inputs. */
export interface DraftInputs {
  readonly entity: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly inputsHash: string;
}

/** An input of an action's form, reduced to the fields a draft needs. */
export interface DraftField {
  readonly key: string;
  readonly title: string;
  readonly type: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
}

/** The inputs in the order of the form, followed by those that only the draft has. */
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

/** A value for reading. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as editable text. */
export function editedText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Parses the text as a value of the type; an empty text is no input.
 * @throws SyntaxError if the text does not fit the type
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
  if (!fits) throw new SyntaxError(t('must be of type {type}', { type }));
  return value;
}

/** The keys whose values differ. */
export function changedKeys(one: DraftInputs, other: DraftInputs): ReadonlySet<string> {
  const keys = new Set([...Object.keys(one.properties), ...Object.keys(other.properties)]);
  return new Set(
    [...keys].filter((key) => JSON.stringify(one.properties[key]) !== JSON.stringify(other.properties[key])),
  );
}
