import { type Actor, systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { findOrganization } from '../../organizations/index.ts';
import { nextTick, parseCron } from '../definitions/cron.ts';
import { createGraph } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import { findPause } from '../definitions/pause.store.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import { pauseFlooded, tooManyStarts } from './flood.ts';
import { type DueTrigger, holdVersions, listDueTriggers, moveSchedule } from './listening.store.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { countStarts } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 100;
const minuteMs = 60_000;
/** Missed ticks are counted up to here. */
const missedMax = 10_000;

/** Schedules whose tick has come, all of them: some that fail each time hold up no others. */
export function dueSchedules({ database, clock }: RunsDeps): AsyncGenerator<DueTrigger> {
  const now = clock.now();
  return inBatches(batchSize, (after: DueTrigger | undefined, limit) => listDueTriggers(database, now, limit, after));
}

/**
 * Starts the run of a tick, once over all replicas, by moving the schedule in the transaction that stores the run. Ticks
 * that were missed become one run, which says how many they were.
 */
export async function tickSchedule(deps: RunsDeps, due: DueTrigger): Promise<void> {
  const { orgId, workflowKey, node, cron, nextRunAt } = due;
  const organization = await findOrganization(deps.database, orgId);
  const workflow = await findCurrentByKey(deps.database, orgId, workflowKey);
  const schedule = parseCron(cron);
  const now = deps.clock.now();
  const { missed, next } =
    typeof schedule === 'string' ? { missed: 0, next: undefined } : ticksSince(schedule, nextRunAt, now);
  const actor: Actor = { ...systemActor(orgId, organization?.model), origin: 'AUTOMATION' };
  await deps.unitOfWork(actor, async (work) => {
    // waits for nobody: schedules that are held up would use up the time of those behind them
    const versions = await holdVersions(work.tx, orgId, [workflowKey], { passesOver: true });
    // being saved, or saved anew meanwhile: the next round sees what is due then
    if (workflow && versions.get(workflowKey) !== workflow.version) return;
    // paused meanwhile: resuming settles the next tick
    if (await findPause(work.tx, orgId, workflowKey, node)) return;
    if (!(await moveSchedule(work.tx, due, next))) return;
    const trigger = workflow && createGraph(workflow.definition).node(node);
    if (trigger?.config.type !== 'SCHEDULE_TRIGGER') return;
    const starts = await countStarts(work.tx, orgId, [workflowKey], new Date(work.now.getTime() - minuteMs));
    const counted = starts.find((each) => each.node === node)?.starts ?? 0;
    const isFlood = counted >= limits.startsPerTriggerAndMinute;
    const held = workflow as NonNullable<typeof workflow>;
    const run = newWorkflowRun(held, {
      triggerNode: node,
      trigger: { scheduledAt: nextRunAt.toISOString(), triggeredAt: work.now.toISOString(), missed },
      now: work.now,
      createdBy: actor.id,
      createdByKind: 'system',
      depth: 0,
      causedBy: null,
      textAuthors: [],
      ...(isFlood ? { stoppedBecause: tooManyStarts } : {}),
    });
    await storeNewRun(work, run);
    if (isFlood) await pauseFlooded(work, held, node);
  });
}

function ticksSince(schedule: Exclude<ReturnType<typeof parseCron>, string>, first: Date, now: Date) {
  let missed = 0;
  let next = nextTick(schedule, first);
  while (next && next <= now && missed < missedMax) {
    missed += 1;
    next = nextTick(schedule, next);
  }
  return { missed, next: next && next <= now ? nextTick(schedule, now) : next };
}
