import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

const run = promisify(execFile);
const timeoutMs = 10 * 60_000;

/** Whether a word names a repository rather than a folder or a running Backstage. */
export function isRepository(word: string): boolean {
  if (/^(git|ssh|git\+ssh):\/\/|^[\w.-]+@[\w.-]+:/.test(word)) return true;
  return /^(https?|file):\/\//.test(word) && /\.git\/?$/.test(word);
}

/**
 * Runs `read` on the newest commit of the default branch, with git's own credentials and without links, and removes the
 * copy. @throws CliError `repository_not_read`
 */
export async function withClone<T>(address: string, read: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-backstage-'));
  try {
    const options = ['-c', 'core.symlinks=false', '-c', 'protocol.ext.allow=never', '-c', 'core.hooksPath=/dev/null'];
    const words = [...options, 'clone', '--quiet', '--depth', '1', '--no-tags', '--', address, folder];
    await run('git', words, { timeout: timeoutMs, env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const { stderr = '', code } = error as { stderr?: string; code?: unknown };
    const why = code === 'ENOENT' ? 'git is not installed' : (stderr.trim().split('\n').at(-1) ?? 'git failed');
    const message = withoutCredentials(`${address} cannot be cloned: ${why}`);
    throw new CliError(exitCodes.failed, 'repository_not_read', message);
  }
  try {
    return await read(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Hides a password in addresses, which logs of pipelines would keep; git repeats the address that it was given. */
function withoutCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^/\s@]*@/g, '://***@');
}
