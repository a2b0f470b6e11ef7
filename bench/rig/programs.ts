import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createRunner, findPrograms, type Runner } from '../../packages/server/test/database-server.ts';

const run = promisify(execFile);

/** Where Debian's packages put the programs, and which package it is. */
const packaged = {
  patroni: { path: '/usr/bin/patroni', package: 'patroni' },
  etcd: { path: '/usr/bin/etcd', package: 'etcd-server' },
  haproxy: { path: '/usr/sbin/haproxy', package: 'haproxy' },
  pgbouncer: { path: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
} as const;

export type ProgramName = keyof typeof packaged;

/** Starts programs of others in one folder, as somebody that PostgreSQL accepts. */
export interface Programs {
  /** The folder with `postgres` and `initdb`. */
  readonly postgresFolder: string;
  path(name: ProgramName): string;
  version(name: ProgramName): Promise<string>;
  /** Whom files have to belong to; undefined for ourselves. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  start(name: ProgramName, args: readonly string[]): ChildProcess;
}

/** `given` paths win over those of packages. @throws Error that names each missing package */
export async function findAll(
  names: readonly ProgramName[],
  given: Readonly<Partial<Record<ProgramName, string>>>,
  folder: string,
): Promise<Programs> {
  const path = (name: ProgramName): string => given[name] ?? packaged[name].path;
  const missing = names.filter((name) => !existsSync(path(name)));
  if (missing.length > 0) {
    const packages = missing.map((name) => packaged[name].package).join(' ');
    throw new Error(
      `The rig needs ${missing.join(', ')}: apt-get install -y --no-install-recommends ${packages}, or give its path with --${missing[0]}`,
    );
  }
  const runner: Runner = await createRunner();
  const { uid, gid } = runner;
  const owner = uid === undefined || gid === undefined ? undefined : { uid, gid };
  return {
    // links to some of the programs are not enough for Patroni
    postgresFolder: dirname(await realpath(join(await findPrograms(), 'postgres'))),
    path,
    owner,
    async version(name) {
      const { stdout, stderr } = await run(path(name), [name === 'haproxy' ? '-v' : '--version']);
      return /\d+\.\d+\.\d+/.exec(stdout || stderr)?.[0] ?? 'unknown';
    },
    start(name, args) {
      const log = openSync(join(folder, 'log'), 'a');
      const child = spawn(path(name), [...args], { ...owner, cwd: folder, stdio: ['ignore', log, log] });
      process.once('exit', () => void child.kill('SIGKILL'));
      return child;
    },
  };
}

/** The postmaster of a data folder and its children; none if it does not run. */
export function serverProcesses(dataFolder: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [postmaster, ...all.map(Number).filter((pid) => parentOf(pid) === postmaster)];
}

/** Processes that are gone already are no failure. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
