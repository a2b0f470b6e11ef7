import sql, { type Sql } from 'sql-template-tag';

/** Statistics over many rows, ignoring those without a number. */
export const statistics = {
  average: (value: Sql) => sql`avg(${value})`,
  sum: (value: Sql) => sql`sum(${value})`,
  min: (value: Sql) => sql`min(${value})`,
  max: (value: Sql) => sql`max(${value})`,
  median: (value: Sql) => sql`percentile_cont(0.5) within group (order by (${value})::double precision)`,
} as const;

/** A figure for JSON: null if it is no JSON number, such as a sum out of range. */
export function answered(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
