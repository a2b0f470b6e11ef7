import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { modern } from '../../test/mcp-official-clients.ts';
import { end, listen } from '../../test/mcp-server.ts';
import { type App, buildApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { createOutgoing } from '../platform/outgoing/outgoing.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: false });
let prepared: TestDatabase;
let app: App;
let client: InstanceType<typeof modern.Client>;
let address: string;
let token: string;

beforeAll(async () => {
  prepared = await createTestDatabase();
  app = buildApp(
    {
      masterKey: randomBytes(32).toString('base64'),
      operatorToken: 'operator',
      model: { provider: 'built-in' },
      publicUrl: () => 'http://localhost',
    },
    { database: prepared.database, clock: systemClock, log: pino({ level: 'silent' }), outgoing },
  );
  const { credentials } = await app.identity.createOrganization({ name: 'Mill', model: 'blueprints' });
  address = await listen(app.http);
  token = `Bearer ${(await post('/v1/auth/access_token', credentials))['accessToken']}`;
  await post('/v1/blueprints', blueprint);
  await post('/v1/blueprints/service/entities', { identifier: 'cart', title: 'Cart', properties: { language: 'Go' } });
  client = new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: token };
  await client.connect(
    new modern.StreamableHTTPClientTransport(new URL(`${address}/v1/mcp`), { requestInit: { headers } }),
  );
});

afterAll(async () => {
  await outgoing.close();
  await client.close();
  await end(app.http);
  await app.close();
  await prepared.drop();
});

const blueprint = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { language: { type: 'string', title: 'Language' } }, required: [] },
};

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
}

async function call(name: string, given: Record<string, unknown> = {}) {
  const { isError, structuredContent } = await client.callTool({ name, arguments: given });
  return { isError: isError ?? false, content: structuredContent as Record<string, unknown> };
}

/** Arguments with which each tool of the product answers. */
const calls: Record<string, Record<string, unknown>> = {
  count_entities: { blueprint: 'service' },
  describe_user_details: {},
  get_blueprint: { identifier: 'service' },
  get_entities_by_identifiers: { blueprint: 'service', identifiers: ['cart'] },
  get_entity: { blueprint: 'service', identifier: 'cart' },
  list_blueprints: {},
  list_entities: { blueprint: 'service' },
  search_entities: { blueprint: 'service', text: 'car' },
};

test('every tool of the product is listed, and answers the official client', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(app.tools.tools.map(({ declaration }) => declaration.name));
  for (const { name } of tools) {
    expect(calls, `arguments for ${name}`).toHaveProperty(name);
    expect({ name, ...(await call(name, calls[name])) }).toMatchObject({ name, isError: false });
  }
});

test('a tool gives what the API gives', async () => {
  const { content } = await call('get_entity', { blueprint: 'service', identifier: 'cart' });
  const answer = await fetch(`${address}/v1/blueprints/service/entities/cart`, { headers: { authorization: token } });
  expect(content['entity']).toEqual(((await answer.json()) as { entity: object }).entity);
});

test('a tool refuses in the words of the API', async () => {
  expect(await call('get_entity', { blueprint: 'service', identifier: 'nope' })).toMatchObject({
    isError: true,
    content: { error: 'not_found' },
  });
});
