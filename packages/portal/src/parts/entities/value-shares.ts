import { toRecord } from '@portolan/contract/json-value';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { colourValues } from '../../theme/colours.ts';
import type { Field, FieldShape } from './fields.ts';
import type { ChosenValue } from './value-filter.ts';

/** One value of a column with its part of all. */
export interface Share {
  readonly value: ChosenValue;
  readonly text: string;
  readonly count: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly colour: string;
}

/** How often each value was found, as the server answers. */
export interface Counted {
  readonly groups: readonly { readonly value: unknown; readonly count: number }[];
  readonly groupsLeftOut: number;
}

/** More values than this could not be told apart, nor found in a menu. */
export const valuesMax = 100;

/** Whether a heading shows how its values are spread: they are few, and known. */
export function isCounted({ source, shape }: Field): boolean {
  if (source === 'scorecard') return true;
  return shape.type === 'boolean' || (shape.type !== 'array' && knownValues(shape).length > 0);
}

/** A calculation with colors names its values by them. */
function knownValues({ type, enum: listed, ...shape }: FieldShape): readonly ChosenValue[] {
  if (type === 'boolean') return [true, false];
  return listed ?? (type === 'string' ? Object.keys(toRecord(shape['colors'])) : []);
}

/** The name of a field where values are counted. */
export function countName({ key, source }: Field): string {
  return source === 'scorecard' ? `scorecard#${key}` : key;
}

/** All values in the order of the model, then others that were found, then none. */
export function toShares(
  field: Field,
  { groups }: Pick<Counted, 'groups'>,
  chosen: readonly ChosenValue[] = [],
): readonly Share[] {
  const counts = new Map(groups.map(({ value, count }) => [value as ChosenValue, count]));
  const known = field.levels ? Object.keys(field.levels) : knownValues(field.shape);
  const found = [...new Set([...known, ...counts.keys(), ...chosen])].filter((value) => value !== null);
  const values = counts.has(null) || chosen.includes(null) ? [...found, null] : found;
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return values.map((value, place) => {
    const count = counts.get(value) ?? 0;
    return {
      value,
      text: valueText(field, value),
      count,
      share: all === 0 ? 0 : count / all,
      colour: colourOf(field, value, place),
    };
  });
}

function valueText(field: Field, value: ChosenValue): string {
  if (value === null) return t('No {title}', { title: field.title.toLowerCase() });
  return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : String(value);
}

const seriesMax = 6;

function colourOf({ shape, levels }: Field, value: ChosenValue, place: number): string {
  if (value === null) return 'var(--track)';
  if (value === false) return 'var(--border-strong)';
  const colours = levels ?? shape.enumColors ?? (shape['colors'] as FieldShape['enumColors']);
  if (colours) return colourValues(colours[String(value)] ?? 'lightGray').solid;
  return place < seriesMax ? `var(--series-${place + 1})` : 'var(--faint)';
}

const percent = new Intl.NumberFormat(locale, { style: 'percent' });

export function shareText({ count, share }: Share): string {
  return `${count.toLocaleString(locale)} · ${percent.format(share)}`;
}

const toldMax = 4;

/** What a strip shows, in words: "Risk: low 9, high 3". */
export function stripText(field: Field, shares: readonly Share[]): string {
  const found = shares.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  const told = found.slice(0, toldMax).map(({ text, count }) => `${text} ${count.toLocaleString(locale)}`);
  const more = found.length - told.length;
  return `${field.title}: ${told.join(', ')}${more > 0 ? ` ${t('and {more} more', { more })}` : ''}`;
}
