import { type KeptRun, readKeptRun } from '@portolan/evaluation';
import { useRead } from '../../api/query.ts';

export const caseParams = { blueprint_identifier: 'ai_eval_case' };
export const runParams = { blueprint_identifier: 'ai_eval_run' };

/** Reads that a change of cases or runs makes stale. */
export const evaluationReads = ['listEntities', 'getEntity', 'searchBlueprintEntities'] as const;

const newest = [{ property: 'started_at', order: 'desc' as const }];
const runsMax = 200;

/** The newest runs, one for each variant, without their cases. */
export function useRuns() {
  return useRead('searchBlueprintEntities', {
    params: runParams,
    body: {
      sort: newest,
      limit: runsMax,
      include: ['$identifier', '$title', ...figures],
    },
  });
}

const figures = [
  'started_at',
  'run',
  'variant',
  'share',
  'low',
  'high',
  'cases',
  'right',
  'refused',
  'wrong',
  'failed',
  'p50_ms',
  'p95_ms',
  'cost_usd',
];

/** All variants of a run, with their cases, in the order they were asked in. */
export function useVariants(run: string) {
  return useRead('searchBlueprintEntities', {
    params: runParams,
    body: { query: { combinator: 'and', rules: [{ property: 'run', operator: '=', value: run }] }, limit: 100 },
  });
}

export function readRuns(entities: readonly { readonly identifier?: unknown; readonly properties?: unknown }[]) {
  return entities.map(readKeptRun);
}

/** `12 of 14 (86 %)`. */
export function percent(share: number): string {
  // 99.6 % is not all
  return `${share === 1 ? 100 : Math.min(99, Math.round(share * 100))} %`;
}

export function dollars(cost: number | null): string {
  return cost === null ? '?' : `$${cost.toFixed(2)}`;
}

/**
 * What a question cost on average when the same variant was asked last, else when any was. Undefined if nobody knows.
 */
export function expectedCost(runs: readonly KeptRun[], variant: string): number | undefined {
  const known = runs.filter(({ costUsd, count }) => costUsd !== null && count > 0);
  const like = known.find((run) => run.variant === variant) ?? known[0];
  return like && (like.costUsd ?? 0) / like.count;
}
