import sql, { type Sql } from 'sql-template-tag';

/** A figure over the numbers of many rows, those without one left out. */
export const statistics = {
  average: (value: Sql) => sql`avg(${value})`,
  sum: (value: Sql) => sql`sum(${value})`,
  min: (value: Sql) => sql`min(${value})`,
  max: (value: Sql) => sql`max(${value})`,
  median: (value: Sql) => sql`percentile_cont(0.5) within group (order by (${value})::double precision)`,
} as const;

/** A figure as it is answered: what is no number of JSON, such as a sum beyond its range, is none. */
export function answered(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
