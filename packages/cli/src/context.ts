/** Where a command writes to. */
export interface Output {
  write(text: string): void;
  /** Resolves when the reader has taken what was written; for commands that write much. */
  flushed(): Promise<void>;
  readonly isTerminal: boolean;
  /** Whether dim text may be used: a terminal, and no NO_COLOR. */
  readonly hasColor: boolean;
}

/** Everything live that a command stands on; tests hand in their own. */
export interface Context {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly fetch: typeof fetch;
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Calls the listener at Ctrl-C instead of ending, until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** The whole of stdin as text. */
export async function readInput({ input }: Pick<Context, 'input'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
