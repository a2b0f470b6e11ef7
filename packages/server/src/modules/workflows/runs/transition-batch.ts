import type { Actor } from '../../../platform/actor.ts';
import { applied, commitTransitions, type PlannedStep, type PlannedTransition } from './commit-transition.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { Snapshot } from './snapshot.ts';

const transitionsMax = 50;
/** What is planned is shown to others within this time, however long the steps after it take. */
const heldMs = 100;

export type TransitionBatch = ReturnType<typeof createTransitionBatch>;

/**
 * Transitions of one run that are planned one after another and committed together. A step that only computes needs no
 * commit of its own: after a crash it computes the same again. The first compare-and-set refuses all of them.
 */
export function createTransitionBatch(deps: RunsDeps, bookkeeper: Actor) {
  let planned: PlannedStep[] = [];
  let since = 0;
  return {
    /** Answers how the transition will leave the run. */
    add(before: Snapshot, transition: PlannedTransition): Snapshot {
      if (planned.length === 0) since = performance.now();
      planned.push({ before, planned: { ...transition, goesOnHere: true } });
      return applied(before, transition, deps.clock.now());
    },
    isEmpty: (): boolean => planned.length === 0,
    isFull: (): boolean =>
      planned.length >= transitionsMax || (planned.length > 0 && performance.now() - since >= heldMs),
    /** @throws RunMoved if the run is not as it was read; nothing of the batch is kept then */
    async commit(): Promise<void> {
      const [first, ...others] = planned;
      planned = [];
      if (first) await deps.unitOfWork(bookkeeper, (work) => commitTransitions(deps, work, [first, ...others]));
    },
  };
}
