import { type Actor, systemActor } from '../../../platform/actor.ts';
import { createTurns } from '../../../platform/take-turns.ts';
import { outside, type TextAuthor } from '../../../platform/text-authors.ts';
import { teamNames } from '../../accounts/index.ts';
import { findChainDepths } from '../../actions/index.ts';
import { shareConditionTimes, toAutomationEvent, type Verdict } from '../../automations/index.ts';
import { findShownAuthors } from '../../entities/index.ts';
import { type Delivery, listDeliveries, takeDeliveries, teamReferencesIn } from '../../journal/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { createGraph } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import { listPauses, widestPause } from '../definitions/pause.store.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { decideOn } from '../nodes/event-condition.ts';
import { pauseFlooded, tooManyStarts } from './flood.ts';
import { workflowsConsumer } from './interest.sql.ts';
import { isGivenUp, type Try } from './lasting-failure.ts';
import { holdVersions } from './listening.store.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { countStarts, findRoots } from './run.store.ts';
import { toRunEvent } from './run-events.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;
/** Evaluating conditions yields to requests after this time. */
const turnMs = 5;
const minuteMs = 60_000;
const eventBytesMax = 1024 * 1024;

/**
 * Takes a batch of the oldest events that triggers listen to; true if there may be more. On the last try one by one: an
 * event that starts nothing, however often it is tried, is passed over, so that it holds up no other.
 */
export async function takeEventBatch(deps: RunsDeps, orgId: string, attempt: Try): Promise<boolean> {
  const { isLastTry, signal } = attempt;
  const listed = await listDeliveries(deps.database, orgId, workflowsConsumer, { limit: isLastTry ? 1 : batchSize });
  const [first] = listed;
  if (!first) return false;
  if (!isLastTry) return take(deps, orgId, listed, signal);
  try {
    await take(deps, orgId, [first], signal);
  } catch (error) {
    if (!isGivenUp(error, attempt)) throw error;
    const { target, eventKey } = first;
    deps.log.error({ error, orgId, target, eventKey }, 'an event starts no workflow, because it cannot be taken');
    await deps.database.transaction((tx) => takeDeliveries(tx, orgId, workflowsConsumer, [first]));
  }
  return true;
}

async function take(
  deps: RunsDeps,
  orgId: string,
  deliveries: readonly Delivery[],
  signal: AbortSignal,
): Promise<boolean> {
  const organization = await findOrganization(deps.database, orgId);
  const actor: Actor = { ...systemActor(orgId, organization?.model), origin: 'AUTOMATION' };
  const workflows = await findWorkflows(deps, orgId, deliveries);
  const decided = await decideAll(deps, actor, deliveries, workflows, signal);
  return deps.unitOfWork(actor, async (work) => {
    const versions = await holdVersions(work.tx, orgId, [...workflows.keys()]);
    // a changed workflow is asked again in its new version
    const current = decided.filter(
      ({ workflow }) => !workflow || (versions.get(workflow.key) ?? workflow.version) === workflow.version,
    );
    const taken = await takeDeliveries(work.tx, orgId, workflowsConsumer, current);
    const isTaken = new Set(taken.map(nameOf));
    const pauses = await listPauses(work.tx, orgId, [...workflows.keys()]);
    for (const { workflow, start, isFlood, ...delivery } of current) {
      if (!workflow || !start || !versions.has(workflow.key) || !isTaken.has(nameOf(delivery))) continue;
      // what came before the pause and was not taken yet starts nothing either
      if (widestPause(pauses, workflow.key, start.triggerNode)) continue;
      const run = newWorkflowRun(workflow, { ...start, now: work.now, createdBy: actor.id, createdByKind: 'system' });
      await storeNewRun(work, run, delivery.eventKey);
      if (isFlood) await pauseFlooded(work, workflow, start.triggerNode);
    }
    return taken.length > 0 || current.length < decided.length;
  });
}

type Start = Omit<Parameters<typeof newWorkflowRun>[1], 'now' | 'createdBy' | 'createdByKind'>;

interface Decided extends Pick<Delivery, 'target' | 'eventKey'> {
  readonly workflow: StoredWorkflow | undefined;
  readonly start: Start | undefined;
  /** The trigger has started too much. */
  readonly isFlood?: boolean;
}

const nameOf = ({ target, eventKey }: Pick<Delivery, 'target' | 'eventKey'>): string => `${target} ${eventKey}`;

function readTarget(target: string): { readonly key: number; readonly node: string } {
  const slash = target.indexOf('/');
  return { key: Number(target.slice(0, slash)), node: target.slice(slash + 1) };
}

async function findWorkflows(deps: RunsDeps, orgId: string, deliveries: readonly Delivery[]) {
  const keys = [...new Set(deliveries.map(({ target }) => readTarget(target).key))];
  const found = await Promise.all(keys.map((key) => findCurrentByKey(deps.database, orgId, key)));
  return new Map(found.flatMap((workflow) => (workflow ? [[workflow.key, workflow] as const] : [])));
}

/** Decides on each event outside any transaction, because people's conditions may be slow. */
async function decideAll(
  deps: RunsDeps,
  actor: Actor,
  deliveries: readonly Delivery[],
  workflows: ReadonlyMap<number, StoredWorkflow>,
  signal: AbortSignal,
): Promise<Decided[]> {
  const { orgId } = actor;
  const records = deliveries.flatMap(({ record }) => record ?? []);
  const names = await teamNames(deps.database, orgId, actor.model, teamReferencesIn(records));
  const causes = await findCauses(deps, orgId, records);
  const authorsOfEvent = eventAuthors(deps, actor);
  const now = deps.clock.now();
  const timeFor = shareConditionTimes(
    deliveries.map(({ eventKey }) => eventKey),
    now,
  );
  const starts = await countedStarts(deps, orgId, [...workflows.keys()], now);
  const decided: Decided[] = [];
  const takeTurns = createTurns(turnMs);
  for (const { target, eventKey, record } of deliveries) {
    await takeTurns();
    signal.throwIfAborted();
    const { key, node } = readTarget(target);
    const workflow = workflows.get(key);
    const trigger = workflow && createGraph(workflow.definition).node(node);
    const skipped = { target, eventKey, workflow, start: undefined };
    const isOfRun = trigger?.config.type === 'RUN_TRIGGER';
    const listens = isOfRun || trigger?.config.type === 'EVENT_TRIGGER';
    if (!record || !trigger || !listens || trigger.config['published'] === false) {
      decided.push(skipped);
      continue;
    }
    const cause = causes.get(record.context['runId'] ?? '');
    const depth = cause ? cause.depth + 1 : 0;
    const event = isOfRun ? toRunEvent(record) : toAutomationEvent(record, { orgId, names });
    // what a stopped run leads to is ignored, or the loop would store stopped runs for ever
    const verdict = depth > limits.depth ? 'fails' : decideOn(trigger.config['condition'], event, timeFor(eventKey));
    if (verdict === 'fails') {
      decided.push(skipped);
      continue;
    }
    const flood = starts.take(target);
    const stopped = flood ?? stoppedBecause(depth, event, verdict);
    if (stopped === 'ignored') {
      decided.push(skipped);
      continue;
    }
    decided.push({
      ...skipped,
      isFlood: flood !== undefined,
      start: {
        triggerNode: node,
        trigger: stopped === undefined ? { ...event } : isOfRun ? {} : { ...event, diff: null },
        depth,
        causedBy: record.context['runId'] ?? null,
        rootId: cause?.rootId,
        textAuthors: stopped === undefined && !isOfRun ? await authorsOfEvent(record) : [outside],
        stoppedBecause: stopped,
      },
    });
  }
  return decided;
}

function stoppedBecause(depth: number, event: unknown, verdict: Verdict): string | undefined {
  if (depth === limits.depth) {
    return `Stopped: ${limits.depth} runs led to this one, which looks like a loop; compare before and after in the condition`;
  }
  if (JSON.stringify(event).length > eventBytesMax) return 'Stopped: the event is larger than 1 MiB';
  return typeof verdict === 'string' ? undefined : verdict.undecided;
}

/** Who wrote what an event shows, looked up once for each entity; of other events nobody knows. */
function eventAuthors({ catalog }: RunsDeps, actor: Actor) {
  const known = new Map<string, Promise<readonly TextAuthor[]>>();
  return ({ context, at, action }: NonNullable<Delivery['record']>): Promise<readonly TextAuthor[]> => {
    const { blueprint, entity } = context;
    if (blueprint === undefined || entity === undefined) return Promise.resolve([outside]);
    const isDeletion = action === 'DELETE';
    // the oldest comes first: where another entity is in its place by now, so it is for those after it
    const name = JSON.stringify([blueprint, entity, isDeletion]);
    const found = known.get(name) ?? findShownAuthors(catalog, actor, { blueprint, entity, at, isDeletion });
    known.set(name, found);
    return found;
  };
}

/** The chains that the runs belong to whose changes the records are. */
async function findCauses(
  deps: RunsDeps,
  orgId: string,
  records: readonly { readonly context: Readonly<Record<string, string>> }[],
): Promise<ReadonlyMap<string, { readonly depth: number; readonly rootId?: string | undefined }>> {
  const ids = [...new Set(records.flatMap(({ context }) => context['runId'] ?? []))];
  if (ids.length === 0) return new Map();
  const depths = await findChainDepths(deps.database, orgId, ids);
  const roots = new Map((await findRoots(deps.database, orgId, ids)).map(({ id, rootId }) => [id, rootId]));
  return new Map(
    [...depths].map(([id, depth]) => [id, { depth, ...(roots.has(id) ? { rootId: roots.get(id) } : {}) }]),
  );
}

/** Counts the starts of each trigger within a minute: the first too many is stored as stopped, all others are ignored. */
async function countedStarts(deps: RunsDeps, orgId: string, keys: readonly number[], now: Date) {
  const rows = await countStarts(deps.database, orgId, keys, new Date(now.getTime() - minuteMs));
  const counted = new Map(rows.map(({ workflowKey, node, starts }) => [`${workflowKey}/${node}`, starts]));
  return {
    take(target: string): string | undefined {
      const starts = (counted.get(target) ?? 0) + 1;
      counted.set(target, starts);
      const most = limits.startsPerTriggerAndMinute;
      if (starts <= most) return undefined;
      if (starts > most + 1) return 'ignored';
      return tooManyStarts;
    },
  };
}
