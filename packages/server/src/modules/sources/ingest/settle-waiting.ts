import type { Actor } from '../../../platform/actor.ts';
import type { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { IngestDeps } from './ingest.deps.ts';
import { namingSync, openSync, toWaiting } from './ingest-chunk.ts';
import type { PendingPart } from './ingest-item.ts';
import { putLedger } from './ledger.store.ts';
import { insertProblems, updateSync } from './sync.store.ts';
import { addCounts, type StoredSync, type SyncProblem } from './sync.ts';
import {
  type AwaitedTarget,
  dropWaiting,
  findWaiting,
  insertChanges,
  listWaiting,
  type PlannedChangeRow,
  putWaiting,
  type WaitingItem,
} from './waiting.store.ts';
import { entityName, holdBlueprints, toProblems, writeParts } from './write-parts.ts';

const batchSize = 100;
/** Rounds in which chains of references are followed before what is left counts as a circle. */
const roundsMax = 6;

/** What settling did, told batch by batch. */
export interface Settled {
  readonly sync: StoredSync;
  readonly problems: readonly SyncProblem[];
  readonly changes: readonly PlannedChangeRow[];
}

/**
 * Writes, or plans, what waits for its targets now that everything was read. Chains are followed from both ends; members
 * of circles are written first without the relations that close them, and then whole. What still has no target is
 * refused, or with `omit` written without it. Interrupted, it goes on where it was.
 */
export async function* settleWaiting(deps: IngestDeps, actor: Actor, sync: StoredSync): AsyncGenerator<Settled> {
  yield* settleChains(deps, actor, sync);
  const list = () => listWaiting(deps.database, actor.orgId, sync.key);
  let waiting = await list();
  if (sync.options.missingTargets === 'omit' && waiting.length > 0) {
    // What never comes is left out first, so that it keeps nothing in a circle or a chain behind it from its targets.
    const names = new Set(waiting.map(entityName));
    yield* settle(deps, actor, sync, waiting, { leaves: (target) => !names.has(entityName(target)), isForGood: true });
    yield* settleChains(deps, actor, sync);
    waiting = await list();
  }
  if (waiting.length === 0) return;
  const circle = findCircles(waiting);
  const members = waiting.filter((item) => circle.has(entityName(item)));
  if (sync.isPlan) yield* settle(deps, actor, sync, members, { isPlanned: (target) => circle.has(entityName(target)) });
  else {
    yield* settle(deps, actor, sync, members, {
      leaves: (target) => circle.has(entityName(target)),
      staysWaiting: true,
    });
    yield* settle(deps, actor, sync, members, {});
  }
  waiting = await list();
  const omits = sync.options.missingTargets === 'omit';
  yield* settle(deps, actor, sync, waiting, { ...(omits ? { leaves: () => true } : {}), isLast: true });
}

/** Rounds from both ends, as long as they get on. */
async function* settleChains(deps: IngestDeps, actor: Actor, sync: StoredSync): AsyncGenerator<Settled> {
  let waiting = await listWaiting(deps.database, actor.orgId, sync.key);
  for (let round = 0; waiting.length > 0 && round < roundsMax; round += 1) {
    const before = waiting.length;
    yield* settle(deps, actor, sync, round % 2 === 0 ? waiting : waiting.toReversed(), {});
    waiting = await listWaiting(deps.database, actor.orgId, sync.key);
    if (waiting.length === before) break;
  }
}

/** Names of those whose targets are all among them. */
function findCircles(waiting: readonly WaitingItem[]): Set<string> {
  let members = new Set(waiting.map(entityName));
  for (;;) {
    const left = new Set(
      waiting
        .filter(
          (item) => members.has(entityName(item)) && item.targets.every((target) => members.has(entityName(target))),
        )
        .map(entityName),
    );
    if (left.size === members.size) return left;
    members = left;
  }
}

interface SettleOptions {
  /** Missing targets that are left out of what is written. */
  readonly leaves?: (target: AwaitedTarget) => boolean;
  /** What is left out is not tried again in this sync. */
  readonly isForGood?: boolean;
  /** Written parts are written once more, so they wait on. */
  readonly staysWaiting?: boolean;
  /** What has no target now is refused. */
  readonly isLast?: boolean;
  /** For a plan. */
  readonly isPlanned?: (target: AwaitedTarget) => boolean;
}

async function* settle(
  deps: IngestDeps,
  actor: Actor,
  sync: StoredSync,
  waiting: readonly WaitingItem[],
  options: SettleOptions,
): AsyncGenerator<Settled> {
  for (let from = 0; from < waiting.length; from += batchSize) {
    const lines = waiting.slice(from, from + batchSize).map(({ line }) => line);
    yield await deps.unitOfWork(actor, (work) => settleBatch(deps, work, sync.key, lines, options));
  }
}

async function settleBatch(
  deps: IngestDeps,
  opened: Work,
  syncKey: number,
  lines: readonly number[],
  { leaves, isForGood = false, staysWaiting = false, isLast = false, isPlanned }: SettleOptions,
): Promise<Settled> {
  const before = await openSync(opened, syncKey);
  const work = namingSync(opened, before);
  const { tx, actor, now } = work;
  const found = await findWaiting(tx, actor.orgId, syncKey, lines);
  const held = await holdBlueprints(
    work,
    found.map(({ blueprint }) => blueprint),
  );
  const parts = found.map((item): PendingPart => {
    const blueprint = held.get(item.blueprint);
    const body = leaves && blueprint ? without(item.body, blueprint, item.targets.filter(leaves)) : item.body;
    return { ...item, body, hash: null };
  });
  const written = await writeParts(deps, work, before, held, parts, { isPlanned, isSettling: true });
  const refused: readonly { part: PendingPart; error: AppError }[] = isLast ? written.waiting : [];
  const left = isLast ? [] : written.waiting;
  const problems = [...written.problems, ...refused.flatMap(({ part, error }) => toProblems(part, error))];
  const kept = new Set(left.map(({ part }) => `${part.line}/${part.position}`));
  const ended = staysWaiting
    ? found.filter((item) => written.problems.some(({ line }) => line === item.line))
    : found.filter(({ line, position }) => !kept.has(`${line}/${position}`));
  const { created, refused: refusals } = written.counts;
  const counts = staysWaiting ? { created, refused: refusals } : written.counts;
  const sync: StoredSync = {
    ...before,
    counts: addCounts(addCounts(before.counts, counts), {
      refused: refused.length,
      waiting: -ended.length,
      problems: problems.length,
    }),
    touchedAt: now,
  };
  const bodies = new Map(found.map(({ line, position, body }) => [`${line}/${position}`, body]));
  const again = left.map(({ part, ...rest }) => {
    const body = isForGood ? part.body : (bodies.get(`${part.line}/${part.position}`) ?? part.body);
    return toWaiting({ ...rest, part: { ...part, body } });
  });
  await putWaiting(tx, actor.orgId, syncKey, again);
  await dropWaiting(tx, actor.orgId, syncKey, ended);
  if (before.sourceKey !== null) await putLedger(tx, actor.orgId, before.sourceKey, syncKey, written.entries);
  await insertChanges(tx, actor.orgId, syncKey, written.changes);
  await insertProblems(tx, actor.orgId, syncKey, problems);
  await updateSync(tx, actor.orgId, sync);
  return { sync, problems, changes: written.changes };
}

/** A body without these targets. */
function without(
  body: PendingPart['body'],
  blueprint: StoredBlueprint,
  targets: readonly AwaitedTarget[],
): PendingPart['body'] {
  const gone = new Set(targets.map(entityName));
  const relations: NonNullable<PendingPart['body']['relations']> = {};
  for (const [name, value] of Object.entries(body.relations ?? {})) {
    const target = blueprintRelations(blueprint)[name]?.target ?? '';
    const isGone = (identifier: unknown): boolean =>
      typeof identifier === 'string' && gone.has(entityName({ blueprint: target, identifier }));
    if (Array.isArray(value)) relations[name] = value.filter((each) => !isGone(each));
    else if (!isGone(value)) relations[name] = value;
  }
  return { ...body, relations };
}
