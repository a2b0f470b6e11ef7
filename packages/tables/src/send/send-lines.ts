import { TableError } from '../table.ts';
import {
  type ImportQuery,
  type ImportServer,
  isPassingAnswer,
  readAnswer,
  type WireChange,
  type WireCounts,
  type WireProblem,
} from './import-wire.ts';

export interface SentImport extends WireCounts {
  readonly import: string;
  /** `completed`, unless the server ended it otherwise. */
  readonly status: string;
  /** With a source, entities that it brought before and not this time; null if the answer was lost. */
  readonly missing: number | null;
}

export interface SendListeners {
  onProgress(lines: number, counts: WireCounts): void;
  onProblem(problem: WireProblem): void;
  onChange(change: WireChange): void;
}

const attemptsMax = 6;
const firstWaitMs = 500;

/**
 * Sends an import in requests of one part each, so that a connection that breaks costs one part and a browser can do it.
 * The import is opened without lines: its number is known before anything is written, and every later request can go on
 * where the server stands. Ends it with `cancel` when the signal is given.
 * @throws TableError if the server ended the import
 */
export async function sendLines(
  server: ImportServer,
  parts: AsyncIterable<readonly string[]>,
  query: ImportQuery,
  listeners: SendListeners,
  signal: AbortSignal,
): Promise<SentImport> {
  const { import: id } = await insist(server, signal, () =>
    sendPart(server, query, undefined, [], true, listeners, signal),
  );
  let at = 0;
  let done: Done | undefined;
  try {
    for await (const { part, isLast } of withLast(parts)) {
      signal.throwIfAborted();
      done = await sendResumed(server, query, { id, after: at }, part, !isLast, listeners, signal);
      at += part.length;
    }
    if (!done) throw new TypeError('an import has a last part, if an empty one');
    return { ...done, import: id };
  } catch (error) {
    if (!isEnded(done)) await server.cancel(id).catch(() => undefined);
    throw error;
  }
}

interface Done extends WireCounts {
  readonly status: string;
  readonly missing: number | null;
}

interface Place {
  readonly id: string;
  readonly after: number;
}

function isEnded(done: Done | undefined): boolean {
  return done !== undefined && done.status !== 'open';
}

/** Sends a part until the server has all of it: after a break, from the line that the server counted last. */
async function sendResumed(
  server: ImportServer,
  query: ImportQuery,
  place: Place,
  part: readonly string[],
  more: boolean,
  listeners: SendListeners,
  signal: AbortSignal,
): Promise<Done> {
  const end = place.after + part.length;
  let after = place.after;
  let isRepeated = false;
  return insist(server, signal, async (patience) => {
    if (isRepeated) {
      const stored = await server.read(place.id);
      // problems come with the answer, which broke off; the last one tells those of earlier lines too
      await tellProblems(server, place.id, { after: more ? place.after : 0, to: stored.lines }, listeners);
      if (stored.status === 'completed') return { ...stored.counts, status: stored.status, missing: null };
      if (stored.status !== 'open') throw new TableError(endedText(stored.status));
      // it still stores what it had received whole: that is progress, and no failure
      if (stored.lines > after) patience.failures = 0;
      after = Math.min(Math.max(stored.lines, after), end);
    }
    isRepeated = true;
    const rest = part.slice(after - place.after);
    const { done } = await sendPart(server, query, { id: place.id, after }, rest, more, listeners, signal);
    return done;
  });
}

async function tellProblems(
  server: ImportServer,
  id: string,
  { after, to }: { after: number; to: number },
  { onProblem }: SendListeners,
): Promise<void> {
  for (let last = after; last < to; ) {
    const problems = await server.listProblems(id, last);
    for (const problem of problems) onProblem(problem);
    const next = problems.at(-1)?.line ?? to;
    if (next <= last) return;
    last = next;
  }
}

/** One request. @throws BrokenAnswer if the answer ends before all lines are counted */
async function sendPart(
  server: ImportServer,
  query: ImportQuery,
  place: Place | undefined,
  lines: readonly string[],
  more: boolean,
  listeners: SendListeners,
  signal: AbortSignal,
): Promise<{ import: string; done: Done }> {
  const body = lines.map((line) => `${line}\n`).join('');
  const asked = { ...query, ...(place ? { import: place.id, after: place.after } : {}), more };
  const end = (place?.after ?? 0) + lines.length;
  let id = place?.id;
  let done: Done | undefined = lines.length === 0 && more ? { ...noCounts, status: 'open', missing: null } : undefined;
  for await (const line of readAnswer(await server.send(asked, body, signal))) {
    if (line.kind === 'begun') id = line.import;
    else if (line.kind === 'progress') {
      listeners.onProgress(line.line, line);
      // an import that stays open has no last line
      if (more && line.line === end) done = { ...countsOf(line), status: 'open', missing: null };
    } else if (line.kind === 'problem') listeners.onProblem(line);
    else if (line.kind === 'change') listeners.onChange(line);
    else if (line.kind === 'failed')
      throw isPassingAnswer(200, line.error) ? new BrokenAnswer() : new TableError(line.message);
    else if (line.kind === 'done') {
      if (line.status !== 'open' && line.status !== 'completed') throw new TableError(endedText(line.status));
      listeners.onProgress(line.lines, line);
      done = { ...countsOf(line), status: line.status, missing: line.missing };
    }
  }
  if (!done || id === undefined) throw new BrokenAnswer();
  return { import: id, done };
}

const noCounts: WireCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 };

function countsOf({ created, changed, unchanged, refused, waiting }: WireCounts): WireCounts {
  return { created, changed, unchanged, refused, waiting };
}

class BrokenAnswer extends Error {}

function endedText(status: string): string {
  return status === 'cancelled'
    ? 'The import was cancelled. What was stored before stays.'
    : `The import ended as ${status}. What was stored before stays; import the file again to go on.`;
}

/** How often it failed in a row. */
interface Patience {
  failures: number;
}

/** Tries again while the failure is of a kind that passes, with longer and longer pauses. */
async function insist<Answer>(
  server: ImportServer,
  signal: AbortSignal,
  attempt: (patience: Patience) => Promise<Answer>,
): Promise<Answer> {
  const patience: Patience = { failures: 0 };
  for (;;) {
    try {
      return await attempt(patience);
    } catch (error) {
      patience.failures++;
      const isPassing = error instanceof BrokenAnswer || server.isPassing(error);
      if (signal.aborted || !isPassing || patience.failures >= attemptsMax) {
        throw error instanceof BrokenAnswer
          ? new TableError('The server broke off its answer. Import the file again.')
          : error;
      }
      await server.wait(firstWaitMs * 2 ** (patience.failures - 1));
    }
  }
}

/** Knows one part ahead which is the last; an empty sequence has one empty part. */
async function* withLast(parts: AsyncIterable<readonly string[]>) {
  let held: readonly string[] = [];
  let isHolding = false;
  for await (const part of parts) {
    if (isHolding) yield { part: held, isLast: false };
    held = part;
    isHolding = true;
  }
  yield { part: held, isLast: true };
}
