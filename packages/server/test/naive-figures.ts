import { isDeepStrictEqual } from 'node:util';
import type { Entity } from './catalog-fixtures.ts';
import { parseMoment } from './naive-search.ts';

const hourMs = 60 * 60 * 1000;
const periods = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
  total: Number.POSITIVE_INFINITY,
} as const;

export interface NaiveFigure {
  readonly func: string;
  readonly property?: string | undefined;
  readonly averageOf?: keyof typeof periods | undefined;
  readonly measureTimeBy?: string | undefined;
}

/** What the figures of catalog semantics §1.7 are, over the JSON of entities: what the statements are compared with. */
export function naiveFigure(entities: readonly Entity[], asked: NaiveFigure): number | null {
  const { func, property, averageOf = 'total', measureTimeBy = '$createdAt' } = asked;
  if (func === 'count') return entities.length;
  const isOverTime = func === 'average' && (property === undefined || averageOf !== 'total');
  if (!isOverTime) return naiveStatistic(func, readNumbers(entities, property as string));
  const rows = entities.flatMap((entity) => {
    const at = parseMoment(naiveValue(entity, measureTimeBy));
    const number = property === undefined ? 1 : naiveValue(entity, property);
    return at === undefined || typeof number !== 'number' ? [] : [{ at, number }];
  });
  if (rows.length === 0) return null;
  const moments = rows.map(({ at }) => at);
  const span = Math.max(...moments) - Math.min(...moments);
  return sum(rows.map(({ number }) => number)) / Math.max(1, Math.ceil(span / periods[averageOf]));
}

export function naiveStatistic(func: string, numbers: readonly number[]): number | null {
  if (func === 'sum') return sum(numbers);
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((left, right) => left - right);
  const half = (sorted.length - 1) / 2;
  const middle = ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
  const figures: Record<string, number> = {
    average: sum(numbers) / numbers.length,
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
    median: middle,
  };
  return figures[func] as number;
}

/** Counts of each value, an entity with several in several, in no order. */
export function naiveCounts(entities: readonly Entity[], name: string): { value: unknown; count: number }[] {
  const groups: { value: unknown; count: number }[] = [];
  for (const entity of entities) {
    for (const value of distinct(naiveValues(entity, name))) {
      const group = groups.find((each) => isDeepStrictEqual(each.value, value));
      if (group) group.count += 1;
      else groups.push({ value, count: 1 });
    }
  }
  return groups;
}

export function naiveValues(entity: Entity, name: string): unknown[] {
  const value = naiveValue(entity, name) ?? null;
  if (!Array.isArray(value)) return [value];
  return value.length === 0 ? [null] : value;
}

export function distinct(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((each) => isDeepStrictEqual(each, value)) === index);
}

export function readNumbers(entities: readonly Entity[], property: string): number[] {
  return entities.map((entity) => naiveValue(entity, property)).filter((value) => typeof value === 'number');
}

export function naiveValue(entity: Entity, name: string): unknown {
  if (name.startsWith('$')) return (entity as unknown as Record<string, unknown>)[name.slice(1)];
  return Object.hasOwn(entity.properties, name) ? entity.properties[name] : entity.relations[name];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The name of the bucket a moment lies in, by what a clock of the zone shows. */
export function naiveBucket(at: number, interval: string, timeZone: string): string {
  const [day = '', hour = ''] = new Date(at).toLocaleString('sv-SE', { timeZone }).split(' ');
  // an hour that clocks show twice is two
  const offset = Math.round((Date.parse(`${day}T${hour}Z`) - at) / 1000 / 60);
  if (interval === 'hour') return `${day} ${hour.slice(0, 2)} ${offset}`;
  const [year = '', month = ''] = day.split('-');
  if (interval === 'month') return `${year}-${month}`;
  if (interval === 'quarter') return `${year} ${Math.ceil(Number(month) / 3)}`;
  if (interval === 'day') return day;
  const date = new Date(`${day}T00:00:00Z`);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}
