import type { BlueprintBody } from '@portolan/contract/blueprints';
import { isRecord } from '@portolan/contract/json-value';

/** The definition a value suggests, which the portal proposes for a missing property. */
export type GuessedProperty = Pick<BlueprintBody['schema']['properties'][string], 'type' | 'format' | 'items'>;

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

export function guessProperty(value: unknown): GuessedProperty {
  if (typeof value === 'boolean' || typeof value === 'number') return { type: typeof value as 'boolean' | 'number' };
  if (Array.isArray(value)) return guessList(value);
  if (isRecord(value)) return { type: 'object' };
  if (typeof value !== 'string') return { type: 'string' };
  if (moment.test(value) && !Number.isNaN(Date.parse(value))) return { type: 'string', format: 'date-time' };
  if (/^https?:\/\/[^\s<>"]+$/.test(value) && URL.canParse(value)) return { type: 'string', format: 'url' };
  return { type: 'string' };
}

/** A list of one type of items, or of any. */
function guessList(list: readonly unknown[]): GuessedProperty {
  const kinds = new Set(list.map((each) => JSON.stringify(guessProperty(each))));
  const [kind] = kinds;
  const items = kind === undefined || kinds.size > 1 ? undefined : (JSON.parse(kind) as GuessedProperty);
  // lists of lists have items of any type
  return items && items.type !== 'array' ? { type: 'array', items } : { type: 'array' };
}
