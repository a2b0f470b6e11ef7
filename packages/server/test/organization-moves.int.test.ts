import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import sql, { raw } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importOrganization, movedTables, staysBehind, verifyOrganizationFile } from '../src/modules/backups/index.ts';
import { createTransferKey } from '../src/modules/backups/organization/transfer-key.ts';
import { listTables } from '../src/modules/backups/tables.store.ts';
import { checkMasterKey } from '../src/modules/identity/index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import {
  exported,
  fillOrganization,
  imported,
  madeSecret,
  newMasterKey,
  openSecrets,
  orgId,
  passphrase,
  readMovedLines,
  sealedColumns,
} from './move-world.ts';

const [sourceKey, targetKey] = [newMasterKey(), newMasterKey()];
let source: TestDatabase;
let target: TestDatabase;
/** The organization of the source; no test writes there. */
let bytes: Buffer;
beforeAll(async () => {
  source = await createTestDatabase();
  await fillOrganization(source.database, sourceKey);
  bytes = await exported(source.engine, sourceKey);
});
afterAll(() => source.drop());
beforeEach(async () => {
  target = await createTestDatabase();
  await checkMasterKey(target.database, targetKey);
});
afterEach(() => target.drop());

const said = () => readMovedLines(bytes).map((line) => JSON.parse(line));

async function tablesOf({ engine }: TestDatabase) {
  const connection = await engine.connect();
  try {
    return await listTables(connection);
  } finally {
    connection.release();
  }
}

/** How many rows the organization has, in all tables that have an `org_id`. */
async function countRows({ database }: TestDatabase): Promise<number> {
  let count = 0;
  for (const { name, columns } of await tablesOf(target)) {
    const owner =
      name === 'organizations' ? 'id' : columns.some((each) => each.name === 'org_id') ? 'org_id' : undefined;
    if (owner === undefined) continue;
    const [row] = await database.rows<{ count: number }>(sql`
      select count(*)::int as count from ${raw(`"${name}"`)} where ${raw(owner)} = ${orgId}`);
    count += row?.count ?? 0;
  }
  return count;
}

describe('what moves', () => {
  test('is every table of organizations, unless a reason for its rows to stay is written down', async () => {
    const tables = await tablesOf(source);
    const withOrganization = tables.filter(({ columns }) => columns.some(({ name }) => name === 'org_id'));
    const accounted = [...movedTables(tables).map(({ name }) => name), ...Object.keys(staysBehind)].sort();
    expect(accounted).toEqual(['organizations', ...withOrganization.map(({ name }) => name)].sort());
    expect(
      said()
        .filter((each) => each.columns)
        .map(({ table }) => table),
    ).toEqual(movedTables(tables).map(({ name }) => name));
    // and every one has a row of it, so that the other tests look at each
    expect(said().filter(({ rows }) => rows === 0)).toEqual([]);
  });

  test('is one organization, and nothing of the others', () => {
    const text = gunzipSync(bytes).toString('utf8');
    expect(text).not.toMatch(/"org [12]"/);
  });

  test('shows no secret, sealed by the master key or open', () => {
    const text = gunzipSync(bytes).toString('utf8');
    expect(text).not.toMatch(/v1\.[0-9a-f]{16}\./);
    expect(text).not.toContain('the secret of');
    expect(text.match(/move1\.[\w-]{16}\./g)).toHaveLength(sealedColumns.length + 1);
  });
});

test('exported, imported and exported again is equal to the byte but for its head, and secrets open there', async () => {
  const { rows } = await imported(target.engine, bytes, targetKey);
  expect(rows).toBeGreaterThan(60);
  const again = await exported(target.engine, targetKey);
  expect(readMovedLines(again)).toEqual(readMovedLines(bytes));
  const secrets = await openSecrets(target.database, targetKey);
  for (const { table, column } of sealedColumns) {
    const count = table === 'sources' && column === 'secrets' ? 2 : 1;
    expect(secrets[`${table}.${column}`], table).toEqual(Array(count).fill(madeSecret(table, column)));
  }
});

test('keys that were given are not given again, and those of others go on where they are', async () => {
  await target.database.executeAlone(sql`select setval(pg_get_serial_sequence('journal', 'key'), 5000000)`);
  await source.database.executeAlone(sql`select setval(pg_get_serial_sequence('blueprints', 'key'), 4000000)`);
  await imported(target.engine, await exported(source.engine, sourceKey), targetKey);
  const next = async (table: string) => {
    const [row] = await target.database.rows<{ key: string }>(sql`
      select nextval(pg_get_serial_sequence(${table}, 'key'))::text as key`);
    return Number(row?.key);
  };
  expect(await next('journal')).toBe(5_000_001);
  expect(await next('blueprints')).toBe(4_000_001);
});

test('what is at work in the source waits in the target', async () => {
  await source.database.executeAlone(sql`
    update jobs set state = 'running', lease = 'l', locked_until = now(), traceparent = 'of a collector there' where org_id = ${orgId}`);
  await imported(target.engine, await exported(source.engine, sourceKey), targetKey);
  const rows = await target.database.rows(sql`
    select state, lease, locked_until as "lockedUntil", traceparent from jobs where org_id = ${orgId}`);
  expect(rows).toEqual([{ state: 'waiting', lease: null, lockedUntil: null, traceparent: null }]);
});

test('an organization that was removed here can come back, and is not swept away', async () => {
  await target.database.executeAlone(sql`
    insert into removed_organizations (id, removed_at) values (${orgId}, now())`);
  await imported(target.engine, bytes, targetKey);
  expect(await target.database.rows(sql`select id from removed_organizations where id = ${orgId}`)).toEqual([]);
});

describe('what is not this organization, whole, is refused before anything is written', () => {
  const key = createTransferKey(passphrase, orgId);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');

  /** The file with lines changed by somebody who has the passphrase: every checksum and proof fits. */
  const forged = (
    edit: (lines: string[]) => string[],
    head: (header: Record<string, unknown>) => void = () => undefined,
  ) => {
    const [first = '', ...rest] = gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
    const { portolan } = JSON.parse(first) as { portolan: Record<string, unknown> };
    head(portolan);
    const text = JSON.stringify(portolan);
    const lines: string[] = [];
    let rows: string[] = [];
    let tables = 0;
    for (const line of edit(rest.slice(0, -1))) {
      if (line.startsWith('[')) rows.push(line);
      const value = line.startsWith('{') ? JSON.parse(line) : {};
      if (value.columns) tables += 1;
      const isEnd = value.rows !== undefined;
      lines.push(
        isEnd
          ? JSON.stringify({ ...value, rows: rows.length, sha256: hash(rows.map((row) => `${row}\n`).join('')) })
          : line,
      );
      if (isEnd) rows = [];
    }
    const sha256 = hash(lines.map((line) => `${line}\n`).join(''));
    return gzipSync(
      [
        JSON.stringify({ portolan, sha256: hash(text), mac: key.sign(text) }),
        ...lines,
        JSON.stringify({ end: true, tables, sha256, mac: key.sign(sha256) }),
        '',
      ].join('\n'),
    );
  };
  /** With a value of the first row of a table changed. */
  const withValue = (table: string, column: string, value: unknown) =>
    forged((lines) => {
      const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}","columns"`));
      const { columns } = JSON.parse(lines[at] as string) as { columns: string[] };
      const row = JSON.parse(lines[at + 1] as string);
      row[columns.indexOf(column)] = value;
      return lines.with(at + 1, JSON.stringify(row));
    });
  const plain = (edit: (text: string) => string) => gzipSync(edit(gunzipSync(bytes).toString('utf8')));

  test('a file that is forged without a mistake is taken', async () => {
    await imported(
      target.engine,
      forged((lines) => lines),
      targetKey,
    );
    expect(readMovedLines(await exported(target.engine, targetKey))).toEqual(readMovedLines(bytes));
  });

  const nested = '['.repeat(100_000) + ']'.repeat(100_000);

  test('a file that changes between its check and its import', async () => {
    const other = withValue('blueprints', 'identifier', 'another');
    const reads = [bytes, other];
    const changing = importOrganization(target.engine, () => Readable.from([reads.shift()]), {
      passphrase,
      masterKey: targetKey,
      sealedColumns,
    });
    await expect(changing).rejects.toThrow(/The file changed while it was read/);
    expect(await countRows(target)).toBe(0);
  });

  /** A valid row of so many megabytes, again and again. */
  const bomb = (megabytes: number) => {
    const [head, ...lines] = gunzipSync(bytes).toString('utf8').split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"table":"organizations"'));
    const row = (lines[at + 1] as string).replace('Acme', 'A'.repeat(1_000_000));
    return gzipSync([head, ...lines.slice(0, at + 1), ...Array<string>(megabytes).fill(row)].join('\n'));
  };

  const extraTable = (table: string, columns: string[], row: unknown[]) =>
    forged((lines) => [
      ...lines,
      JSON.stringify({ table, columns }),
      JSON.stringify(row),
      JSON.stringify({ table, rows: 1, sha256: '' }),
    ]);

  test.each<[string, () => Buffer, RegExp]>([
    ['a file cut in its packing', () => bytes.subarray(0, bytes.length - 40), /cut short/],
    ['a file cut at a line', () => plain((text) => text.split('\n').slice(0, -2).concat('').join('\n')), /cut short/],
    ['another value', () => plain((text) => text.replace('plain', 'other')), /do not have their checksum/],
    ['another head', () => plain((text) => text.replace('Acme', 'Other')), /its head does not have its checksum/],
    [
      'a backup',
      () => plain((text) => text.replace('"format":"organization"', '"format":"backup"')),
      /portolan restore/,
    ],
    ['a later format', () => plain((text) => text.replace('"version":1', '"version":2')), /format 2 .* newer one/],
    [
      'rows of a newer schema',
      () =>
        forged(
          (lines) => lines,
          (head) => (head['migrations'] as string[]).push('9999-later'),
        ),
      /has the migration 9999-later, which this installation does not have\. Upgrade this installation/,
    ],
    [
      'rows of an older schema',
      () =>
        forged(
          (lines) => lines,
          (head) => (head['migrations'] as string[]).pop(),
        ),
      /lacks the migration 0\d+-.* Upgrade the installation that it comes from/,
    ],
    [
      'keys that no installation gives',
      () =>
        forged(
          (lines) => lines,
          (head) => Object.assign(head['keys'] as object, { 'journal.key': '9007199254740991' }),
        ),
      /Line 1: 9007199254740991 is no key/,
    ],
    [
      'a row of another organization',
      () => withValue('entities', 'org_id', 'org 1'),
      /Line \d+, entities: .*another organization/,
    ],
    [
      'the row of another organization',
      () => withValue('organizations', 'id', 'org 1'),
      /Line 3, organizations: .*another/,
    ],
    ['a demo', () => withValue('organizations', 'demo_of', 'org 1'), /Line 3, organizations: .*never exported/],
    [
      'a value of another type',
      () => withValue('blueprints', 'created_at', 'soon'),
      /Line \d+, blueprints: a value is not of the type/,
    ],
    [
      'a number that is none',
      () => withValue('entities', 'key', '1; drop table entities'),
      /Line \d+, entities: a value is not of the type/,
    ],
    [
      'a value that is no text',
      () => withValue('entities', 'key', 7),
      /Line \d+, entities: this is no row of \d+ texts/,
    ],
    [
      'a row too short',
      () => forged((lines) => lines.map((line) => (line.startsWith('["org 0"') ? '["org 0"]' : line))),
      /this is no row of/,
    ],
    ...['infinity', 'now', '200000-01-01 00:00:00+00'].map((moment): [string, () => Buffer, RegExp] => [
      `the moment ${moment}`,
      () => withValue('organizations', 'created_at', moment),
      /Line 3, organizations: a value is not of the type/,
    ]),
    [
      'a key beyond those that were given',
      () => withValue('journal', 'key', '9223372036854775807'),
      /Line \d+, journal: .*not of the type/,
    ],
    [
      'the next key',
      () => withValue('journal', 'key', '1125899906842624'),
      /Line \d+, journal: its key is beyond those that were given/,
    ],
    [
      'a job that is nested too deeply to be looked at',
      () => withValue('jobs', 'input', nested),
      /Line \d+, jobs: a value is nested too deeply/,
    ],
    [
      'a value that is nested too deeply for the database',
      () => withValue('entities', 'properties', nested),
      /Line \d+, entities: a value is nested too deeply/,
    ],
    [
      'the character U+0000',
      () => withValue('entities', 'title', 'a\u0000b'),
      /Line \d+, entities: a text has the character U\+0000/,
    ],
    [
      'a job for an organization that may come later',
      () => withValue('jobs', 'input', JSON.stringify({ organizationId: 'org later' })),
      /Line \d+, jobs: the job names another organization/,
    ],
    ['a missing value', () => withValue('blueprints', 'identifier', null), /Line \d+, blueprints: a value is missing/],
    [
      'a word that the column does not take',
      () => withValue('users', 'role', 'Root'),
      /Line \d+, users: .*none that the column takes/,
    ],
    [
      'a row that names none',
      () => withValue('webhook_requests', 'webhook_key', '4711'),
      /Line \d+, webhook_requests: it names a row/,
    ],
    [
      'a secret that was not sealed there',
      () => withValue('webhooks', 'sealed_secret', key.seal('elsewhere', 'x')),
      /Line \d+, webhooks: a secret was not sealed/,
    ],
    [
      'a table of the installation',
      () => extraTable('installation', ['is_only', 'key_check'], ['false', 'x']),
      /Line \d+, installation: this is no table whose rows move/,
    ],
    [
      'a table of rows that stay behind',
      () => extraTable('sessions', ['org_id'], [orgId]),
      /Line \d+, sessions: this is no table/,
    ],
    [
      'a table of the catalogs',
      () => extraTable('pg_authid', ['org_id'], [orgId]),
      /Line \d+, pg_authid: this is no table/,
    ],
    [
      'SQL for a table',
      () => extraTable('jobs"; drop table jobs; --', ['org_id'], [orgId]),
      /this is no table whose rows move/,
    ],
    [
      'SQL for a column',
      () =>
        forged((lines) =>
          lines.map((line) =>
            line.replace(
              '{"table":"favorites","columns":["org_id"',
              '{"table":"favorites","columns":["org_id\\") select 1; --"',
            ),
          ),
        ),
      /Line \d+, favorites: /,
    ],
    [
      'a table that is not in it',
      () =>
        forged((lines) => {
          const from = lines.findIndex((line) => line.startsWith('{"table":"favorites","columns"'));
          return lines.toSpliced(from, 3);
        }),
      /favorites is not in the file/,
    ],
    ['a file that unpacks to far more than it is', () => bomb(150), /unpacks to more than 200 times its size/],
  ])('%s', async (_name, make, message) => {
    const file = make();
    await expect(imported(target.engine, file, targetKey)).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringMatching(message),
    });
    expect(await countRows(target)).toBe(0);
  });

  test('a job that names another organization of the installation', async () => {
    await target.database.executeAlone(sql`
      insert into organizations (id, name, model, plan, created_at, updated_at, entered_at)
      values ('org victim', 'Victim', 'blueprints', 'standard', now(), now(), now())`);
    const file = withValue('jobs', 'input', JSON.stringify({ organizationId: 'org victim' }));
    await expect(imported(target.engine, file, targetKey)).rejects.toThrow(/Line \d+, jobs: the job names another/);
    expect(await countRows(target)).toBe(0);
  });

  test('one that is here already, or is left here by halves', async () => {
    await imported(target.engine, bytes, targetKey);
    await expect(imported(target.engine, bytes, targetKey)).rejects.toThrow(/org 0 is here already \(Acme/);
    await target.database.executeAlone(sql`delete from organizations where id = ${orgId}`);
    await expect(imported(target.engine, bytes, targetKey)).rejects.toThrow(/here without their organization/);
  });

  test('one whose client ids are used here', async () => {
    const [row] = await source.database.rows<{ id: string }>(sql`
      select client_id as id from credential_directory where org_id = ${orgId}`);
    await target.database.executeAlone(sql`
      insert into credential_directory (client_id, org_id) values (${row?.id}, 'org other')`);
    await expect(imported(target.engine, bytes, targetKey)).rejects.toThrow(
      /credential_directory: there is such a row/,
    );
  });

  test('another passphrase, or another master key', async () => {
    await expect(imported(target.engine, bytes, targetKey, { passphrase: 'another one that is long' })).rejects.toThrow(
      /The passphrase is not that of the file/,
    );
    await expect(imported(target.engine, bytes, sourceKey)).rejects.toThrow(/sealed by the master key/);
    await expect(exported(source.engine, targetKey)).rejects.toThrow(/sealed by the master key/);
    await expect(verifyOrganizationFile(Readable.from([bytes]), 'another one that is long')).rejects.toThrow(
      /passphrase/,
    );
  });

  test('a plan writes nothing', async () => {
    const { rows, tables } = await imported(target.engine, bytes, targetKey, { isPlan: true });
    expect([rows, tables]).toEqual([
      said().filter(Array.isArray).length,
      said().filter(({ columns }) => columns).length,
    ]);
    expect(await countRows(target)).toBe(0);
  });
});

test('an organization that is not there, goes or migrates is not exported', async () => {
  await expect(exported(source.engine, sourceKey, 'org 9')).rejects.toThrow(/There is no organization org 9/);
});

test('a file tells what is in it without a database', async () => {
  const { header, tables } = await verifyOrganizationFile(Readable.from([bytes]), passphrase);
  expect(header.organization).toEqual({ id: orgId, name: 'Acme "Logistics"' });
  expect(tables.map(({ table }) => table)).toContain('entities');
});
