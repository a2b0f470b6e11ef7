import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';

const hourMs = 3_600_000;
let parent: string;
let folder: string;
let app: TestApp;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'portolan-scheduled-'));
  folder = join(parent, 'backups');
  // the clock of the tests begins at nine
  app = await createTestApp({ backups: { folder, keep: 2, schedule: { atMs: 3 * hourMs } } });
});

afterEach(async () => {
  await app.close();
  await rm(parent, { recursive: true, force: true });
});

/** The schedules come round. */
async function minutePasses(ms = 60_000) {
  app.clock.advance(ms);
  return app.app.jobs.drain();
}
const age = async (): Promise<string | undefined> =>
  /^portolan_backup_age_seconds (\S+)$/m.exec((await app.app.http.inject('/metrics')).body)?.[1];

test('the first is taken at once and is whole, the next when its time comes, and so many are kept', async () => {
  await app.app.jobs.drain();
  expect(await age()).toBe('0');
  await minutePasses();
  const [first = ''] = await readdir(folder);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^portolan-20260115T0901\d\dZ\.ptb$/)]);
  const lines = gunzipSync(await readFile(join(folder, first)))
    .toString()
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: true });
  await minutePasses();
  await minutePasses(10 * hourMs);
  expect(await readdir(folder)).toEqual([first]);
  expect(Number(await age())).toBeGreaterThan(10 * 3_600);

  await minutePasses(8 * hourMs);
  expect(await readdir(folder)).toHaveLength(2);
  expect(Number(await age())).toBeLessThan(3_600);
  await minutePasses(24 * hourMs);
  const kept = await readdir(folder);
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(first);
});

test('one that fails leaves nothing behind, is told, and is tried again later', async () => {
  await app.app.jobs.drain();
  // a file where the folder should be
  await writeFile(folder, '');
  expect((await minutePasses()).dead).toBe(1);
  await rm(folder);
  expect((await minutePasses()).dead).toBe(0);
  expect(await readdir(parent)).toEqual([]);
  await minutePasses(20 * 60_000);
  expect(await readdir(folder)).toHaveLength(1);
});

test('whoever may read the machine may not read the backups', async () => {
  await app.app.jobs.drain();
  await minutePasses();
  const [name = ''] = await readdir(folder);
  for (const path of [folder, join(folder, name)]) expect((await stat(path)).mode & 0o077).toBe(0);
});
