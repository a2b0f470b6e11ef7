import { blueprintSearchQuery } from '@portolan/contract/search-query';
import { toIssues } from '../../../../platform/http/issues.ts';
import type { WorkflowNode } from '../workflow.ts';
import type { Fault, Placed } from './fault.ts';
import { fault } from './graph-rules.ts';

/** Faults of the steps that read, start or wait for something of this organization. */
export function checkStep({ at, part: { config } }: Placed<Pick<WorkflowNode, 'config'>>): Fault[] {
  const place = `${at}/config`;
  switch (config.type) {
    case 'FETCH':
      return checkQuery(config['query'], `${place}/query`);
    default:
      return [];
  }
}

/** A query without templates is checked whole; what templates make of another is known to a run alone. */
function checkQuery(query: unknown, place: string): Fault[] {
  if (query === undefined || query === null || JSON.stringify(query).includes('{{')) return [];
  const parsed = blueprintSearchQuery.safeParse(query);
  if (parsed.success) return [];
  return toIssues(parsed.error, query).map(({ path, message }) => fault(`${place}${path}`, 'query_invalid', message));
}
