import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupFileName, keepNewest, lookIntoFolder, prepareFolder } from './backup-folder.ts';
import { lastDue } from './scheduled-backups.ts';

const hourMs = 3_600_000;

describe('a backup is due', () => {
  test.each([
    ['2026-11-27T02:59:59Z', '2026-11-26T03:00:00Z'],
    ['2026-11-27T03:00:00Z', '2026-11-27T03:00:00Z'],
    ['2026-11-27T23:59:00Z', '2026-11-27T03:00:00Z'],
    ['2027-01-01T00:00:00Z', '2026-12-31T03:00:00Z'],
  ])('daily at three: at %s since %s', (now, since) => {
    expect(lastDue({ atMs: 3 * hourMs }, new Date(now))).toEqual(new Date(since));
  });

  test('every six hours: when the newest is six hours old', () => {
    const now = new Date('2026-11-27T05:00:00Z');
    expect(lastDue({ everyMs: 6 * hourMs }, now)).toEqual(new Date('2026-11-26T23:00:00Z'));
  });
});

describe('the folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-backups-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (name: string): Promise<void> => writeFile(join(folder, name), 'x');

  test('that is not there is empty, and is made', async () => {
    const below = join(folder, 'a/b');
    expect(await lookIntoFolder(below)).toEqual({ newest: undefined, isBusy: false });
    await prepareFolder(below);
    expect(await readdir(below)).toEqual([]);
  });

  test('has the newest whole backup by its name, and other files do not count', async () => {
    for (const name of [
      backupFileName('2026-11-26T03:00:07.123Z'),
      backupFileName('2026-11-27T03:00:07.123Z'),
      'portolan-by-hand.ptb',
      'portolan-20991231T000000Z.ptb.old',
    ]) {
      await put(name);
    }
    const { newest, isBusy } = await lookIntoFolder(folder);
    expect(newest).toEqual(new Date('2026-11-27T03:00:07Z'));
    expect(isBusy).toBe(false);
  });

  test('is busy while another process writes, and not for ever', async () => {
    const part = 'portolan-20261127T030000Z.ptb.part';
    await put(part);
    expect((await lookIntoFolder(folder)).isBusy).toBe(true);
    const longAgo = new Date(Date.now() - hourMs);
    await utimes(join(folder, part), longAgo, longAgo);
    expect((await lookIntoFolder(folder)).isBusy).toBe(false);
    await prepareFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  test('keeps the newest, and everything that is no scheduled backup', async () => {
    const days = ['21', '22', '23', '24'].map((day) => backupFileName(`2026-11-${day}T03:00:00Z`));
    for (const name of [...days, 'portolan-by-hand.ptb', 'notes.txt']) await put(name);
    await mkdir(join(folder, 'older'));
    await keepNewest(folder, 2);
    expect(await readdir(folder)).toEqual([...days.slice(2), 'older', 'portolan-by-hand.ptb', 'notes.txt'].sort());
    await keepNewest(folder, 7);
    expect((await readdir(folder)).length).toBe(5);
  });
});
