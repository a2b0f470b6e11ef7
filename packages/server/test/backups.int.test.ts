import { gunzipSync, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planRestore } from '../src/modules/backups/index.ts';
import { openBackup } from '../src/modules/backups/open-backup.ts';
import {
  backUp,
  emptyDatabase,
  emptyFolder,
  emptyPlace,
  linesOf,
  migrationsFolder,
  type RestoreTarget,
  takenAt,
} from './backup-world.ts';
import { createTestDatabase, onlyOn, type TestDatabase } from './database.ts';
import { fillEveryTable } from './fill-every-table.ts';

let filled: TestDatabase;
let targets: RestoreTarget[];
beforeEach(async () => {
  targets = [];
  filled = await createTestDatabase();
});
afterEach(async () => {
  for (const target of targets) await target.drop();
  await filled.drop();
});

const inNew = async (make: () => Promise<RestoreTarget> = emptyPlace): Promise<RestoreTarget> => {
  const target = await make();
  targets.push(target);
  return target;
};

/** A backup with one of its lines changed. */
const edited = (bytes: Buffer, edit: (lines: string[]) => string[]): Buffer =>
  gzipSync(edit(gunzipSync(bytes).toString('utf8').split('\n')).join('\n'));

test('every table of the database is in a backup, with its rows', async () => {
  const tables = await fillEveryTable(filled.database);
  const bytes = await backUp(filled.engine);
  const said = linesOf(bytes).map((line) => JSON.parse(line));
  expect(said.filter(({ columns }) => columns).map(({ table }) => table).sort()).toEqual(tables);
  expect(said.filter(({ rows }) => rows === 0)).toEqual([]);
});

test('a restored database is backed up to the same lines, and its keys go on', async () => {
  await fillEveryTable(filled.database);
  const bytes = await backUp(filled.engine);
  const target = await inNew();
  const { rows } = await target.restore(bytes);
  expect(rows).toBeGreaterThan(200);
  const { engine, database } = await target.open();
  expect(linesOf(await backUp(engine))).toEqual(linesOf(bytes));
  const { key } = (await database.transaction((tx) =>
    tx.first<{ key: number }>(sql`
      insert into blueprints (org_id, identifier, definition, created_at, created_by, updated_at, updated_by)
      values ('org 0', 'next', '{}', now(), 'x', now(), 'x') returning key`),
  )) as { key: number };
  expect(key).toBe(4);
});

onlyOn('postgres', 'there both engines can be had', () => {
  test('rows go from a server to the embedded engine and back, equal to the byte', async () => {
    await fillEveryTable(filled.database);
    const bytes = await backUp(filled.engine);
    const folder = await inNew(emptyFolder);
    await folder.restore(bytes);
    const embedded = await folder.open();
    const there = await backUp(embedded.engine);
    expect(linesOf(there)).toEqual(linesOf(bytes));
    const server = await inNew(emptyDatabase);
    await server.restore(there);
    expect(linesOf(await backUp((await server.open()).engine))).toEqual(linesOf(bytes));
  });
});

test('a backup shows the moment at which it began, whatever is written while it is read', async () => {
  const before = linesOf(await backUp(filled.engine));
  const backup = await openBackup(filled.engine, takenAt);
  try {
    await fillEveryTable(filled.database);
    let text = '';
    for await (const part of backup.lines) text += part;
    const rowsIn = (lines: string[]) => lines.filter((line) => line.startsWith('['));
    expect(rowsIn(text.split('\n'))).toEqual(rowsIn(before));
  } finally {
    await backup.close();
  }
});

describe('what is no whole backup restores nothing', () => {
  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['an empty file', () => Buffer.alloc(0), /empty/],
    ['another file', () => Buffer.from('PK\u0003\u0004 something\n'), /no backup of Portolan/],
    ['a file cut in its packing', (bytes) => bytes.subarray(0, bytes.length - 40), /cut short/],
    ['a file cut at a line', (bytes) => edited(bytes, (lines) => lines.slice(0, -2).concat('')), /cut short/],
    ['a file cut within a line', (bytes) => edited(bytes, (lines) => [...lines.slice(0, 40), '["org']), /cut short/],
    [
      'a file with another value',
      (bytes) => edited(bytes, (lines) => lines.map((line) => line.replace('plain', 'other'))),
      /checksum/,
    ],
    [
      'a file with a row too few',
      (bytes) => edited(bytes, (lines) => lines.filter((line, index) => index !== lines.findIndex((l) => l[0] === '['))),
      /checksum/,
    ],
    [
      'a file with another sequence',
      (bytes) => edited(bytes, (lines) => lines.map((line) => line.replace('"journal.key":"3"', '"journal.key":"9"'))),
      /its end does not fit/,
    ],
    ['a file that goes on', (bytes) => edited(bytes, (lines) => [...lines.slice(0, -1), '{}', '']), /goes on after/],
    [
      'a file whose head was changed',
      (bytes) => edited(bytes, ([head = '', ...rest]) => [head.replace('0.1.0', '0.1.1'), ...rest]),
      /its head does not have its checksum/,
    ],
    [
      'a file of a later format',
      (bytes) => edited(bytes, ([head = '', ...rest]) => [head.replace('"version":1', '"version":2'), ...rest]),
      /format 2 and was written by release 0\.1\.0/,
    ],
  ])('%s', async (_name, change, message) => {
    await fillEveryTable(filled.database);
    const target = await inNew();
    const bytes = change(await backUp(filled.engine));
    await expect(target.restore(bytes)).rejects.toMatchObject({ name: 'BackupError', message: expect.stringMatching(message) });
    expect(await target.tables()).toEqual([]);
  });

  test('one of another master key, and one into a database that has something', async () => {
    await fillEveryTable(filled.database);
    await filled.database.executeAlone(sql`update installation set key_check = 'v1.0123456789abcdef.x.y'`);
    const bytes = await backUp(filled.engine);
    const target = await inNew();
    await expect(target.restore(bytes, { masterKeyId: 'fedcba9876543210' })).rejects.toThrow(
      /belong to the master key 0123456789abcdef, and this installation has fedcba9876543210/,
    );
    await target.restore(bytes, { masterKeyId: '0123456789abcdef' });
    await expect(target.restore(bytes)).rejects.toThrow(/not empty|has a database already/);
    expect(linesOf(await backUp((await target.open()).engine))).toEqual(linesOf(bytes));
  });
});

test('a plan reads the whole file and tells what would come', async () => {
  const tables = await fillEveryTable(filled.database);
  const bytes = await backUp(filled.engine);
  const plan = await planRestore(Readable.from([bytes]), { migrationsFolder });
  expect(plan.tables.map(({ table }) => table).sort()).toEqual(tables);
  expect(plan.migrations).toEqual([]);
  const cut = Readable.from([bytes.subarray(0, bytes.length - 40)]);
  await expect(planRestore(cut, { migrationsFolder })).rejects.toThrow(/cut short/);
});
