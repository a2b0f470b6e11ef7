import { ApiError, type Client } from '@portolan/contract/client';
import type { Issue } from '@portolan/contract/errors';
import type { GraderOf } from '@portolan/contract/evaluation';
import { searchBlueprintEntities } from '@portolan/contract/search';
import type { Gold } from './grade-answer.ts';
import { type EvalCase, setupError } from './read-cases.ts';

/** What the search of a `query` found. */
export type FoundGold = (grader: GraderOf<'query'>) => Gold;

/**
 * Makes the search of every `query` of the cases, each once: all answers of an evaluation are compared with the same.
 * @throws CliError `eval_case_invalid` with every search that is refused
 */
export async function searchGold(client: Client, cases: readonly EvalCase[]): Promise<FoundGold> {
  const found = new Map<string, Gold>();
  const issues: Issue[] = [];
  for (const { identifier, expect } of cases) {
    for (const [index, grader] of expect.entries()) {
      if (grader.grader !== 'query' || found.has(toKey(grader))) continue;
      try {
        found.set(toKey(grader), await searchEntities(client, grader));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) throw error;
        issues.push({ path: `${identifier}/expect/${index}`, message: `the search is refused: ${error.message}` });
      }
    }
  }
  if (issues.length === 0) return (grader) => found.get(toKey(grader)) ?? [];
  throw setupError('eval_case_invalid', 'Searches of cases are refused; nothing was asked.', issues);
}

function toKey({ blueprint, query }: GraderOf<'query'>): string {
  return JSON.stringify([blueprint, query]);
}

const pageSize = 1_000;

/** Each entity by title and identifier. */
async function searchEntities(client: Client, { blueprint, query }: GraderOf<'query'>): Promise<Gold> {
  const found: (readonly string[])[] = [];
  let from: string | undefined;
  do {
    const { entities, next } = await client.call(searchBlueprintEntities, {
      params: { blueprint_identifier: blueprint },
      body: {
        ...(query === undefined ? {} : { query }),
        include: ['$identifier', '$title'],
        limit: pageSize,
        ...(from === undefined ? {} : { from }),
      },
    });
    for (const { identifier = '', title } of entities) found.push(title ? [title, identifier] : [identifier]);
    from = next;
  } while (from !== undefined);
  return found;
}
