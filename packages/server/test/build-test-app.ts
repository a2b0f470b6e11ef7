import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { operations } from '@portolan/contract/operations';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import sql, { raw } from 'sql-template-tag';
import { expect } from 'vitest';
import { type App, type AppOptions, buildApp } from '../src/app.ts';
import { unchanged } from '../src/modules/accounts/authority/permit.ts';
import { insertCredential } from '../src/modules/identity/credential.store.ts';
import { hashSecret } from '../src/modules/identity/secret-hash.ts';
import { createTestClock, type TestClock } from '../src/platform/clock.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import type { Engine } from '../src/platform/db/engine.ts';
import { otherPlaces } from '../src/platform/distribution/table-places.ts';
import type { Mailer } from '../src/platform/mail/mailer.ts';
import type { MessageBroker } from '../src/platform/messages/message-broker.ts';
import { createOutgoing, type Outgoing } from '../src/platform/outgoing/outgoing.ts';
import type { Tracing } from '../src/platform/telemetry/tracing.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type LoggedEngine, logStatements, unboundStatements, undistributable } from './query-log.ts';

export const operatorToken = 'operator-token-of-the-tests';

export interface RequestOptions {
  /** Sent as JSON unless `payload` is given. */
  readonly body?: unknown;
  /** Sent byte for byte, with the content type of `headers` or JSON. */
  readonly payload?: string | Buffer | Readable;
  /** The administrator of the organization unless told; null sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly body: any;
}

export type Request = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

export interface TestOrganization {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token of the organization's own credentials, an administrator. */
  readonly token: string;
  /** Asks as the administrator unless the options say otherwise. */
  readonly request: Request;
  /** A token of a new machine credential of role Member. */
  memberToken(): Promise<string>;
  /** A token of a new machine credential of role Admin: whoever asks for a run does not approve it. */
  approverToken(): Promise<string>;
  /** A token of a new credential of the user, who must exist as an entity of `_user` and is given the role, if one is named. */
  personToken(user: string, role?: 'Admin' | 'Member'): Promise<string>;
  /** Events of the journal, oldest first, as `event identifier`. */
  journal(): Promise<string[]>;
}

export interface TestApp {
  readonly app: App;
  readonly database: Database;
  readonly clock: TestClock;
  /** An organization of model `blueprints`, made through the operator API. */
  readonly organization: TestOrganization;
  /** Asks as the administrator of `organization`. */
  readonly request: Request;
  /** Asks with the operator's token. */
  readonly operator: Request;
  /** One more organization, made through the operator API. */
  createOrganization(body?: Readonly<Record<string, unknown>>): Promise<TestOrganization>;
  /** How many rows a table has, in all organizations or one. */
  count(table: string, orgId?: string): Promise<number>;
  /** How many statements were sent to the database so far. */
  statementCount(): number;
  /**
   * How many statements `run` sends. It runs three times and the least counts, since the application also sends
   * statements of its own meanwhile.
   */
  countStatements(run: (round: number) => Promise<unknown>): Promise<number>;
  /** The names of all tables that belong to organizations. */
  tenantTables(): Promise<string[]>;
  /** Ends the application and its database; fails if a statement was not bound to an organization. */
  close(): Promise<void>;
}

export interface TestAppOptions
  extends Pick<AppOptions, 'trustedProxies' | 'onSecretOpened' | 'ai' | 'sourceTypes' | 'backups'> {
  /** Where the application logs; nowhere unless told. */
  readonly log?: FastifyBaseLogger;
  /** The address people use; one of this machine unless told. */
  readonly publicUrl?: string;
  /** The model of the operator; the built-in planner unless told. */
  readonly model?: AppOptions['model'];
  /** Whether addresses that users enter may be on this machine, as the peers of tests are; yes unless told. */
  readonly allowsPrivateNetwork?: boolean;
  /** Takes messages; there is none unless told. */
  readonly broker?: MessageBroker;
  /** Sends e-mail; there is none unless told. */
  readonly mailer?: Mailer;
  /** Where spans go; there are none unless told. */
  readonly tracing?: Tracing;
  /** The database it stands on; a fresh one unless told. */
  readonly on?: TestDatabase;
  /** Looks at what is sent to the database. */
  readonly watch?: (engine: Engine) => Engine;
}

/** The whole application on a database of its own, with a clock that stands still, and nothing else faked. */
export async function createTestApp({
  allowsPrivateNetwork = true,
  watch,
  broker,
  mailer,
  tracing,
  on,
  log = pino({ level: 'silent' }) as FastifyBaseLogger,
  model = { provider: 'built-in' },
  publicUrl = 'http://127.0.0.1:3000',
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const test = on ?? (await createTestDatabase());
  const logged = logStatements(watch?.(test.engine) ?? test.engine);
  const database = createDatabase(logged.engine, test.options);
  const clock = createTestClock();
  const outgoing = createOutgoing({ allowsPrivateNetwork });
  const app = buildApp(
    {
      sourceTypesFolder: fileURLToPath(new URL('../data/source-types', import.meta.url)),
      ...options,
      masterKey: Buffer.alloc(32, 7).toString('base64'),
      operatorToken,
      model,
      announceMs: 0,
      publicUrl: () => publicUrl,
      demoFolder: fileURLToPath(new URL('../demo', import.meta.url)),
      packsFolder: fileURLToPath(new URL('../data/packs', import.meta.url)),
    },
    { database, clock, log, outgoing, broker, mailer, tracing },
  );
  const operator = requester(app, operatorToken);
  const createOrganization = async (body: Readonly<Record<string, unknown>> = {}): Promise<TestOrganization> => {
    const created = await operator('POST', '/v1/operator/organizations', { body: { name: 'Test', ...body } });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return openOrganization(app, database, created.body.organization.id, created.body.credentials);
  };
  const organization = await createOrganization();
  const tenantTables = (): Promise<string[]> => tablesWithOrganization(database);
  return {
    app,
    database,
    clock,
    organization,
    request: organization.request,
    operator,
    createOrganization,
    count: async (table, orgId) => {
      const whose = orgId === undefined ? sql`true` : sql`org_id = ${orgId}`;
      // what was refused is recorded too; tests of it look at it themselves
      const where = table === 'journal' ? sql`where ${whose} and status = 'SUCCESS'` : sql`where ${whose}`;
      const row = await database.first<{ count: number }>(
        sql`select count(*)::int as count from ${raw(table)} ${where} /* all organizations */`,
      );
      return row?.count ?? 0;
    },
    statementCount: logged.count,
    async countStatements(run) {
      const counts: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const before = logged.count();
        await run(round);
        counts.push(logged.count() - before);
      }
      return Math.min(...counts);
    },
    tenantTables,
    close: () => closeAll({ app, outgoing, test, logged, tenantTables }),
  };
}

interface RunningApp {
  readonly app: App;
  readonly outgoing: Outgoing;
  readonly test: TestDatabase;
  readonly logged: LoggedEngine;
  readonly tenantTables: () => Promise<string[]>;
}

async function closeAll({ app, outgoing, test, logged, tenantTables }: RunningApp): Promise<void> {
  try {
    const tables = await tenantTables();
    expect(unboundStatements(logged.statements, tables)).toEqual([]);
    const local = [...otherPlaces.joined, ...otherPlaces.reference];
    expect(undistributable(logged.statements, tables, local)).toEqual([]);
  } finally {
    await app.close();
    await outgoing.close();
    await test.drop();
  }
}

function requester(app: App, ownToken: string): Request {
  return async (method, path, { body, payload, token = ownToken, headers = {} } = {}) => {
    const content = payload ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await app.http.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { payload: content }),
    });
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']));
    const read = { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body };
    expectContract(method, path, read);
    return read;
  };
}

const matchers = operations.map((operation) => ({
  operation,
  matches: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Every answer is in an envelope, and a success is what the contract promises for the operation. */
function expectContract(method: string, path: string, { status, headers, body }: Answer): void {
  expect(headers['x-trace-id'], `${method} ${path}`).toMatch(/^[0-9a-f]{16}$/);
  if (status >= 400) {
    expect(body, `${method} ${path}`).toMatchObject({
      ok: false,
      error: expect.any(String),
      message: expect.any(String),
    });
    return;
  }
  const bare = path.split('?')[0] as string;
  const found = matchers.find((each) => each.operation.method === method && each.matches.test(bare));
  const parsed = found?.operation.answer?.safeParse(body);
  if (parsed && !parsed.success) throw new Error(`${method} ${path} broke its contract: ${parsed.error.message}`);
}

async function openOrganization(
  app: App,
  database: Database,
  id: string,
  credentials: { readonly clientId: string; readonly clientSecret: string },
): Promise<TestOrganization> {
  const anonymous = requester(app, '');
  const tokenOf = async (body: { clientId: string; clientSecret: string }): Promise<string> =>
    (await anonymous('POST', '/v1/auth/access_token', { body, token: null })).body.accessToken;
  const token = await tokenOf(credentials);
  let issued = 0;
  const issue = async (role: 'Admin' | 'Member', userKey: string | null): Promise<string> => {
    issued += 1;
    const clientId = `${id}-${role}-${issued}`;
    const secretHash = await hashSecret('a secret');
    const name = 'Made by a test';
    await database.transaction((tx) =>
      insertCredential(tx, unchanged({ orgId: id, clientId, secretHash, role, userKey, name, createdAt: new Date(0) })),
    );
    return tokenOf({ clientId, clientSecret: 'a secret' });
  };
  return {
    id,
    ...credentials,
    token,
    request: requester(app, token),
    memberToken: () => issue('Member', null),
    approverToken: () => issue('Admin', null),
    personToken: async (user, role) => {
      if (role) {
        await database.transaction((tx) =>
          tx.execute(sql`update users set role = ${role} where org_id = ${id} and identifier = ${user}`),
        );
      }
      const row = await database.first<{ key: string }>(
        sql`select key from users where org_id = ${id} and identifier = ${user}`,
      );
      if (!row) throw new Error(`There is no user ${user}`);
      return issue('Member', row.key);
    },
    journal: async () => {
      const rows = await database.rows<{ line: string }>(
        sql`select event || ' ' || identifier as line from journal
          where org_id = ${id} and status = 'SUCCESS' order by key`,
      );
      return rows.map(({ line }) => line);
    },
  };
}

async function tablesWithOrganization(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    order by c.relname`);
  return rows.map(({ name }) => name);
}
