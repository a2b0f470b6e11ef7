import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../../../tools/lib/program-arguments.ts';

/** A server of the product with the demo organization, in a process and a data folder of its own. */
export interface ServerProcess {
  readonly address: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

const startMsMax = 60_000;

export async function startServer(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-cli-'));
  const child = spawn(process.execPath, programArguments('server'), {
    env: {
      ...surroundings(),
      PORT: '0',
      PORTOLAN_DATA_DIR: dataDir,
      PORTOLAN_DEMO: '1',
      PORTOLAN_LOG_LEVEL: 'fatal',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { address: await readAddress(child), dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address that the welcome names. */
function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (): void => reject(new Error(`The server did not start:\n${text}`));
    const patience = setTimeout(fail, startMsMax);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const address = /running at (http:\S+)/.exec(text)?.[1];
      if (!address) return;
      clearTimeout(patience);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', fail);
  });
}

export interface EndedProcess {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `portolan` as a process. */
export async function portolan(given: readonly string[], environment: Record<string, string>): Promise<EndedProcess> {
  const child = spawn(process.execPath, [...programArguments('cli'), ...given], {
    env: { ...surroundings(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    read.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    read.err += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...read };
}

/** What whoever runs the tests has set must not decide what they see. */
function surroundings(): NodeJS.ProcessEnv {
  const all = { ...process.env };
  const foreign = /^(PORTOLAN_|DATABASE_URL$|PORT$|HOST$|OPENAI_API_KEY$|ANTHROPIC_API_KEY$|NODE_OPTIONS$|VITEST)/;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !foreign.test(name)));
}

/**
 * Stands between client and server, and cuts the connection the first time each of the texts passes: what comes after
 * it never arrives.
 */
export async function startCuttingProxy(
  target: string,
  texts: readonly string[],
): Promise<{ readonly address: string; readonly cuts: () => number; stop(): Promise<void> }> {
  const waiting = [...texts];
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const proxy = createServer((client) => {
    const server = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      const [text] = waiting;
      const at = text === undefined ? -1 : chunk.indexOf(text);
      if (at < 0) {
        client.write(chunk);
        return;
      }
      waiting.shift();
      client.end(chunk.subarray(0, at));
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: own } = proxy.address() as { port: number };
  return {
    address: `http://127.0.0.1:${own}`,
    cuts: () => texts.length - waiting.length,
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
