import type { Route } from '../../platform/http/route.ts';
import { newUuid } from '../../platform/ids.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { FollowCutover } from '../identity/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { assistantRoutes } from './assistant.routes.ts';
import { cutoverRoutes } from './cutover/cutover.routes.ts';
import {
  type CutoverDeps,
  followClock,
  followClockJob,
  followCutover,
  updateInvocationsJob,
} from './cutover/follow-cutover.ts';
import { createEventLog } from './event-log.ts';
import { type LoopLimits, loopLimits } from './loop/run-loop.ts';
import type { ModelSettings } from './model/create-model.ts';
import { createModels } from './model/models.ts';
import { createOffer } from './offered-tools.ts';
import { createRuns } from './runs.ts';
import { sweepAbandoned, sweepInvocations, sweepJob } from './sweep-invocations.ts';

export interface AssistantOptions
  extends Pick<AssistantDeps, 'database' | 'unitOfWork' | 'clock' | 'log' | 'catalog' | 'tools' | 'effects'>,
    Pick<CutoverDeps, 'blueprints' | 'surroundings'> {
  readonly model: ModelSettings;
  readonly limits?: Partial<LoopLimits>;
}

export interface Assistant {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  /** Told when the operator changes the cutover of an organization. */
  readonly followCutover: FollowCutover;
  /**
   * Begins to keep runs alive. With `isAlone` no other process can be running any, so those that are left over from a
   * killed one are ended at once.
   */
  start(options: { readonly isAlone: boolean }): Promise<void>;
  /** Brings organizations to the stage that a clock took them to. */
  followClock(): Promise<void>;
  /** Ends runs whose process died, and answers how many. */
  sweep(): Promise<number>;
  /** Lets runs end, then ends them as interrupted. */
  close(): Promise<void>;
}

/** How long runs may go on when the server stops; the whole stop takes at most ten seconds. */
const closeMs = 5_000;

export function createAssistant(options: AssistantOptions): Assistant {
  const deps: CutoverDeps = {
    ...options,
    offer: createOffer(options.tools, options.log),
    events: createEventLog(options.database),
    limits: { ...loopLimits, ...options.limits },
    models: createModels(options.model),
    runner: newUuid(),
  };
  const runs = createRuns(deps);
  return {
    routes: [...assistantRoutes(deps, runs), ...cutoverRoutes(deps)],
    jobs: [sweepJob(deps), followClockJob(deps), updateInvocationsJob(deps) as unknown as JobDeclaration],
    followCutover: (work, move) => followCutover(deps, work, move),
    start: async ({ isAlone }) => {
      if (isAlone) while ((await sweepInvocations(deps, deps.clock.now())) > 0);
      runs.start();
    },
    followClock: () => followClock(deps),
    sweep: () => sweepAbandoned(deps),
    close: () => runs.close(closeMs),
  };
}
