import { t } from '../../kit/translate.ts';
/** One value of a chart and how many there are of it. */
export interface Part {
  readonly label: string;
  readonly count: number;
  /** A CSS colour. */
  readonly colour: string;
  /** The value itself; absent for what stands for several. */
  readonly value?: unknown;
}

/** Colours that can be told apart, also by people who are blind to some (see `tokens.test.ts`). */
export const seriesMax = 6;
export const barsMax = 12;
/** More shares than these cannot be compared in a ring. */
export const donutMax = 4;

export const otherColour = 'var(--track)';

export function seriesColour(index: number): string {
  return `var(--series-${(index % seriesMax) + 1})`;
}

export interface Counted {
  readonly label: string;
  readonly count: number;
  /** The colour that the model gives the value, as CSS. */
  readonly own: string | undefined;
  readonly value?: unknown;
}

/** The parts of a chart: the largest first, the rest as "Other". Parts of bars have one colour, those of rings their own. */
export function toParts(counted: readonly Counted[], most: number, isRing: boolean): readonly Part[] {
  const sorted = counted.toSorted((one, other) => other.count - one.count);
  // one value alone is named rather than called "Other"
  const shown = sorted.length <= most + 1 ? sorted : sorted.slice(0, most);
  const rest = sorted.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return [
    ...shown.map(({ label, count, own, ...more }, index) => ({
      ...more,
      label,
      count,
      colour: own ?? seriesColour(isRing ? index : 0),
    })),
    ...(rest > 0 ? [{ label: t('Other'), count: rest, colour: otherColour }] : []),
  ];
}

/** Bars lie where they are many or their labels long. */
export function barsLie(parts: readonly Part[]): boolean {
  const longest = Math.max(0, ...parts.map(({ label }) => label.length));
  return parts.length > seriesMax || longest * parts.length > 48;
}
