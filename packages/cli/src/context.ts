export interface Output {
  write(text: string): void;
  writeBytes(bytes: Uint8Array): void;
  /** Resolves when the reader has consumed the output; for commands that write a lot. */
  flushed(): Promise<void>;
  readonly isTerminal: boolean;
  /** Whether to use dim text: a terminal without NO_COLOR. */
  readonly hasColor: boolean;
}

/** Programs of the server for its database: for one that no server has open, and for one that may be in use. */
export type DatabaseProgram = 'backup' | 'distribute' | 'move' | 'upgrade';

/** All dependencies of a command; tests pass their own. */
export interface Context {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly fetch: typeof fetch;
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Calls the listener on Ctrl-C instead of exiting, until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly wait: (ms: number) => Promise<void>;
  /** Turns this process into the server, with these settings on top of the environment. */
  readonly startServer: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /**
   * Runs a program of the server that works on a database, unless told the one for databases which no server has open, with
   * this process's input and output. Answers its exit code.
   */
  readonly runOnDatabase: (
    given: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
    program?: DatabaseProgram,
  ) => Promise<number>;
}

/** Reads stdin to its end as text. */
export async function readInput({ input }: Pick<Context, 'input'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The lines of stdin as they come; the last one counts without its line break too. */
export async function* readLines({ input }: Pick<Context, 'input'>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input()) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
