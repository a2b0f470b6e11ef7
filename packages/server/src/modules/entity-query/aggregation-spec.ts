import { blueprintSearchQuery, type SearchQuery } from '@portolan/contract/search-query';
import type { StoredBlueprint } from '../blueprints/index.ts';

const hourMs = 3_600_000;
/** A month is thirty days, as in the date presets. `total` is one period, however long. */
export const periodMs = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
  total: Number.POSITIVE_INFINITY,
} as const;

export type AggregationFunction = 'count' | 'average' | 'sum' | 'min' | 'max' | 'median';

/** An aggregation parsed from its definition (catalog semantics §1.7). */
export interface AggregationSpec {
  readonly func: AggregationFunction;
  /** The aggregated number; undefined for counts of entities. */
  readonly property: string | undefined;
  /** Undefined without an average over time. */
  readonly periodMs: number | undefined;
  readonly measureTimeBy: string;
  readonly query: SearchQuery | undefined;
  /** Names it reads of the aggregated entities. */
  readonly reads: ReadonlySet<string>;
  /** Whether the clock or distant entities can change it: the sweep recomputes it. */
  readonly isTimed: boolean;
}

type Definition = NonNullable<StoredBlueprint['definition']['aggregationProperties']>[string];

/** Undefined if its query is invalid, which saving a blueprint refuses. */
export function parseAggregation({ calculationSpec, query }: Definition): AggregationSpec | undefined {
  const parsed = query === undefined ? undefined : blueprintSearchQuery.safeParse(query);
  if (parsed && !parsed.success) return undefined;
  const { averageOf, measureTimeBy } = calculationSpec as { averageOf?: unknown; measureTimeBy?: unknown };
  const property = calculationSpec.calculationBy === 'property' ? calculationSpec.property : undefined;
  const period = averageOf === undefined ? 'total' : averageOf;
  if (typeof period !== 'string' || !Object.hasOwn(periodMs, period)) return undefined;
  const isOverTime = calculationSpec.func === 'average' && (property === undefined || period !== 'total');
  const measuredBy = typeof measureTimeBy === 'string' ? measureTimeBy : '$createdAt';
  const reads = new Set<string>();
  const isTimed = parsed ? readRules(parsed.data, reads) : false;
  if (property !== undefined) reads.add(property);
  if (isOverTime) reads.add(measuredBy);
  return {
    func: calculationSpec.func,
    property,
    periodMs: isOverTime ? periodMs[period as keyof typeof periodMs] : undefined,
    measureTimeBy: measuredBy,
    query: parsed?.data,
    reads,
    isTimed,
  };
}

/** Collects names that rules read; returns whether anything else matters. */
function readRules(rule: unknown, into: Set<string>): boolean {
  if (typeof rule !== 'object' || rule === null) return false;
  const { rules, property, operator, value } = rule as Record<string, unknown>;
  if (Array.isArray(rules)) return rules.map((each) => readRules(each, into)).some(Boolean);
  if (typeof property === 'string') {
    into.add(property);
    into.add(property.split('.')[0] as string);
  }
  // paths read distant entities, presets move with the clock
  const isFar = typeof property !== 'string' || operator === 'relatedTo' || operator === 'matchAny';
  return isFar || JSON.stringify(value ?? null).includes('"preset"') || String(operator).includes('xpired');
}

/** The result of one statement over the matching entities. */
export interface Tally {
  readonly n: number;
  readonly value: number | null;
  /** Oldest and newest measured moment, in milliseconds since 1970. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The statistic over numbers; undefined for counts. An average over time divides the sum. */
export function toStatistic({ func, periodMs: period }: Figure): Exclude<AggregationFunction, 'count'> | undefined {
  if (func === 'count') return undefined;
  return func === 'average' && period !== undefined ? 'sum' : func;
}

/** What turns a tally into a figure. */
export type Figure = Pick<AggregationSpec, 'func' | 'property' | 'periodMs'>;

/** The aggregated value: a started period counts as full; of nothing a count or sum is 0, anything else null. */
export function finishTally({ func, property, periodMs: period }: Figure, tally: Tally | undefined): number | null {
  if (!tally) return func === 'count' || func === 'sum' ? 0 : null;
  const { n, value, from, to } = tally;
  if (func === 'count') return n;
  if (func === 'sum') return value ?? 0;
  if (period === undefined) return value;
  const sum = property === undefined ? n : value;
  if (from === null || to === null || sum === null) return null;
  return sum / Math.max(1, Math.ceil((to - from) / period));
}
