import type { Column } from './column.ts';
import type { ColumnPlan } from './map-rows.ts';

/** What a source keeps of how its file is read, for the next upload. */
export interface KeptTable extends ColumnPlan {
  readonly fileName: string;
  readonly blueprint: string;
}

/** The columns that a source kept, for a table that may have other ones: what was not there then is as it is guessed. */
export function keptColumns(settings: Readonly<Record<string, unknown>>, guessed: readonly Column[]): Column[] {
  const list: readonly unknown[] = Array.isArray(settings['columns']) ? settings['columns'] : [];
  const kept = list.filter(isColumn);
  const taken = new Set(kept.map(({ to }) => to));
  return guessed.map((column) => {
    const same = kept.find(({ heading }) => heading === column.heading);
    return same ?? (taken.has(column.to) ? { ...column, to: null } : column);
  });
}

/** Settings are JSON that anybody with the right may have written. */
function isColumn(value: unknown): value is Column {
  if (typeof value !== 'object' || value === null) return false;
  const { heading, to, jq, dateOrder, separator, hasDecimalComma } = value as Record<string, unknown>;
  return (
    typeof heading === 'string' &&
    (to === null || typeof to === 'string') &&
    [jq, separator].every((text) => text === undefined || typeof text === 'string') &&
    [undefined, 'dmy', 'mdy'].includes(dateOrder as undefined) &&
    [undefined, true, false].includes(hasDecimalComma as undefined)
  );
}
