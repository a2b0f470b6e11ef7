import { limits } from '../definitions/limits.ts';
import { failedNode } from '../nodes/node-failure.ts';
import type { EndedNode, NodeCall, NodeKind } from '../nodes/node-kind.ts';
import { countRunsOfRoot } from './child-runs.store.ts';
import type { PlannedTransition } from './commit-transition.ts';
import { failedUnexpectedly } from './failed-unexpectedly.ts';
import { newChildRun } from './new-child-run.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { StoredNodeRun } from './workflow-run.ts';

interface Begun {
  readonly kind: 'begun';
  readonly nodeRun: Partial<StoredNodeRun>;
  readonly planned: Pick<PlannedTransition, 'children' | 'log'>;
}

/** The runs that a step begins with, or how it ends without any. */
export async function beginChildren(
  deps: RunsDeps,
  call: NodeCall,
  kind: Extract<NodeKind, { effect: 'children' }>,
  isLastTry: boolean,
): Promise<EndedNode | Begun> {
  try {
    const begun = await kind.begin(call);
    if (begun.kind === 'ended') return begun;
    const problem = await tooMany(deps, call, begun.runs.length);
    if (problem !== undefined) return failedNode(problem);
    const runs = begun.runs.map((child) => newChildRun(call, child));
    const { input } = begun;
    return {
      kind: 'begun',
      nodeRun: { dueAt: call.run.deadlineAt, ...(input === undefined ? {} : { input }) },
      planned: {
        children: { runs, atOnce: begun.atOnce },
        log: [{ level: 'INFO', message: runs.length === 1 ? 'A run began' : `${runs.length} runs began` }],
      },
    };
  } catch (error) {
    return failedUnexpectedly(deps, call, error, isLastTry);
  }
}

/** Why so many more runs are refused; undefined if they are not. */
export async function tooMany(
  { database }: RunsDeps,
  { run, actor }: NodeCall,
  more: number,
): Promise<string | undefined> {
  if (run.nesting >= limits.nesting) return `Stopped: at most ${limits.nesting} runs stand inside one another`;
  const there = await countRunsOfRoot(database, actor.orgId, run.rootId);
  if (there + more <= limits.runsPerRoot) return undefined;
  return `Stopped: it would begin ${more} runs beside the ${there} that came of ${run.rootId}, and at most ${limits.runsPerRoot} may`;
}
