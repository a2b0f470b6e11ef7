import type { Issue } from '@portolan/contract/errors';
import type { GraderOf } from '@portolan/contract/evaluation';
import type { Answering } from './answering.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Gold } from './grade-answer.ts';
import type { EvalCase } from './read-case.ts';

/** What the search of a `query` found. */
export type FoundGold = (grader: GraderOf<'query'>) => Gold;

/**
 * Makes the search of every `query` of the cases, each once: all answers of an evaluation are compared with the same.
 * @throws EvaluationError `eval_case_invalid` with every search that is refused
 */
export async function searchGold(answering: Answering, cases: readonly EvalCase[]): Promise<FoundGold> {
  const found = new Map<string, Gold>();
  const issues: Issue[] = [];
  for (const { identifier, expect } of cases) {
    for (const [index, grader] of expect.entries()) {
      if (grader.grader !== 'query' || found.has(searchKey(grader))) continue;
      try {
        found.set(searchKey(grader), await answering.search(grader));
      } catch (error) {
        const told = answering.explainRefusal(error);
        if (told === undefined) throw error;
        issues.push({ path: `${identifier}/expect/${index}`, message: `the search is refused: ${told}` });
      }
    }
  }
  if (issues.length === 0) return (grader) => found.get(searchKey(grader)) ?? [];
  throw new EvaluationError('eval_case_invalid', 'Searches of cases are refused; nothing was asked.', issues);
}

/** The same for the same search. */
export function searchKey({ blueprint, query }: GraderOf<'query'>): string {
  return JSON.stringify([blueprint, query]);
}
