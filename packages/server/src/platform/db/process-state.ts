import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * When a process was started, as a short mark: together with its pid it names one process for as long as the machine
 * runs. `undefined` where the system does not tell.
 */
export async function startMark(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return (await readStat(pid))?.start;
  if (process.platform === 'win32') return undefined;
  const started = await new Promise<string>((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } }, (_error, stdout) => {
      resolve(stdout.trim());
    });
  });
  const time = Date.parse(started);
  return Number.isNaN(time) ? undefined : String(time);
}

/** Whether the process with this pid and start mark still runs; `alive` in doubt. */
export async function processState(pid: number, start: string): Promise<'alive' | 'dead'> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  // A zombie keeps its pid and does nothing any more.
  if (process.platform === 'linux' && (await readStat(pid))?.isEnded) return 'dead';
  const current = await startMark(pid);
  return current === undefined || start === 'unknown' || current === start ? 'alive' : 'dead';
}

/** Where pids mean the same: one boot of one machine, one pid namespace (container). */
export async function describePlace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()}|${boot.trim()}|${namespace}`;
}

async function readStat(pid: number): Promise<{ isEnded: boolean; start: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The second field is the program's name in brackets and may contain spaces: count from its end.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { isEnded: fields[0] === 'Z' || fields[0] === 'X', start: fields[19] ?? '' };
}
