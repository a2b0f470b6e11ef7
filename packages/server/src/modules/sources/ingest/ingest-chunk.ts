import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { DomainRecord, Work } from '../../../platform/unit-of-work.ts';
import { type Compared, compareItems } from './compare-items.ts';
import type { IngestDeps } from './ingest.deps.ts';
import type { PendingPart, RawItem } from './ingest-item.ts';
import { type LedgerEntry, markSeen, markTried, putLedger } from './ledger.store.ts';
import { insertProblems, lockSync, updateSync } from './sync.store.ts';
import { addCounts, type Counts, type StoredSync, type SyncProblem } from './sync.ts';
import { insertChanges, type PlannedChangeRow, putWaiting } from './waiting.store.ts';
import { holdBlueprints, type WaitingPart, type WrittenParts, writeParts } from './write-parts.ts';

/** Items that are stored together with the progress that they are. */
export interface Chunk {
  /** How many lines came before; what does not fit the sync is refused. */
  readonly after: number;
  /** How many lines there are afterwards. */
  readonly lines: number;
  readonly items: readonly RawItem[];
  /** Of lines that are no items. */
  readonly problems: readonly SyncProblem[];
  /** Keys of items that could not be stored; they are there all the same. */
  readonly refused?: readonly string[];
  /** Sums beside those of the items, and what else is kept of the sync. */
  readonly counts?: Partial<Counts>;
  readonly progress?: Partial<Pick<StoredSync, 'cursor' | 'nextState' | 'isWhole' | 'note'>>;
}

export interface IngestedChunk {
  readonly sync: StoredSync;
  readonly problems: readonly SyncProblem[];
  /** Of a plan. */
  readonly changes: readonly PlannedChangeRow[];
}

/** More problems of one sync are counted and not kept. */
const problemsMax = 10_000;
/** More items than this may not wait for their targets. */
const waitingMax = 100_000;

/**
 * Stores a chunk in one transaction, with the lines that are counted. What a refusal of the whole undoes is tried again
 * in halves, so that it is the fault of one item in the end.
 * @throws AppError `import_out_of_step`, `import_ended`
 */
export async function ingestChunk(
  deps: IngestDeps,
  actor: Actor,
  syncKey: number,
  chunk: Chunk,
): Promise<IngestedChunk> {
  try {
    return await deps.unitOfWork(actor, (work) => storeChunk(deps, work, syncKey, chunk));
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || isOfSync(error)) throw error;
    if (chunk.items.length > 1) return ingestHalves(deps, actor, syncKey, chunk);
    const [item] = chunk.items;
    if (!item) throw error;
    const problem = { severity: 'error', code: error.code, message: error.message, line: item.line } as const;
    const refused = {
      ...chunk,
      items: [],
      problems: [...chunk.problems, { ...problem, itemKey: item.key }],
      refused: [item.key],
    };
    return deps.unitOfWork(actor, (work) => storeChunk(deps, work, syncKey, refused));
  }
}

function isOfSync({ code }: AppError): boolean {
  return code === 'import_out_of_step' || code === 'import_ended';
}

async function ingestHalves(deps: IngestDeps, actor: Actor, syncKey: number, chunk: Chunk): Promise<IngestedChunk> {
  const middle = Math.ceil(chunk.items.length / 2);
  const lines = chunk.items[middle - 1]?.line ?? chunk.after;
  const upTo = (problem: SyncProblem): boolean => (problem.line ?? 0) <= lines;
  const first = await ingestChunk(deps, actor, syncKey, {
    after: chunk.after,
    lines,
    items: chunk.items.slice(0, middle),
    problems: chunk.problems.filter(upTo),
  });
  const second = await ingestChunk(deps, actor, syncKey, {
    ...chunk,
    after: lines,
    items: chunk.items.slice(middle),
    problems: chunk.problems.filter((problem) => !upTo(problem)),
  });
  return {
    sync: second.sync,
    problems: [...first.problems, ...second.problems],
    changes: [...first.changes, ...second.changes],
  };
}

async function storeChunk(deps: IngestDeps, opened: Work, syncKey: number, chunk: Chunk): Promise<IngestedChunk> {
  const before = await openSync(opened, syncKey);
  if (chunk.after !== before.lines) throw outOfStep(before);
  const work = namingSync(opened, before);
  const held = await holdBlueprints(
    work,
    chunk.items.flatMap(({ blueprints }) => blueprints),
  );
  const { fresh, seen, doubles } = await compareItems(work, before, held, chunk.items);
  const problems: SyncProblem[] = [...chunk.problems, ...doubles];
  const parts: PendingPart[] = [];
  const empty: LedgerEntry[] = [];
  const tried: string[] = [...(chunk.refused ?? [])];
  for (const { item, hash: digest } of fresh) {
    const reading = item.read();
    // most are read already: a turn of the loop for each of them would cost as much as writing it
    const read = reading instanceof Promise ? await reading : reading;
    problems.push(...read.problems);
    if (read.problems.length > 0) tried.push(item.key);
    const kept = read.problems.length > 0 ? null : digest;
    for (const [position, part] of read.parts.entries()) {
      const { blueprint, body } = part;
      parts.push({ blueprint, body, line: item.line, itemKey: item.key, position, hash: kept });
    }
    if (read.parts.length === 0 && read.problems.length === 0) empty.push(emptyEntry(item, digest));
  }
  const more = parts.flatMap(({ blueprint }) => (held.has(blueprint) ? [] : [blueprint]));
  for (const [name, blueprint] of await holdBlueprints(work, more)) held.set(name, blueprint);
  const written = await writeParts(deps, work, before, held, parts);
  tried.push(...written.problems.flatMap(({ itemKey }) => itemKey ?? []));
  tried.push(...written.waiting.map(({ part }) => part.itemKey));
  if (before.sourceKey !== null && !before.isPlan) {
    await markTried(work.tx, work.actor.orgId, before.sourceKey, before.key, tried);
  }
  await markSeen(work.tx, work.actor.orgId, before.sourceKey ?? 0, before.key, before.isPlan ? [] : seen.keys);
  return storeProgress(
    work,
    before,
    { ...written, problems: [...problems, ...written.problems].map(placed(chunk.items)) },
    {
      lines: chunk.lines,
      empty: before.isPlan || before.sourceKey === null ? [] : empty,
      unchanged: seen,
      tried,
      counts: { ...chunk.counts, refused: problems.length },
      progress: chunk.progress ?? {},
    },
  );
}

/** Adds to a problem of an item where its author finds that. */
function placed(items: Chunk['items']): (problem: SyncProblem) => SyncProblem {
  const places = new Map(items.map(({ key, place }) => [key, place]));
  return (problem) => {
    const place = problem.itemKey == null ? undefined : places.get(problem.itemKey);
    return place ? { ...problem, place: { ...place, ...problem.place } } : problem;
  };
}

/** @throws AppError `not_found`, `import_ended` */
export async function openSync({ tx, actor }: Work, syncKey: number): Promise<StoredSync> {
  const sync = await lockSync(tx, actor.orgId, syncKey);
  if (!sync) throw notFound('Import', String(syncKey));
  if (sync.endedAt) throw new AppError('import_ended', `"${sync.id}" has ended: it is ${sync.status}`);
  return sync;
}

function outOfStep({ id, lines }: StoredSync): AppError {
  const message = `"${id}" goes on after line ${lines}; send what follows, with after=${lines}`;
  return new AppError('import_out_of_step', message, { details: { lines } });
}

/** Records say which sync wrote them. */
export function namingSync(work: Work, { id }: StoredSync): Work {
  return {
    ...work,
    record: (entry: DomainRecord) => work.record({ ...entry, context: { ...entry.context, syncId: id } }),
  };
}

function emptyEntry({ key }: RawItem, digest: string): LedgerEntry {
  return {
    itemKey: key,
    position: 0,
    entityKey: null,
    blueprintKey: null,
    hash: digest,
    version: null,
    change: 'unchanged',
    replaced: null,
  };
}

interface Progress {
  readonly lines: number;
  readonly empty: readonly LedgerEntry[];
  readonly unchanged: Compared['seen'];
  readonly tried: readonly string[];
  readonly counts: Partial<Counts>;
  readonly progress: Partial<Pick<StoredSync, 'cursor' | 'nextState' | 'isWhole' | 'note'>>;
}

/** Stores what was written, what waits, what is wrong, and how far the sync is. */
async function storeProgress(
  { tx, actor, now }: Work,
  before: StoredSync,
  written: WrittenParts,
  { lines, empty, unchanged, tried, counts, progress }: Progress,
): Promise<IngestedChunk> {
  const { orgId } = actor;
  const room = Math.max(0, waitingMax - before.counts.waiting);
  const waiting = written.waiting.slice(0, room);
  const crowded = written.waiting.slice(room);
  const problems = [...written.problems, ...crowded.map(tooManyWait)];
  const sum = addCounts(addCounts(before.counts, written.counts), {
    ...counts,
    refused: (counts.refused ?? 0) + crowded.length,
    unchanged: unchanged.entities,
    waiting: waiting.length,
    problems: problems.length,
  });
  const sync = { ...before, ...progress, lines, chunks: before.chunks + 1, counts: sum, touchedAt: now };
  await putWaiting(tx, orgId, before.key, waiting.map(toWaiting));
  if (before.sourceKey !== null)
    await putLedger(tx, orgId, before.sourceKey, before.key, [...written.entries, ...empty]);
  await insertChanges(tx, orgId, before.key, [
    ...written.changes,
    ...(before.isPlan ? [...unchanged.keys, ...tried].map(asUnchanged) : []),
  ]);
  await insertProblems(tx, orgId, before.key, problems.slice(0, Math.max(0, problemsMax - before.counts.problems)));
  await updateSync(tx, orgId, sync);
  return { sync, problems, changes: written.changes };
}

function tooManyWait({ part }: WaitingPart): SyncProblem {
  const message = `${waitingMax} items wait for their targets already; send targets before what points at them`;
  const { line, itemKey, blueprint } = part;
  return {
    severity: 'error',
    code: 'limit_reached',
    message,
    line,
    itemKey,
    blueprint,
    identifier: part.body.identifier,
  };
}

export function toWaiting({ part, targets }: WaitingPart) {
  const { line, position, itemKey, blueprint, body } = part;
  return { line, position, itemKey, blueprint, identifier: body.identifier, targets, body };
}

function asUnchanged(itemKey: string): PlannedChangeRow {
  return { itemKey, blueprint: '', identifier: '', change: 'unchanged', before: null, after: null };
}
