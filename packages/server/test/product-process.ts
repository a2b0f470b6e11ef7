import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../../../tools/lib/program-arguments.ts';
import { top } from '../../../tools/lib/source-files.ts';

const startMs = 150_000;

/** The product as a process of its own. */
export interface ProductProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Everything it printed so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'portolan-product-'));
}

/** Starts it and waits until it says where it is. @throws Error with what it printed, if it ends instead */
export async function startProduct(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ProductProcess> {
  const child = spawn(process.execPath, programArguments('server'), {
    cwd: top,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      PORTOLAN_DATA_DIR: dataDir,
      PORTOLAN_LOG_LEVEL: 'warn',
      PORTOLAN_DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error(`it did not start:\n${printed}`)), startMs);
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const address = /running at (http:\S+)/.exec(printed)?.[1];
      if (address) {
        clearTimeout(patience);
        resolve(address);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => reject(new Error(`it ended with ${code}:\n${printed}`)));
  });
  return {
    url,
    child,
    dataDir,
    output: () => printed,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The credentials that a first start keeps in its data folder. */
export async function readCredentials(dataDir: string): Promise<{ clientId: string; clientSecret: string }> {
  const { clientId, clientSecret } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  return { clientId, clientSecret };
}
