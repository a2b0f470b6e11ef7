import type { Actor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { ReadDeps } from '../../entities/index.ts';
import type { CheckedStart } from '../definitions/start-form.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeKinds } from '../nodes/node-kind.ts';
import type { StoredNodeRun } from './workflow-run.ts';

export interface RunsDeps {
  readonly database: Database;
  readonly catalog: ReadDeps;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly jobs: Pick<Jobs, 'enqueue' | 'enqueueAll'>;
  readonly log: {
    warn(context: Readonly<Record<string, unknown>>, message: string): void;
    error(context: Readonly<Record<string, unknown>>, message: string): void;
  };
  readonly kinds: NodeKinds;
  /** Checks rights and the form of a self-service trigger. @throws AppError `not_found`, `missing_permissions`, `invalid_request` */
  readonly checkStart: CheckStart;
  /** Checks the right to run a run again. @throws AppError `missing_permissions`, `trigger_unpublished` */
  readonly checkRerun: CheckRerun;
  /** Checks what a person writes into the form of an `INPUT`. @throws AppError `invalid_request` */
  readonly checkResponse: CheckResponse;
  /** Told in the transaction in which a form begins to wait. */
  readonly notify?: JobDeclaration | undefined;
  /** Days that ended runs are kept. */
  readonly keptDays: number;
}

/** What a form gives to its run: encrypted inputs are sealed. */
export type CheckStart = (
  actor: Actor,
  workflow: StoredWorkflow,
  triggerNode: string,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<Pick<CheckedStart, 'values' | 'authors'>>;

export type CheckRerun = (
  actor: Actor,
  current: StoredWorkflow,
  triggerNode: string,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<void>;

export type CheckResponse = (
  actor: Actor,
  node: WorkflowNode,
  nodeRun: StoredNodeRun,
  inputs: Readonly<Record<string, unknown>>,
) => Promise<{ readonly values: Readonly<Record<string, unknown>> }>;
