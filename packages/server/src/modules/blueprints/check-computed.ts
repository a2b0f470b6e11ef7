import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import { searchQuery } from '@portolan/contract/search-query';
import { checkStoredJq } from '../../platform/check-stored-jq.ts';
import { toIssues } from '../../platform/http/issues.ts';
import { isColor } from './palette.ts';

/** Formats of a calculation: those of properties, except the ones only a person can set (api contract §3.1.3). */
const calculationFormats = new Set(
  'date-time url email idn-email ipv4 ipv6 markdown yaml user team proto labeled-url entity'.split(' '),
);
const periods = new Set(['hour', 'day', 'week', 'month', 'total']);

/** Issues with calculations and aggregations that the document alone shows. */
export function checkComputed(body: BlueprintBody): Issue[] {
  return [...checkCalculations(body), ...checkAggregations(body)];
}

function checkCalculations({ calculationProperties }: BlueprintBody): Issue[] {
  return Object.entries(calculationProperties ?? {}).flatMap(([key, definition]) => {
    const path = `/calculationProperties/${key}`;
    const { format, colors } = definition as typeof definition & Record<string, unknown>;
    const issues: Issue[] = [];
    if (format !== undefined && !calculationFormats.has(String(format))) {
      issues.push({ path: `${path}/format`, message: `"${format}" is not a format of a calculation` });
    }
    for (const [value, color] of Object.entries((colors ?? {}) as Record<string, unknown>)) {
      if (!isColor(color)) {
        issues.push({ path: `${path}/colors/${value}`, message: `"${color}" is not a colour of the palette` });
      }
    }
    return issues;
  });
}

/** Warnings about calculations that cannot be parsed: stored, but without effect. */
export function warnOfCalculations({ calculationProperties }: Pick<BlueprintBody, 'calculationProperties'>) {
  const calculations = Object.entries(calculationProperties ?? {}).map(([key, { calculation: expression }]) => ({
    use: 'calculation' as const,
    path: `/calculationProperties/${key}/calculation`,
    expression,
  }));
  return checkStoredJq(calculations).warnings;
}

function checkAggregations({ aggregationProperties }: BlueprintBody): Issue[] {
  return Object.entries(aggregationProperties ?? {}).flatMap(([key, { calculationSpec, query }]) => {
    const path = `/aggregationProperties/${key}`;
    const issues: Issue[] = [];
    const { averageOf } = calculationSpec as Record<string, unknown>;
    if (calculationSpec.func === 'average' && !periods.has(String(averageOf))) {
      const message = `must be one of ${[...periods].join(', ')}`;
      issues.push({ path: `${path}/calculationSpec/averageOf`, message });
    }
    const read = query === undefined ? undefined : searchQuery.safeParse(query);
    if (read && !read.success) issues.push(...toIssues(read.error, query, `${path}/query`));
    return issues;
  });
}
