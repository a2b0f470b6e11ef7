import { t } from '../../kit/translate.ts';
import { colourValues } from '../../theme/colours.ts';
import { seriesColour, seriesMax } from './chart-parts.ts';
import type { Series } from './charts-rendered.tsx';

interface Named {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The colour that the model gives the value of the line. */
  readonly own: string | undefined;
}

/**
 * The lines that are drawn: six at most, in their order. Of counts the others are summed as "Other"; other figures
 * cannot be summed, so `left` says how many are in the table alone.
 */
export function toLines(
  all: readonly Named[],
  areCounts: boolean,
): { readonly shown: readonly Series[]; readonly left: number } {
  const shown = all.slice(0, seriesMax).map(({ name, values, own }, index) => ({
    name,
    values,
    colour: own ? colourValues(own).solid : seriesColour(index),
  }));
  const others = all.slice(seriesMax);
  if (others.length === 0 || !areCounts) return { shown, left: others.length };
  const values = (all[0]?.values ?? []).map((_, index) =>
    others.reduce((sum, each) => sum + (each.values[index] ?? 0), 0),
  );
  return { shown: [...shown, { name: t('Other'), values, colour: 'var(--border-strong)' }], left: 0 };
}
