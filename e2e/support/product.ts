import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** The built product, running on a data folder. */
export interface Product {
  readonly address: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string; readonly operatorToken: string };
  /** The administrator who signs in to the portal. */
  readonly person: { readonly email: string; readonly password: string };
  /** What it has printed so far. */
  output(): string;
  /** Ends it as an operator would. @throws Error when it does not end well */
  stop(): Promise<void>;
}

const entry = join(import.meta.dirname, '../../packages/server/dist/main.js');
const readyWithinMs = 90_000;
const stopWithinMs = 12_000;

const credentials = {
  clientId: 'journeys',
  clientSecret: 'a-secret-of-the-journeys',
  operatorToken: 'the-operator-token-of-the-journeys',
};
const person = { email: 'journeys@portolan.example', password: 'a password of the journeys' };

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder that a first start has filled with the demo organization. */
    filledFolder: string;
  }
}

/**
 * Starts the product on a free port and a folder of its own, with nothing of this machine's settings but those that are
 * given. With the demo it starts for the second time: filling the demo takes longer than many a journey.
 */
export async function startProduct(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-e2e-'));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    if (settings['PORTOLAN_DEMO'] === undefined) await cp(inject('filledFolder'), dataDir, { recursive: true });
    const product = await startOn(dataDir, settings);
    const stop = async (): Promise<void> => {
      try {
        await product.stop();
      } finally {
        await remove();
      }
    };
    return { ...product, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Starts the product on a folder, which stays when it ends. */
export async function startOn(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  if (!existsSync(entry)) throw new Error('The product is not built. Run `npm run build` first.');
  const child = spawn(process.execPath, [entry], {
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      PORT: '0',
      PORTOLAN_DATA_DIR: dataDir,
      PORTOLAN_CLIENT_ID: credentials.clientId,
      PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
      PORTOLAN_OPERATOR_TOKEN: credentials.operatorToken,
      PORTOLAN_ADMIN_EMAIL: person.email,
      PORTOLAN_ADMIN_PASSWORD: person.password,
      PORTOLAN_DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const address = await printedAddress(child, () => output);
    return {
      address,
      credentials,
      person,
      output: () => output,
      async stop() {
        const code = await end(child);
        if (code !== 0) throw new Error(`The product ended with ${code} after SIGTERM:\n${output}`);
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** The address that the product prints once it serves. */
function printedAddress(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${what}:\n${output()}`));
    const timer = setTimeout(() => fail(`The product was not ready in ${readyWithinMs} ms`), readyWithinMs);
    const look = (): void => {
      const address = /running at (http:\/\/\S+)/.exec(output())?.[1];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`The product ended with ${code} before it was ready`);
    });
  });
}

async function end(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null) return child.exitCode;
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, string | null];
  clearTimeout(timer);
  return code ?? signal;
}
