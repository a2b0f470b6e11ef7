import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyDatabase } from '../src/modules/backups/index.ts';
import { checkMasterKey } from '../src/modules/identity/index.ts';
import { dumpSchema } from '../src/platform/db/dump-schema.ts';
import { derivedChecker } from '../src/restored-app.ts';
import { backUp, emptyPlace, migrationsFolder, type RestoreTarget, readRows } from './backup-world.ts';
import { createTestApp, operatorToken, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

// the embedded engine is started for each database that is restored
vi.setConfig({ testTimeout: 120_000 });

const masterKey = Buffer.alloc(32, 7).toString('base64');
let app: TestApp;
let target: RestoreTarget;
beforeAll(async () => {
  app = await createTestApp();
  const { request } = app;
  await request('POST', '/v1/blueprints', { body: blueprintBody('team-like') });
  const related = {
    relations: { of: { target: 'team-like' } },
    mirrorProperties: { named: { path: 'of.$title' } },
  };
  await request('POST', '/v1/blueprints', { body: blueprintBody('thing', related) });
  await createEntity(request, 'team-like', { identifier: 'one', title: 'One' });
  await createEntity(request, 'thing', { identifier: 'a', relations: { of: 'one' } });
  const secret = { secretName: 'KEPT', secretValue: 'a secret value' };
  expect((await request('POST', '/v1/organization/secrets', { body: secret })).status).toBe(201);
  // as the first start does
  await checkMasterKey(app.database, masterKey);
});
afterAll(() => app.close());
beforeEach(async () => {
  target = await emptyPlace();
});
afterEach(() => target.drop());

/** What the operator gets from the running server. */
async function backupOfServer(token = operatorToken) {
  const answer = await app.app.http.inject({
    url: '/v1/operator/backup',
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

async function verify({ engine }: Awaited<ReturnType<RestoreTarget['open']>>, key: string | undefined = masterKey) {
  const derived = derivedChecker(engine);
  const options = { migrationsFolder, masterKey: key, checkDerived: derived.check, now: new Date() };
  try {
    const checks = await verifyDatabase(engine, options);
    return Object.fromEntries(checks.map(({ name, status, message }) => [name, status === 'ok' ? status : message]));
  } finally {
    await derived.close();
  }
}

const allOk = {
  migrations: 'ok',
  sequences: 'ok',
  references: 'ok',
  constraints: 'ok',
  'sealed values': 'ok',
  'last change': 'ok',
  'derived values': 'ok',
};

test('the server gives the operator a backup of everything, and nobody else', async () => {
  expect((await backupOfServer(app.organization.token)).status).toBe(401);
  const { status, headers, bytes } = await backupOfServer();
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'application/gzip', 'cache-control': 'no-store' });
  expect(headers['content-disposition']).toMatch(/filename="portolan-\d{8}T\d{6}Z\.ptb"/);
  expect(readRows(bytes).join('\n')).not.toContain('a secret value');
  await target.restore(bytes);
  const { engine } = await target.open();
  expect(readRows(await backUp(engine))).toEqual(readRows(bytes));
});

describe('a restored database is examined', () => {
  test('and found right, or with another master key not', async () => {
    await target.restore((await backupOfServer()).bytes);
    const opened = await target.open();
    const before = readRows(await backUp(opened.engine));
    expect(await verify(opened)).toEqual(allOk);
    const other = await verify(opened, Buffer.alloc(32, 8).toString('base64'));
    expect(other['sealed values']).toMatch(/They need the master key [0-9a-f]{16}, and [0-9a-f]{16} is set/);
    // it looked, and changed nothing
    expect(readRows(await backUp(opened.engine))).toEqual(before);
  });

  test('and every fault of it is named', async () => {
    await target.restore((await backupOfServer()).bytes);
    const opened = await target.open();
    const { database } = opened;
    await database.executeAlone(sql`update entities set derived = '{"named": "Other"}' where identifier = 'a'`);
    expect((await verify(opened))['derived values']).toMatch(/^1 are not what their sources give/);
    await database.executeAlone(sql`select setval(pg_get_serial_sequence('entities', 'key'), 1)`);
    await database.executeAlone(sql`update entity_relations set target_key = 999`);
    await database.executeAlone(sql`update organization_secrets set sealed = 'v1.0123456789abcdef.x.y'`);
    await database.executeAlone(sql`
      insert into teams (org_id, key, identifier, title, created_at, updated_at) values ('nobody', 't', 't', 't', now(), now())`);
    const found = await verify(opened);
    expect(found['sequences']).toMatch(/^entities\.key would give keys that are taken/);
    expect(found['references']).toContain('entity_relations.target_key: 1');
    expect(found['references']).toContain('teams: 1');
    await database.executeAlone(sql`delete from schema_migrations where name = '0101-connected-apps'`);
    expect(await verify(opened)).toEqual({
      migrations: expect.stringContaining('0101-connected-apps are not applied'),
    });
  });
});

describe('a row that no database takes is named by its line, and nothing is there', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');

  /** The backup with a line changed by somebody who writes all checksums anew. */
  async function edited(edit: (line: string) => string): Promise<Buffer> {
    const [head = '', ...rest] = gunzipSync((await backupOfServer()).bytes)
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const lines: string[] = [];
    let rows: string[] = [];
    for (const line of rest.slice(0, -1).map(edit)) {
      const { table, rows: count } = JSON.parse(line) as { table?: string; rows?: number };
      if (line.startsWith('[')) rows.push(`${line}\n`);
      lines.push(count === undefined ? line : JSON.stringify({ table, rows: count, sha256: hash(rows.join('')) }));
      if (count !== undefined) rows = [];
    }
    const tables = lines.filter((line) => line.includes('"columns":[') && line.startsWith('{')).length;
    const end = JSON.stringify({ end: true, tables, sha256: hash(lines.map((line) => `${line}\n`).join('')) });
    return gzipSync([head, ...lines, end, ''].join('\n'));
  }

  test.each<[string, (line: string) => string, RegExp]>([
    [
      'U+0000',
      (line) => line.replace('"One"', '"\\u0000"'),
      /^Line \d+, \w+: a text has the character U\+0000.* restored/,
    ],
    [
      'a value nested too deeply',
      (line) => line.replace('"One"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      /^Line \d+, \w+: a value is nested too deeply/,
    ],
    [
      'a column twice',
      (line) => line.replace(/^({"table":"entities","columns":\["org_id",)"\w+"/, '$1"org_id"'),
      /entities is not a table of its release with these columns/,
    ],
    [
      'a sequence that is no number',
      (line) => line.replace(/"journal.key":"\d+"/, '"journal.key":"many"'),
      /a line of it says nothing/,
    ],
  ])('%s', async (_name, edit, message) => {
    const file = await edited(edit);
    await expect(target.restore(file)).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringMatching(message),
    });
    expect(await target.tables()).toEqual([]);
  });
});

describe('a backup of an older release', () => {
  let folder: string;
  let older: TestDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-migrations-'));
    older = await createTestDatabase();
  });
  afterEach(async () => {
    await older.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('is loaded into the tables of that release, which are then brought up to this one', async () => {
    await older.database.transaction((tx) =>
      tx.execute(sql`
        insert into organizations (id, name, model, plan, created_at, updated_at)
        values ('org_old', 'Old', 'blueprints', 'free', now(), now())`),
    );
    const bytes = await backUp(older.engine);
    await cp(migrationsFolder, folder, { recursive: true });
    const names = (await readdir(folder)).sort();
    await writeFile(
      join(folder, '9990-later.sql'),
      `-- phase: expand
       alter table organizations add column later text;
       update organizations set later = 'was ' || name;
       create table later_things (org_id text not null, id text not null, primary key (org_id, id));
       insert into later_things select id, 'one' from organizations;`,
    );
    const { migrated, header } = await target.restore(bytes, { migrationsFolder: folder });
    expect(header.migrations).toHaveLength(names.length);
    expect(migrated).toEqual(['9990-later']);
    const { database } = await target.open();
    const rows = await database.rows(sql`
      select o.later, t.id from organizations o join later_things t on t.org_id = o.id`);
    expect(rows).toEqual([{ later: 'was Old', id: 'one' }]);
    expect(await dumpSchema(database)).toContain('create table later_things');
  });
});
