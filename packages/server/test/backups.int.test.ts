import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeHeader } from '../src/modules/backups/backup-format.ts';
import { explainFile, planRestore, takeBackup, takeBackupFile } from '../src/modules/backups/index.ts';
import { openBackup } from '../src/modules/backups/open-backup.ts';
import {
  backUp,
  emptyDatabase,
  emptyFolder,
  emptyPlace,
  migrationsFolder,
  type RestoreTarget,
  readRows,
  takenAt,
} from './backup-world.ts';
import { createTestDatabase, onlyOn, type TestDatabase } from './database.ts';
import { fillEveryTable } from './fill-every-table.ts';

let filled: TestDatabase;
/** The tables that were filled, and a backup of them; no test writes there. */
let tables: readonly string[];
let bytes: Buffer;
let targets: RestoreTarget[];
beforeAll(async () => {
  filled = await createTestDatabase();
  tables = await fillEveryTable(filled.database);
  await filled.database.executeAlone(sql`update installation set key_check = 'v1.0123456789abcdef.x.y'`);
  bytes = await backUp(filled.engine);
});
afterAll(() => filled.drop());
beforeEach(() => {
  targets = [];
});
afterEach(async () => {
  for (const target of targets) await target.drop();
});

/** Three starts of the embedded engine, each seconds long. */
const startsMs = 120_000;

const inNew = async (make: () => Promise<RestoreTarget> = emptyPlace): Promise<RestoreTarget> => {
  const target = await make();
  targets.push(target);
  return target;
};

/** A backup with one of its lines changed. */
const edited = (edit: (lines: string[]) => string[]): Buffer =>
  gzipSync(edit(gunzipSync(bytes).toString('utf8').split('\n')).join('\n'));
const editedHead = (from: string, to: string): Buffer =>
  edited(([head = '', ...rest]) => [head.replace(from, to), ...rest]);

test('every table of the database is in a backup, with its rows', () => {
  const said = readRows(bytes).map((line) => JSON.parse(line));
  const named = said.filter(({ columns }) => columns).map(({ table }) => table);
  expect(named.sort()).toEqual(tables);
  expect(said.filter(({ rows }) => rows === 0)).toEqual([]);
});

test(
  'a restored database is backed up to the same lines, and its keys go on',
  async () => {
    const target = await inNew();
    const { rows } = await target.restore(bytes);
    expect(rows).toBeGreaterThan(200);
    const { engine, database } = await target.open();
    expect(readRows(await backUp(engine))).toEqual(readRows(bytes));
    const added = await database.transaction((tx) =>
      tx.first<{ key: number }>(sql`
        insert into blueprints (org_id, identifier, definition, created_at, created_by, updated_at, updated_by)
        values ('org 0', 'next', '{}', now(), 'x', now(), 'x') returning key`),
    );
    expect(added).toEqual({ key: 4 });
    await expect(target.restore(bytes)).rejects.toThrow(/not empty|open already/);
  },
  startsMs,
);

onlyOn('postgres', 'there both engines can be had', () => {
  test(
    'rows go from a server to the embedded engine and back, equal to the byte',
    async () => {
      const folder = await inNew(emptyFolder);
      await folder.restore(bytes);
      const embedded = await folder.open();
      const there = await backUp(embedded.engine);
      expect(readRows(there)).toEqual(readRows(bytes));
      const server = await inNew(emptyDatabase);
      await server.restore(there);
      expect(readRows(await backUp((await server.open()).engine))).toEqual(readRows(bytes));
    },
    startsMs,
  );
});

test('a backup shows the moment at which it began, whatever is written while it is read', async () => {
  const other = await createTestDatabase();
  const backup = await openBackup(other.engine, takenAt);
  try {
    await fillEveryTable(other.database);
    let text = '';
    for await (const part of backup.lines) text += part;
    expect(text.split('\n').filter((line) => line.startsWith('['))).toEqual([]);
  } finally {
    await backup.close();
    await other.drop();
  }
});

describe('what is no whole backup of this installation is refused', () => {
  const dropFirstRow = (lines: string[]) => {
    const first = lines.findIndex((line) => line.startsWith('['));
    return lines.filter((_line, index) => index !== first);
  };

  test.each<[string, () => Buffer, RegExp]>([
    ['an empty file', () => Buffer.alloc(0), /empty/],
    ['another file', () => Buffer.from('PK\u0003\u0004 something\n'), /no backup of Portolan/],
    ['a file cut in its packing', () => bytes.subarray(0, bytes.length - 40), /cut short/],
    ['a file damaged in its packing', () => Buffer.from(bytes).fill(7, 300, 320), /cannot be unpacked|head|says/],
    ['a file cut at a line', () => edited((lines) => lines.slice(0, -2).concat('')), /cut short/],
    ['a file cut within a line', () => edited((lines) => [...lines.slice(0, 40), '["org']), /cut short/],
    ['another value', () => edited((lines) => lines.map((line) => line.replace('plain', 'other'))), /checksum/],
    ['a row too few', () => edited(dropFirstRow), /checksum/],
    [
      'another sequence',
      () => edited((lines) => lines.map((line) => line.replace('"journal.key":"3"', '"journal.key":"9"'))),
      /its end does not fit/,
    ],
    ['a file that goes on', () => edited((lines) => [...lines.slice(0, -1), '{}', '']), /goes on after/],
    ['another head', () => editedHead('"release":"', '"release":"9.'), /its head does not have its checksum/],
    ['a later format', () => editedHead('"version":1', '"version":2'), /format 2 and was written by release 0\.1\.0/],
  ])('%s', async (_name, make, message) => {
    const refusal = { name: 'BackupError', message: expect.stringMatching(message) };
    await expect(planRestore(Readable.from([make()]), { migrationsFolder })).rejects.toMatchObject(refusal);
  });

  test('a backup of a newer release, whose tables are not known here', async () => {
    const { header } = await planRestore(Readable.from([bytes]), { migrationsFolder });
    const newer = writeHeader({ ...header, release: '9.0.0', migrations: [...header.migrations, '9999-later'] });
    const file = edited((lines) => [newer.trim(), ...lines.slice(1)]);
    await expect(planRestore(Readable.from([file]), { migrationsFolder })).rejects.toThrow(
      /taken by release 9\.0\.0 and has the migration 9999-later/,
    );
  });

  test('one of another master key', async () => {
    const plan = (masterKeyId: string) => planRestore(Readable.from([bytes]), { migrationsFolder, masterKeyId });
    await expect(plan('fedcba9876543210')).rejects.toThrow(
      /belong to the master key 0123456789abcdef, and this installation has fedcba9876543210/,
    );
    expect((await plan('0123456789abcdef')).tables).toHaveLength(tables.length);
  });

  test(
    'and leaves nothing, though all rows were written before the end was missed',
    async () => {
      const target = await inNew();
      await expect(target.restore(edited((lines) => lines.slice(0, -2).concat('')))).rejects.toThrow(/cut short/);
      expect(await target.tables()).toEqual([]);
    },
    startsMs,
  );
});

test('a disk that is full while a backup is written is a sentence, and leaves no file', async () => {
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
  });
  const failure = await takeBackup(filled.engine, full, takenAt).catch((error: unknown) => error);
  expect(explainFile(failure, '/backups/today.ptb')).toMatchObject({
    name: 'BackupError',
    message: '/backups/today.ptb does not fit: the disk is full. Make room, or name a file on another disk.',
  });
  const folder = await mkdtemp(join(tmpdir(), 'portolan-backups-'));
  await mkdir(join(folder, 'taken.ptb'));
  await expect(takeBackupFile(filled.engine, join(folder, 'taken.ptb'), takenAt)).rejects.toThrow(/is a folder/);
  expect(await readdir(folder)).toEqual(['taken.ptb']);
  await rm(folder, { recursive: true });
});

test('a plan tells what would come, table by table', async () => {
  const plan = await planRestore(Readable.from([bytes]), { migrationsFolder });
  expect(plan.tables.map(({ table }) => table).sort()).toEqual(tables);
  expect(plan.migrations).toEqual([]);
});
