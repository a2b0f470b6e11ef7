import type { ImportAnswerLine } from '@portolan/contract/imports';
import type { Actor } from '../../../platform/actor.ts';
import { readLines } from '../../../platform/http/read-lines.ts';
import type { RequestInfo } from '../../../platform/http/route.ts';
import { type Chunk, type IngestedChunk, ingestChunk } from '../ingest/ingest-chunk.ts';
import type { RawItem } from '../ingest/ingest-item.ts';
import { settleWaiting } from '../ingest/settle-waiting.ts';
import type { StoredSync, SyncProblem } from '../ingest/sync.ts';
import type { PlannedChangeRow } from '../ingest/waiting.store.ts';
import { endImport } from './end-import.ts';
import type { ImportsDeps } from './imports.deps.ts';
import { presentProblem } from './present-import.ts';
import { type LineOptions, lineBytesMax, type PlacedLine, readImportLine } from './read-import-line.ts';
import { type OpenedTable, readTableLines } from './table-import.ts';

type Bytes = AsyncIterable<Buffer>;

/** Lines of a chunk, and the bytes after which it ends earlier. */
const chunkMax = { lines: 500, bytes: 1024 * 1024 } as const;
/** Changes of a plan that are told. */
const changesMax = 1_000;
/** A credential that ends is noticed after this time. */
const readmitMs = 30_000;

/** JSON lines, or the rows of a table. */
export type ImportBody = { readonly lines: Bytes } | { readonly rows: OpenedTable['rows'] };

export interface ImportRun {
  readonly sync: StoredSync;
  readonly body: ImportBody;
  /** More requests follow. */
  readonly isOpenEnded: boolean;
  readonly readmit: RequestInfo['readmit'];
}

/**
 * Stores the lines of a body as they arrive, and tells of each chunk once it is stored. The next chunk is read while one
 * is being stored, and no further.
 */
export async function* runImport(
  deps: ImportsDeps,
  first: Actor,
  { sync: begun, body, isOpenEnded, readmit }: ImportRun,
): AsyncGenerator<readonly ImportAnswerLine[]> {
  yield [{ import: begun.id, lines: begun.lines }];
  let sync = begun;
  let told = 0;
  const admitted = createAdmittance(first, readmit);
  const tell = (changes: readonly PlannedChangeRow[]): ImportAnswerLine[] => {
    const shown = changes.filter(({ change }) => change !== 'unchanged').slice(0, Math.max(0, changesMax - told));
    told += shown.length;
    return shown.map(toChangeLine);
  };
  const store = async (chunk: Chunk): Promise<IngestedChunk> => {
    const actor = await admitted();
    const leave = await deps.takePlace(actor.orgId);
    try {
      return await ingestChunk(deps, actor, begun.key, chunk);
    } finally {
      leave();
    }
  };
  const isStopped = (): boolean => sync.options.onError === 'stop' && sync.counts.refused > 0;
  for await (const { problems, changes, ...stored } of inTurn(readChunks(deps, first, begun, body), store)) {
    sync = stored.sync;
    yield [...problems.map(presentProblem), ...tell(changes), toProgress(sync)];
    if (isStopped()) break;
  }
  if (isOpenEnded && !isStopped()) return;
  for await (const { problems, changes, ...settled } of settleWaiting(deps, await admitted(), sync)) {
    sync = settled.sync;
    yield [...problems.map(presentProblem), ...tell(changes)];
  }
  yield [await endImport(deps, await admitted(), begun.key, isStopped() ? 'failed' : 'completed')];
}

/** The actor, looked up again now and then. @throws AppError once the credential has ended */
function createAdmittance(first: Actor, readmit: RequestInfo['readmit']): () => Promise<Actor> {
  let actor = first;
  let askedMs = performance.now();
  return async () => {
    if (performance.now() - askedMs > readmitMs) {
      actor = { ...(await readmit()), givesWay: true };
      askedMs = performance.now();
    }
    return actor;
  };
}

/** Handles values one after another, and reads the next one meanwhile. */
async function* inTurn<Value, Result>(
  values: AsyncGenerator<Value>,
  handle: (value: Value) => Promise<Result>,
): AsyncGenerator<Result> {
  let handled: Promise<Result> | undefined;
  for await (const value of values) {
    const previous = handled;
    if (previous) yield await previous;
    handled = handle(value);
    // read on while it is stored; its failure is met at the next turn
    handled.catch(() => undefined);
  }
  if (handled) yield await handled;
}

async function* readChunks(deps: ImportsDeps, actor: Actor, sync: StoredSync, body: ImportBody): AsyncGenerator<Chunk> {
  const options = {
    blueprint: sync.options.blueprint,
    mask: (value: unknown) => actor.opened?.mask(value) ?? value,
  };
  const batches =
    'lines' in body
      ? readJsonLines(body.lines, sync.lines, options)
      : readTableLines(deps, actor, { sync, rows: body.rows }, options);
  let after = sync.lines;
  let line = after;
  let bytes = 0;
  let items: RawItem[] = [];
  let problems: SyncProblem[] = [];
  const take = (): Chunk => {
    const chunk = { after, lines: line, items, problems };
    after = line;
    bytes = 0;
    items = [];
    problems = [];
    return chunk;
  };
  for await (const batch of batches) {
    for (const { lastLine, read, size } of batch) {
      line = lastLine;
      if (read && 'read' in read) items.push(read);
      else if (read) problems.push(read);
      bytes += size;
      if (line - after >= chunkMax.lines || bytes >= chunkMax.bytes) yield take();
    }
  }
  if (line > after) yield take();
}

async function* readJsonLines(body: Bytes, after: number, options: LineOptions): AsyncGenerator<readonly PlacedLine[]> {
  let line = after;
  for await (const lines of readLines(body, lineBytesMax)) {
    yield lines.map((each) => {
      line += 1;
      return { lastLine: line, read: readImportLine(line, each, options), size: each.text?.length ?? 0 };
    });
  }
}

function toChangeLine({ line = 0, blueprint, identifier, change, before, after }: PlannedChangeRow): ImportAnswerLine {
  return {
    line,
    blueprint,
    identifier,
    change: change === 'created' ? 'created' : 'changed',
    ...(before ? { before: before as never } : {}),
    after: (after ?? {}) as never,
  };
}

function toProgress({ chunks, lines, counts }: StoredSync): ImportAnswerLine {
  const { created, changed, unchanged, refused, waiting } = counts;
  return { chunk: chunks, line: lines, created, changed, unchanged, refused, waiting };
}
