/** What a request of an import asks for; the names are the wire's. */
export interface ImportQuery {
  readonly mode?: 'merge' | 'replace' | 'create';
  readonly missing_targets?: 'refuse' | 'create' | 'omit';
  readonly source?: string;
  readonly dry_run?: boolean;
}

/** What differs from request to request of one import. */
export interface ImportPart extends ImportQuery {
  readonly import?: string;
  readonly after?: number;
  readonly more: boolean;
}

export interface WireCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly waiting: number;
}

export interface WireProblem {
  readonly line: number;
  readonly message: string;
  readonly path?: string | undefined;
  readonly identifier?: string | undefined;
}

export interface WireChange {
  readonly line: number;
  readonly identifier: string;
  readonly change: 'created' | 'changed';
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>>;
}

/** The server as an import needs it; the portal and the command line bring their own. */
export interface ImportServer {
  /** Sends JSON lines and answers the JSON lines of the answer. */
  send(part: ImportPart, lines: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  read(id: string): Promise<{ readonly lines: number; readonly status: string; readonly counts: WireCounts }>;
  /** The refused lines after one, in their order, as many as the server tells at once. */
  listProblems(id: string, after: number): Promise<readonly WireProblem[]>;
  cancel(id: string): Promise<unknown>;
  /** Whether the same request may succeed later: no connection, or a server that is busy. */
  isPassing(error: unknown): boolean;
  wait(milliseconds: number): Promise<void>;
}

/**
 * Whether an error answer may pass: a busy server, or one that still stores what a broken connection had sent, so that
 * the import is further than it was when it was read.
 */
export function isPassingAnswer(status: number, code: string | undefined): boolean {
  return [429, 502, 503, 504].includes(status) || code === 'import_out_of_step';
}

type AnswerLine =
  | { readonly kind: 'begun'; readonly import: string; readonly lines: number }
  | ({ readonly kind: 'progress'; readonly line: number } & WireCounts)
  | ({ readonly kind: 'problem' } & WireProblem)
  | ({ readonly kind: 'change' } & WireChange)
  | ({ readonly kind: 'done'; readonly status: string; readonly lines: number; readonly missing: number } & WireCounts)
  | { readonly kind: 'failed'; readonly error: string; readonly message: string }
  | { readonly kind: 'unknown' };

/** Reads the lines of an answer as they come. A last line that is cut off is left out: what it said is asked for again. */
export async function* readAnswer(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerLine> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield readLine(line);
  }
}

function readLine(text: string): AnswerLine {
  const line = JSON.parse(text) as Record<string, unknown>;
  const kind = kindOf(line);
  return { ...line, kind } as AnswerLine;
}

function kindOf(line: Readonly<Record<string, unknown>>): AnswerLine['kind'] {
  if (line['done'] === true) return 'done';
  if ('chunk' in line) return 'progress';
  if ('change' in line) return 'change';
  if ('error' in line) return 'line' in line ? 'problem' : 'failed';
  return 'import' in line ? 'begun' : 'unknown';
}
