import type { Actor } from '../../../platform/actor.ts';
import type { NodeKind } from '../nodes/node-kind.ts';
import { applied, commitTransitions, type PlannedStep, type PlannedTransition } from './commit-transition.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { Snapshot } from './snapshot.ts';

const transitionsMax = 50;
/** What is planned is shown to others within this time, however long the steps after it take. */
const heldMs = 100;

/** Transitions of one run that are planned one after another and committed together. */
export interface TransitionBatch {
  /** Answers how the transition will leave the run. */
  add(before: Snapshot, transition: PlannedTransition): Snapshot;
  isEmpty(): boolean;
  isFull(): boolean;
  /** Whether a step of the kind may be carried out before what was planned ahead of it is stored. */
  carries(kind: NodeKind | undefined): boolean;
  /** @throws RunMoved if the run is not as it was read; nothing of the batch is kept then */
  commit(): Promise<void>;
}

/**
 * The batch of a job. A step that only computes needs no commit of its own: after a crash it computes the same again. The
 * first compare-and-set refuses all of them.
 */
export function createTransitionBatch(deps: RunsDeps, bookkeeper: Actor, isLastTry: boolean): TransitionBatch {
  let planned: PlannedStep[] = [];
  let since = 0;
  return {
    add(before, transition) {
      if (planned.length === 0) since = performance.now();
      planned.push({ before, planned: { ...transition, goesOnHere: true } });
      return applied(before, transition, deps.clock.now());
    },
    isEmpty: () => planned.length === 0,
    // what cannot be stored takes nothing with it on the last try
    isFull: () => planned.length > 0 && (isLastTry || isEnough(planned, since)),
    // what writes commits by itself
    carries: (kind) => kind?.effect !== 'ours' && kind?.effect !== 'children',
    async commit() {
      const [first, ...others] = planned;
      planned = [];
      if (first) await deps.unitOfWork(bookkeeper, (work) => commitTransitions(deps, work, [first, ...others]));
    },
  };
}

/** Thrown where a run can be planned no further before it is stored. */
export class NotStored extends Error {}

/**
 * The batch of a run that is being started: whoever stores the run stores it too. It holds steps that ask nothing but what
 * the run knows, because somebody waits for the answer.
 */
export function createStartBatch({ clock }: Pick<RunsDeps, 'clock'>) {
  const planned: PlannedStep[] = [];
  const since = performance.now();
  return {
    add(before, transition) {
      planned.push({ before, planned: transition });
      return applied(before, transition, clock.now());
    },
    isEmpty: () => planned.length === 0,
    isFull: () => isEnough(planned, since),
    carries: (kind) => kind === undefined || (kind.effect === 'none' && kind.computes === true),
    async commit() {
      throw new NotStored('A run is planned beyond its start only after it is stored');
    },
    /** The last of them leaves the job that goes on. */
    listPlanned: (): readonly PlannedStep[] =>
      planned.map(({ before, planned: each }, index) => ({
        before,
        planned: { ...each, goesOnHere: index < planned.length - 1 },
      })),
  } satisfies TransitionBatch & { listPlanned(): readonly PlannedStep[] };
}

function isEnough(planned: readonly PlannedStep[], since: number): boolean {
  return planned.length >= transitionsMax || performance.now() - since >= heldMs;
}
