import { randomBytes } from 'node:crypto';
import { decodeEventStream, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import { pino } from 'pino';
import { type App, buildApp } from '../src/app.ts';
import { unchanged } from '../src/modules/accounts/authority/permit.ts';
import type { AiOptions, LoopLimits } from '../src/modules/assistant/index.ts';
import { insertCredential } from '../src/modules/identity/credential.store.ts';
import { hashSecret } from '../src/modules/identity/secret-hash.ts';
import { systemActor } from '../src/platform/actor.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { createOutgoing } from '../src/platform/outgoing/outgoing.ts';
import type { TestDatabase } from './copy-template.ts';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { logStatements } from './query-log.ts';

/** The whole product over a real database, a real port and a model server that says what it is told. */
export interface AssistantHarness {
  readonly app: App;
  readonly database: Database;
  readonly model: MockModelServer;
  readonly url: string;
  /** One for each replica, the first is `url`. */
  readonly urls: readonly string[];
  readonly operatorToken: string;
  /** How many statements were sent so far, by all replicas. */
  statementCount(): number;
  /** An organization with a few services, and a token of its administrator. */
  organization(options?: Record<string, unknown>): Promise<TestOrganization>;
  close(): Promise<void>;
}

export interface TestOrganization {
  readonly id: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A member's token, or one of the user with that key; whether members may use the assistant is up to the test. */
  member(userKey?: string): Promise<string>;
}

const waitMs = 20_000;

export interface HarnessOptions {
  /** How many processes of the product would share the database; one unless told, and on the embedded engine always. */
  readonly replicas?: number;
  readonly ai?: AiOptions;
}

/** Starts it over a database that it drops when it is closed. */
export async function startAssistant(
  test: TestDatabase,
  limits: Partial<LoopLimits> = {},
  { replicas = 1, ai = {} }: HarnessOptions = {},
): Promise<AssistantHarness> {
  const logged = logStatements(test.engine);
  const database = createDatabase(logged.engine, test.options);
  const model = await startMockModelServer();
  const operatorToken = randomBytes(24).toString('hex');
  const masterKey = randomBytes(32).toString('base64');
  const outgoing = createOutgoing({ allowsPrivateNetwork: true });
  const build = () =>
    buildApp(
      {
        masterKey,
        operatorToken,
        model: {
          provider: 'openai-compatible',
          model: 'mock',
          baseUrl: model.url,
          apiKey: 'sk-never-shown',
          offered: ['mock-large'],
        },
        ai: { prices: { mock: { input: 2, output: 10 } }, ...ai },
        runLimits: limits,
        publicUrl: () => 'http://localhost',
      },
      { database, clock: systemClock, log: pino({ level: 'silent' }), outgoing },
    );
  const apps = Array.from({ length: replicas }, build);
  const urls: string[] = [];
  for (const [index, app] of apps.entries()) {
    await app.start({ role: 'web', isAlone: index === 0 });
    urls.push(await app.http.listen({ port: 0, host: '127.0.0.1' }));
  }
  const [app] = apps as [App];
  const [url] = urls as [string];
  return {
    app,
    database,
    statementCount: logged.count,
    model,
    url,
    urls,
    operatorToken,
    organization: (options = {}) => createOrganization(app, url, operatorToken, options),
    async close() {
      for (const each of apps) await each.close();
      await outgoing.close();
      await model.close();
      await test.drop();
    },
  };
}

async function createOrganization(
  app: App,
  url: string,
  operatorToken: string,
  options: Record<string, unknown>,
): Promise<TestOrganization> {
  const created = await send(url, operatorToken, 'POST', '/v1/operator/organizations', { name: 'Test', ...options });
  const { organization, credentials } = (await created.json()) as {
    organization: { id: string };
    credentials: { clientId: string; clientSecret: string };
  };
  const token = await fetchToken(url, credentials);
  const member = async (userKey?: string): Promise<string> => {
    const clientId = `member-${randomBytes(6).toString('hex')}`;
    const secretHash = await hashSecret('member secret');
    await app.unitOfWork(systemActor(organization.id), ({ tx, now }) =>
      insertCredential(
        tx,
        unchanged({
          orgId: organization.id,
          clientId,
          secretHash,
          role: 'Member',
          userKey: userKey ?? null,
          name: 'A member',
          createdAt: now,
        }),
      ),
    );
    return fetchToken(url, { clientId, clientSecret: 'member secret' });
  };
  return {
    id: organization.id,
    token,
    call: (method, path, body, headers) => send(url, token, method, path, body, headers),
    member,
  };
}

async function fetchToken(url: string, credentials: { clientId: string; clientSecret: string }): Promise<string> {
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', credentials);
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

export function send(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** All events of an answer. */
export async function readEvents(response: Response): Promise<ServerSentEvent[]> {
  if (!response.body) throw new Error(`no stream: ${response.status}`);
  const events: ServerSentEvent[] = [];
  for await (const event of decodeEventStream(response.body as unknown as AsyncIterable<Uint8Array>))
    events.push(event);
  return events;
}

/** Waits for a condition, at most twenty seconds. */
export async function until(describe: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${describe}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
