import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, buildApp } from '../src/app.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import type { Engine } from '../src/platform/db/engine.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { createOutgoing, type Outgoing } from '../src/platform/outgoing/outgoing.ts';
import { emptyPlace, migrationsFolder, type RestoreTarget } from './backup-world.ts';
import { onlyOn } from './database.ts';
import { fillEveryTable } from './fill-every-table.ts';
import { type RecordedAnswer, releaseCredentials } from './release-data.ts';

/** A copy of the migrations up to a number, as a release of then had them. */
async function migrationsUpTo(number: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-migrations-'));
  for (const name of await readdir(migrationsFolder)) {
    if (name.slice(0, 4) <= number) await copyFile(join(migrationsFolder, name), join(folder, name));
  }
  return folder;
}

async function countRows(database: Database): Promise<Record<string, number>> {
  const tables = await database.rows<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and relname <> 'schema_migrations' order by 1`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const row = await database.first<{ count: number }>(
      sql`select count(*)::int as count from ${raw(`"${name}"`)} /* all organizations */`,
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

/** Tables whose rows a file made again in another form. */
const replaced = ['old_team_relation_uses'];

function lostRows(before: Record<string, number>, after: Record<string, number>): string[] {
  const lost = Object.entries(before).filter(([table, count]) => (after[table] ?? 0) < count);
  return lost.map(([table]) => table).filter((table) => !replaced.includes(table));
}

describe('a database that the release of migration 0089 filled', () => {
  let target: RestoreTarget;
  let engine: Engine;
  let app: App;
  let outgoing: Outgoing;
  let answers: readonly RecordedAnswer[];
  let before: Record<string, number>;
  let after: Record<string, number>;

  beforeAll(async () => {
    const of = (name: string) => fileURLToPath(new URL(`data/release-0089.${name}`, import.meta.url));
    const lines = (await readFile(of('ndjson'), 'utf8')).trimEnd().split('\n');
    answers = lines.map((line) => JSON.parse(line));
    const folder = await migrationsUpTo('0089');
    target = await emptyPlace();
    await target.restore(await readFile(of('ptb')), { migrationsFolder: folder });
    await rm(folder, { recursive: true });
    const opened = await target.open();
    engine = opened.engine;
    before = await countRows(opened.database);
    await migrate(engine, migrationsFolder);
    after = await countRows(opened.database);
    outgoing = createOutgoing({ allowsPrivateNetwork: true });
    app = buildApp(
      {
        masterKey: Buffer.alloc(32, 7).toString('base64'),
        operatorToken: 'operator-token-of-the-record',
        model: { provider: 'built-in' },
        publicUrl: () => 'http://127.0.0.1:3000',
      },
      {
        database: createDatabase(engine),
        clock: systemClock,
        log: pino({ level: 'silent' }) as FastifyBaseLogger,
        outgoing,
      },
    );
  }, 180_000);
  afterAll(async () => {
    await app?.close();
    await outgoing?.close();
    await target?.drop();
  });

  test('loses no row on the way to this release', () => {
    expect(Object.keys(before).length).toBeGreaterThan(60);
    expect(lostRows(before, after)).toEqual([]);
  });

  test('is answered as that release answered it', async () => {
    const call = async (method: 'GET' | 'POST', url: string, payload?: object, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await app.http.inject({ method, url, headers, ...(payload ? { payload } : {}) });
      return { status: answer.statusCode, body: answer.json() };
    };
    // its credentials are rows, too
    const { body: signedIn } = await call('POST', '/v1/auth/access_token', releaseCredentials);
    expect(signedIn.accessToken, JSON.stringify(signedIn)).toBeDefined();
    for (const { path, body } of answers) {
      const now = await call('GET', path, undefined, signedIn.accessToken);
      expect.soft(now.status, path).toBe(200);
      // newer releases may say more
      expect.soft(now.body, path).toMatchObject(body as object);
    }
    expect(answers.length).toBeGreaterThan(60);
  }, 60_000);
});

onlyOn('postgres', 'the embedded engine runs the same files above, and each station is an engine more', () => {
  // what the schema was like on its way
  describe.each(['0009', '0041', '0089'])('a database with rows in every table of migration %s', (number) => {
    test('is brought up to this release without losing one', async () => {
      const folder = await migrationsUpTo(number);
      const target = await emptyPlace();
      try {
        const { engine, database } = await target.open();
        await migrate(engine, folder);
        const filled = await fillEveryTable(database);
        const before = await countRows(database);
        await migrate(engine, migrationsFolder);
        const after = await countRows(database);
        expect(filled.filter((table) => (before[table] ?? 0) === 0)).toEqual([]);
        expect(lostRows(before, after)).toEqual([]);
      } finally {
        await target.drop();
        await rm(folder, { recursive: true, force: true });
      }
    }, 120_000);
  });
});
