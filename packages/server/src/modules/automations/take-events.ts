import { z } from 'zod';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { createTurns } from '../../platform/take-turns.ts';
import { teamNames } from '../accounts/index.ts';
import {
  findChainDepths,
  findRunFacts,
  holdActionVersions,
  listActionsByKey,
  type RunFacts,
  type StoredAction,
  storeAutomationRun,
} from '../actions/index.ts';
import { type Delivery, listDeliveries, takeDeliveries, teamReferencesIn } from '../journal/index.ts';
import { findOrganization } from '../organizations/index.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { shareConditionTimes } from './condition-times.ts';
import { type Decision, decide } from './decide.ts';
import { type AutomationEvent, toAutomationEvent } from './event.ts';
import { automationsConsumer } from './interest.sql.ts';

const batchSize = 500;
/** Evaluating conditions yields to requests after this time. */
const turnMs = 5;

/** The job's declaration without `run`, for those who enqueue it. */
export const takeEvents = {
  name: 'automations.take-events',
  input: z.object({}),
  attempts: 20,
  timeoutMs: 10 * 60_000,
  // one job takes all events of its organization
  dedupeBy: () => 'all',
};

/**
 * Turns events into runs of the automations that listen to them. Taking an event and storing its run is one
 * transaction: a process that dies leaves both or none, and only one of two replicas takes the event.
 */
export function takeEventsJob(deps: AutomationsDeps): JobDeclaration {
  // One job per organization and process, because a second would only repeat the first one's decisions. Its request is
  // passed to the first; if that fails, the retry takes everything left.
  const taking = new Map<string, { isAskedAgain: boolean }>();
  return defineJob({
    ...takeEvents,
    run: async (_input, { orgId, signal }) => {
      const current = taking.get(orgId);
      if (current) {
        current.isAskedAgain = true;
        return;
      }
      const mine = { isAskedAgain: false };
      taking.set(orgId, mine);
      try {
        do {
          mine.isAskedAgain = false;
          while (await takeBatch(deps, orgId, signal)) signal.throwIfAborted();
        } while (mine.isAskedAgain);
      } finally {
        taking.delete(orgId);
      }
    },
  });
}

/** Takes a batch of the oldest events; true if this process may find more. */
async function takeBatch(deps: AutomationsDeps, orgId: string, signal: AbortSignal): Promise<boolean> {
  const deliveries = await listDeliveries(deps.database, orgId, automationsConsumer, { limit: batchSize });
  if (deliveries.length === 0) return false;
  const organization = await findOrganization(deps.database, orgId);
  const actor: Actor = { ...systemActor(orgId, organization?.model), origin: 'AUTOMATION' };
  const automations = await findAutomations(deps, orgId, deliveries);
  const decided = await decideAll(deps, actor, deliveries, automations, signal);
  return deps.unitOfWork(actor, async (work) => {
    const versions = await holdActionVersions(work.tx, orgId, [...automations.keys()]);
    const isCurrent = ({ automation }: DecidedDelivery) =>
      !automation || versions.get(automation.key) === automation.version;
    // a changed automation is evaluated again in its new version
    const current = decided.filter(isCurrent);
    const taken = await takeDeliveries(work.tx, orgId, automationsConsumer, current);
    const isTaken = new Set(taken.map(deliveryName));
    for (const { automation, decision, ...delivery } of current) {
      if (!automation || decision.kind === 'ignored' || !isTaken.has(deliveryName(delivery))) continue;
      const { occasion, eventId, causedBy } = decision;
      const stoppedBecause = decision.kind === 'stopped' ? decision.reason : undefined;
      await storeAutomationRun(work, deps.dispatch, automation, occasion, { causedBy, eventId, stoppedBecause });
    }
    // whatever was stored after a batch that was not full has a job of its own
    return (taken.length > 0 && deliveries.length === batchSize) || current.length < decided.length;
  });
}

interface DecidedDelivery {
  readonly target: string;
  readonly eventKey: number;
  readonly automation: StoredAction | undefined;
  readonly decision: Decision;
}

const deliveryName = ({ target, eventKey }: Pick<Delivery, 'target' | 'eventKey'>): string => `${target}/${eventKey}`;

async function findAutomations(deps: AutomationsDeps, orgId: string, deliveries: readonly Delivery[]) {
  const keys = [...new Set(deliveries.map(({ target }) => Number(target)))];
  const actions = await listActionsByKey(deps.database, orgId, keys);
  return new Map(actions.map((action) => [action.key, action]));
}

/** Decides on each event outside any transaction, because people's conditions may be slow. */
async function decideAll(
  deps: AutomationsDeps,
  actor: Actor,
  deliveries: readonly Delivery[],
  automations: ReadonlyMap<number, StoredAction>,
  signal: AbortSignal,
): Promise<DecidedDelivery[]> {
  const { orgId, model } = actor;
  const records = deliveries.flatMap(({ record }) => record ?? []);
  const names = await teamNames(deps.database, orgId, model, teamReferencesIn(records));
  const runs = await readRunFacts(deps, orgId, records);
  const depths = await findChainDepths(deps.database, orgId, runIdsIn(records));
  const timeFor = shareConditionTimes(
    deliveries.map(({ eventKey }) => eventKey),
    deps.clock.now(),
  );
  const decided: DecidedDelivery[] = [];
  const events = new Map<number, AutomationEvent>();
  const takeTurns = createTurns(turnMs);
  for (const { target, eventKey, record } of deliveries) {
    await takeTurns();
    signal.throwIfAborted();
    const automation = automations.get(Number(target));
    let event = events.get(eventKey);
    if (record && !event) {
      event = toAutomationEvent(record, { orgId, names, run: runs.get(record.identifier) });
      events.set(eventKey, event);
    }
    const causeDepth = depths.get(record?.context['runId'] ?? '') ?? 0;
    const decision = decide({ automation, record, event, causeDepth, time: timeFor(eventKey) });
    decided.push({ target, eventKey, automation, decision });
  }
  return decided;
}

async function readRunFacts(
  deps: AutomationsDeps,
  orgId: string,
  records: readonly { readonly context: Readonly<Record<string, string>> }[],
): Promise<ReadonlyMap<string, RunFacts>> {
  // the records of runs have the run's own id here
  const ids = runIdsIn(records);
  const facts = ids.length === 0 ? [] : await findRunFacts(deps.database, orgId, ids);
  return new Map(facts.map((run) => [run.id, run]));
}

function runIdsIn(records: readonly { readonly context: Readonly<Record<string, string>> }[]): string[] {
  return [...new Set(records.flatMap(({ context }) => context['runId'] ?? []))];
}
