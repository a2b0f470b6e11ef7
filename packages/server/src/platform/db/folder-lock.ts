import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describePlace, processState, startMark } from './process-state.ts';

/** Another process has the folder open; the message says which and what to do. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

export interface FolderLock {
  /** Releases the folder. Safe to call twice. */
  release(): Promise<void>;
}

/** A lock file. Its name holds the owner, so that it is complete as soon as it exists. */
interface Claim {
  readonly path: string;
  readonly pid: number;
  readonly start: string;
  readonly place: string;
}

const namePattern = /^portolan-(\d+)-([a-z0-9]+)-([0-9a-f]{12})\.lock$/;
const attemptsMax = 20;
const heartbeatMs = 5_000;
/** A holder on another host or in another container counts as dead after this long without renewal. */
const silenceMs = 15_000;
const longSilenceMs = 60_000;

/**
 * Takes the folder for this process, exclusively. Every starter first writes a claim under a name of its own and only
 * then looks for others: of two that race at least one sees the other, and whoever sees a living other steps back and
 * tries again after a random while. A claim of a dead process is removed by whoever finds it; its name never returns,
 * so nothing that lives is removed by mistake.
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const own = await ownClaim(folder);
  let rival = await findRival(folder, own);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (!rival) {
      await createClaim(own);
      rival = await findRival(folder, own);
      if (!rival) return hold(own);
      await rm(own.path, { force: true });
    }
    if (await isHeld(rival)) break;
    await delay(10 + Math.random() * 15 * attempt);
    rival = await findRival(folder, own);
  }
  throw await inUse(folder, rival);
}

async function ownClaim(folder: string): Promise<Claim> {
  const start = (await startMark(process.pid)) ?? 'unknown';
  const place = createHash('sha256')
    .update(await describePlace())
    .digest('hex')
    .slice(0, 12);
  return { path: join(folder, `portolan-${process.pid}-${start}-${place}.lock`), pid: process.pid, start, place };
}

/** An empty claim: its owner is still looking for rivals. The holder's claim has content. */
async function createClaim(own: Claim): Promise<void> {
  try {
    await (await open(own.path, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new FolderInUseError(`This process has the data folder open already (${own.path} exists)`);
  }
}

async function isHeld(claim: Claim): Promise<boolean> {
  return (await readFile(claim.path, 'utf8').catch(() => '')) !== '';
}

async function hold(own: Claim): Promise<FolderLock> {
  await writeFile(own.path, `${JSON.stringify({ pid: own.pid, host: hostname(), since: new Date().toISOString() })}\n`);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(own.path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      await rm(own.path, { force: true });
    },
  };
}

/** A live claim of somebody else, after dead ones were removed. */
async function findRival(folder: string, own: Claim): Promise<Claim | undefined> {
  for (const name of await readdir(folder)) {
    const match = namePattern.exec(name);
    if (!match) continue;
    const [, pid = '', start = '', place = ''] = match;
    const claim: Claim = { path: join(folder, name), pid: Number(pid), start, place };
    if (claim.path === own.path) continue;
    if (await isAlive(claim, own)) return claim;
    await rm(claim.path, { force: true });
  }
  return undefined;
}

async function isAlive(claim: Claim, own: Claim): Promise<boolean> {
  if (claim.place === own.place) return (await processState(claim.pid, claim.start)) === 'alive';
  const first = await lastSign(claim);
  if (first === undefined || Date.now() - first > longSilenceMs) return false;
  for (let waitedMs = 0; waitedMs < silenceMs; waitedMs += 500) {
    await delay(500);
    const sign = await lastSign(claim);
    if (sign === undefined) return false;
    if (sign !== first) return true;
  }
  return false;
}

async function lastSign(claim: Claim): Promise<number | undefined> {
  return stat(claim.path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

async function inUse(folder: string, rival: Claim | undefined): Promise<FolderInUseError> {
  if (!rival) return new FolderInUseError(`Several processes try to open the data folder ${folder} at once; try again`);
  const content = await readFile(rival.path, 'utf8').catch(() => '{}');
  const host = /"host":"([^"]*)"/.exec(content)?.[1] ?? 'this host';
  return new FolderInUseError(
    `The data folder ${folder} is in use by process ${rival.pid} on ${host}. Stop that process, or start this one ` +
      'with another folder in PORTOLAN_DATA_DIR.',
  );
}
