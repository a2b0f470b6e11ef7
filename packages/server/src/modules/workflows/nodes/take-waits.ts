import { z } from 'zod';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { type Delivery, listDeliveries, type Target, takeDeliveries } from '../../journal/index.ts';
import { describeFailure, isGivenUp, type Try, unexpectedMax } from '../runs/lasting-failure.ts';
import { reportOfAction } from './action-report.ts';
import { reportOfEvent } from './event-report.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunPorts, NodeRunReport } from './node-run.ports.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { reportNobody } from './report-nobody.ts';
import { waitsConsumer } from './wait-interest.sql.ts';
import { deleteWaits } from './waits.store.ts';

const batchSize = 200;

const declared = {
  name: 'workflows.take-waits',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  dedupeBy: () => 'all',
} as const;

/** Only enqueues; `takeWaitsJob` runs the job. */
export const takeWaits = defineJob({
  ...declared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});

/** Enqueues the job that ends waits, with the transaction that writes what they wait for. */
export function createWaitWaker(jobs: Pick<Jobs, 'enqueue'>) {
  return async (tx: Tx, orgId: string, targets: readonly Target[]): Promise<void> => {
    if (targets.some(({ consumer }) => consumer === waitsConsumer)) await jobs.enqueue(tx, orgId, takeWaits, {});
  };
}

type Deps = NodesDeps & Pick<NodeRunPorts, 'readCall' | 'report'>;

/** Ends the node runs whose event has come. Safe to repeat: one that has ended is left alone. */
export function takeWaitsJob(deps: Deps): JobDeclaration {
  const job = defineJob({
    ...declared,
    run: async (_input, { orgId, attempt, signal }) => {
      const isLastTry = attempt >= unexpectedMax;
      for (;;) {
        const deliveries = await listDeliveries(deps.database, orgId, waitsConsumer, { limit: batchSize });
        if (deliveries.length === 0) return;
        for (const delivery of deliveries) {
          signal.throwIfAborted();
          await takeOrFail(deps, orgId, delivery, { isLastTry, signal });
        }
      }
    },
  });
  return job as unknown as JobDeclaration;
}

/** A wait that cannot be ended by its event fails with it, so that it holds up no other. */
async function takeOrFail(deps: Deps, orgId: string, delivery: Delivery, attempt: Try): Promise<void> {
  try {
    await takeWait(deps, orgId, delivery, attempt.signal);
  } catch (error) {
    if (!isGivenUp(error, attempt)) throw error;
    const actor = systemActor(orgId);
    const output = { error: describeFailure(error) };
    await end(deps, actor, delivery.target, { status: 'COMPLETED', result: 'FAILED', output });
    await deps.database.transaction((tx) => takeDeliveries(tx, orgId, waitsConsumer, [delivery]));
  }
}

/** The report is a transition of its own; the delivery goes after it, so that neither is lost. */
async function takeWait(deps: Deps, orgId: string, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { target: nodeRunId } = delivery;
  const call = await deps.readCall(orgId, nodeRunId, signal);
  const actor: Actor = { ...systemActor(orgId, call?.actor.model), ...(call ? { runId: call.run.id } : {}) };
  const isOver = !call || call.nodeRun.phase === 'ENDED';
  if (!call) await reportNobody(deps, orgId, nodeRunId);
  const report = isOver ? undefined : await reportOf(deps, call, delivery);
  if (report) await end(deps, actor, nodeRunId, report);
  await deps.unitOfWork(actor, async ({ tx }) => {
    if (isOver || report) await deleteWaits(tx, orgId, [nodeRunId]);
    await takeDeliveries(tx, orgId, waitsConsumer, [delivery]);
  });
}

function reportOf(deps: Deps, call: NodeCall, { record }: Delivery): Promise<NodeRunReport | undefined> {
  return call.nodeRun.type === 'WAIT_FOR_EVENT'
    ? reportOfEvent(deps, call, record)
    : reportOfAction(deps, call, record);
}

async function end(deps: Deps, actor: Actor, nodeRunId: string, report: NodeRunReport): Promise<void> {
  try {
    await deps.report(actor, nodeRunId, report);
  } catch (error) {
    // cancelled or expired meanwhile
    if (!(error instanceof AppError && error.code === 'node_run_ended')) throw error;
  }
}
