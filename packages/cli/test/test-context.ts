import type { Context, Output } from '../src/context.ts';

/** A context that writes to memory, and what it was handed. */
export interface TestContext {
  readonly context: Context;
  readonly out: () => string;
  readonly err: () => string;
  /** Presses Ctrl-C. */
  readonly interrupt: () => void;
  /** How long the command waited, each time. */
  readonly waits: readonly number[];
  /** The settings of every start of the server. */
  readonly starts: readonly Readonly<Record<string, string>>[];
  /** What the program that works on databases was given, each time; the address of a server last. */
  readonly ran: readonly (readonly string[])[];
}

export interface TestContextOptions {
  readonly fetch?: typeof fetch;
  readonly environment?: Context['environment'];
  readonly workingDirectory?: string;
  readonly input?: string;
  readonly isTerminal?: boolean;
  /** The exit code of the program that works on databases; 0 unless told. */
  readonly ends?: number;
}

/** Credentials that a scripted server takes, so that no data folder is needed. */
export const testEnvironment = {
  PORTOLAN_URL: 'http://127.0.0.1:3000',
  PORTOLAN_CLIENT_ID: 'client',
  PORTOLAN_CLIENT_SECRET: 'secret',
  PORTOLAN_OPERATOR_TOKEN: 'operator',
};

export function createTestContext(options: TestContextOptions = {}): TestContext {
  const written = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const waits: number[] = [];
  const starts: Readonly<Record<string, string>>[] = [];
  const ran: (readonly string[])[] = [];
  const outputOf = (name: 'out' | 'err'): Output => ({
    write: (text) => {
      written[name] += text;
    },
    writeBytes: (bytes) => {
      written[name] += Buffer.from(bytes).toString('latin1');
    },
    flushed: async () => {},
    isTerminal: options.isTerminal ?? false,
    hasColor: false,
  });
  const context: Context = {
    out: outputOf('out'),
    err: outputOf('err'),
    environment: options.environment ?? testEnvironment,
    workingDirectory: options.workingDirectory ?? '/nowhere',
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))),
    input: async function* () {
      yield new TextEncoder().encode(options.input ?? '');
    },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    wait: async (ms) => void waits.push(ms),
    startServer: async (settings) => void starts.push(settings),
    runOnDatabase: async (given, { DATABASE_URL }) => {
      ran.push(DATABASE_URL === undefined ? given : [...given, DATABASE_URL]);
      return options.ends ?? 0;
    },
  };
  return {
    context,
    out: () => written.out,
    err: () => written.err,
    interrupt: () => {
      for (const listener of [...listeners]) listener();
    },
    waits,
    starts,
    ran,
  };
}
