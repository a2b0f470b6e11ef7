import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The server under test has this core for itself; everything else runs on the other. */
export const serverCore = 0;
export const loadCore = 1;

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/** Debian's util-linux; elsewhere nothing is pinned. */
const pinProgram = 'taskset';

/** A process that was started for the run. */
export interface StartedProcess {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly readyMs: number;
  /** CPU time of all its threads since it started, in milliseconds. */
  cpuMs(): Promise<number>;
  rssMb(): Promise<number>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly core: number;
  /** Answers with a status below 500 once the process serves. */
  readonly probe: string;
  /** What it writes goes here. */
  readonly logFile: string;
}

/** Whether processes can be pinned here; without it the figures are noisier. */
export function canPin(): boolean {
  try {
    execFileSync(pinProgram, ['-cp', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Pins this process; what it starts later inherits the cores. */
export function pinSelf(...cores: readonly number[]): void {
  execFileSync(pinProgram, ['-acp', cores.join(','), String(process.pid)], { stdio: 'ignore' });
}

/** Starts `node` with arguments on a core, and waits for its first answer. */
export async function startNode({ args, env, core, probe, logFile }: StartOptions): Promise<StartedProcess> {
  const port = await freePort();
  const command = canPin() ? [pinProgram, '-c', String(core), process.execPath] : [process.execPath];
  const log = createWriteStream(logFile, { flags: 'a' });
  const startedAt = performance.now();
  const child = spawn(command[0]!, [...command.slice(1), ...args], {
    // the setting as `npm start` and the image have it, for all contenders alike
    env: { MALLOC_TRIM_THRESHOLD_: '131072', ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stopAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', stopAtExit);
  await untilServing(child, `http://127.0.0.1:${port}${probe}`, logFile);
  const pid = child.pid ?? 0;
  return {
    port,
    pid,
    readyMs: performance.now() - startedAt,
    cpuMs: async () => {
      const fields = await readStat(pid);
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
    },
    rssMb: async () => (Number((await readStat(pid))[21]) * pageBytes) / 1e6,
    async stop() {
      process.off('exit', stopAtExit);
      await end(child);
    },
  };
}

/** `/proc/<pid>/stat` after the name, which may hold blanks: field 0 is the state. */
async function readStat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

async function untilServing(child: ChildProcess, url: string, logFile: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) break;
    const status = await fetch(url).then(
      (response) => response.status,
      () => 599,
    );
    if (status < 500) return;
    await sleep(5);
  }
  throw new Error(`A process did not serve ${url}; see ${logFile}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await exited;
  clearTimeout(patience);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
