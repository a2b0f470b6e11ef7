import type { ActionInput } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';

type Values = Readonly<Record<string, unknown>>;

/** The form that a workflow begins with, while its steps are drawn up. */
export interface FormInputs {
  /** The template of an input that has had this value; one of the same kind with the same value is the same input. */
  ask(name: string, value: unknown, like?: Partial<ActionInput>): string;
  readonly properties: Readonly<Record<string, ActionInput>>;
  /** What the inputs were, for the test. */
  readonly sample: Values;
}

const defaultCharactersMax = 1_000;
const keyCharactersMax = 60;
/** What a form of a workflow takes over of a form of an action: nothing that reads other inputs. */
const kept = [
  'title',
  'description',
  'format',
  'blueprint',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'items',
] as const;

/**
 * Values of an answer become inputs of a form, never a text of a step: steps are templates, and a value that somebody
 * chose could be one.
 */
export function createFormInputs(): FormInputs {
  const properties: Record<string, ActionInput> = {};
  const sample: Record<string, unknown> = {};
  const known = new Map<string, string>();
  return {
    properties,
    sample,
    ask(name, value, like = {}) {
      const input = toInput(value, like);
      const same = JSON.stringify([toKey(name), value, input.type, input.format, input.blueprint]);
      const key = known.get(same) ?? free(toKey(name), properties);
      if (!known.has(same)) {
        known.set(same, key);
        properties[key] = { title: name.slice(0, 200), ...input };
        sample[key] = value;
      }
      return `{{ .outputs.trigger["${key}"] }}`;
    },
  };
}

function toInput(value: unknown, like: Partial<ActionInput>): ActionInput {
  const type = like.type ?? typeOf(value);
  const taken = kept.flatMap((name) => (isPlain(like[name]) ? [[name, like[name]]] : []));
  const choices = Array.isArray(like.enum) ? { enum: like.enum } : {};
  return { type, ...Object.fromEntries(taken), ...choices, ...preset(value) };
}

/** An object as a default could be an expression. */
function preset(value: unknown): { default?: unknown } {
  const isScalar = (each: unknown) => ['string', 'number', 'boolean'].includes(typeof each);
  if (!isScalar(value) && !(Array.isArray(value) && value.every(isScalar))) return {};
  return JSON.stringify(value).length <= defaultCharactersMax ? { default: value } : {};
}

function isPlain(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return !isRecord(value) || !JSON.stringify(value).includes('jqQuery');
}

function typeOf(value: unknown): ActionInput['type'] {
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}

/** What an input may be called: no sign that could end the template which names it. */
function toKey(name: string): string {
  const key = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, keyCharactersMax);
  return key === '' ? 'input' : key;
}

/** The name, with a number if it is taken. */
export function free(name: string, taken: Readonly<Record<string, unknown>>): string {
  for (let count = 1; ; count++) {
    const key = count === 1 ? name : `${name}_${count}`;
    if (!Object.hasOwn(taken, key)) return key;
  }
}
