import type { AnswerOf } from '../../api/api.ts';
import { type Widget, widgetMap, widgetText } from './widget-shape.ts';

type OverTime = AnswerOf<'aggregateOverTime'>['result'];

export const statPeriods = ['week', 'month', 'quarter'] as const;
export type StatPeriod = (typeof statPeriods)[number];

/** What a figure is compared with: keys of ours beside the published ones, which other clients keep. */
export interface StatSettings {
  readonly compares: boolean;
  readonly period: StatPeriod;
  readonly target: number | undefined;
  /** Which direction is good news; undefined if neither is. */
  readonly goodWhen: 'up' | 'down' | undefined;
  readonly hasSparkline: boolean;
}

export function statSettings(widget: Widget): StatSettings {
  const own = widgetMap(widget, 'portolan');
  const { target, sparkline } = own;
  const goodWhen = widgetText(own, 'goodWhen');
  const named = statPeriods.find((each) => each === widgetText(own, 'period'));
  // an average per week is compared week by week
  const averaged = statPeriods.find((each) => each === widgetText(widget, 'averageOf'));
  return {
    compares: widgetText(own, 'compare') === 'previous',
    period: (widgetText(widget, 'func') === 'average' ? averaged : undefined) ?? named ?? 'month',
    target: typeof target === 'number' && Number.isFinite(target) ? target : undefined,
    goodWhen: goodWhen === 'up' || goodWhen === 'down' ? goodWhen : undefined,
    hasSparkline: sparkline !== false,
  };
}

/**
 * What a series says about a figure. `level`: its value at each moment. `growth`: what was added to it in each bucket.
 * `flow`: the figure of each bucket alone.
 */
export type TrendKind = 'level' | 'growth' | 'flow';

/** The range and the buckets that show one period against the one before. */
export function trendBuckets(kind: TrendKind, period: StatPeriod): { preset: string; timeInterval: string } {
  if (kind === 'flow') {
    return {
      week: { preset: 'last3Months', timeInterval: 'isoWeek' },
      month: { preset: 'last12Months', timeInterval: 'month' },
      quarter: { preset: 'last2Years', timeInterval: 'quarter' },
    }[period];
  }
  return {
    week: { preset: 'lastWeek', timeInterval: 'day' },
    month: { preset: 'lastMonth', timeInterval: 'day' },
    quarter: { preset: 'last3Months', timeInterval: 'isoWeek' },
  }[period];
}

export interface Trend {
  readonly points: readonly (number | null)[];
  /** Starts of the buckets of the points. */
  readonly dates: readonly number[];
  readonly current: number | null;
  /** Null if the history does not reach back that far. */
  readonly previous: number | null;
  /** Where the history begins. */
  readonly since: number | undefined;
}

/** The trend of a figure from its series. A bucket that is not over is left out of flows: it would look like a fall. */
export function readTrend(kind: TrendKind, { dates, series }: OverTime, value: number | null): Trend {
  const values = series[0]?.values ?? [];
  const begins = values.findIndex((each) => (kind === 'level' ? each !== null : each !== null && each !== 0));
  const since = begins < 0 ? undefined : dates[begins];
  if (kind === 'flow') {
    const points = values.slice(0, -1);
    const reaches = begins >= 0 && begins <= points.length - 2;
    return {
      points: points.slice(Math.max(0, begins)),
      dates: dates.slice(Math.max(0, begins), -1),
      current: points.at(-1) ?? null,
      previous: reaches ? (points.at(-2) ?? null) : null,
      since,
    };
  }
  const levels = kind === 'level' ? values : levelsOf(values, value);
  const previous = levels[0] ?? null;
  const current = kind === 'level' ? (levels.findLast((each) => each !== null) ?? null) : value;
  return {
    points: levels,
    dates,
    current,
    // a growth from nothing is the beginning of the records, not a change
    previous: kind === 'growth' && previous !== null && previous <= 0 ? null : previous,
    since,
  };
}

/** The levels at the end of each bucket, counted back from the value now. */
function levelsOf(additions: readonly (number | null)[], value: number | null): readonly (number | null)[] {
  if (value === null) return additions.map(() => null);
  let level = value;
  return additions
    .toReversed()
    .map((added) => {
      const here = level;
      level -= added ?? 0;
      return here;
    })
    .toReversed();
}

export type Verdict = 'better' | 'worse' | undefined;

export interface Change {
  readonly by: number;
  /** Of the previous value; undefined if that was nothing. */
  readonly share: number | undefined;
  readonly verdict: Verdict;
}

/** The change from the previous period; undefined without one. */
export function readChange({ current, previous }: Trend, goodWhen: StatSettings['goodWhen']): Change | undefined {
  if (current === null || previous === null) return undefined;
  const by = current - previous;
  const isUp = by > 0;
  const verdict = by === 0 || !goodWhen ? undefined : (goodWhen === 'up') === isUp ? 'better' : 'worse';
  return { by, share: previous === 0 ? undefined : by / Math.abs(previous), verdict };
}

/** Whether a value reaches its target. */
export function meetsTarget(value: number, { target, goodWhen }: StatSettings): boolean | undefined {
  if (target === undefined) return undefined;
  return goodWhen === 'down' ? value <= target : value >= target;
}
