import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { requiredScope } from '@portolan/contract/scopes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';

let app: TestApp;
let readOnly: string;
let entitiesOnly: string;
beforeAll(async () => {
  app = await createTestApp();
  await app.request('POST', '/v1/blueprints', { body: blueprintBody('thing') });
  await createEntity(app.request, 'thing', { identifier: 'one' });
  readOnly = await tokenWith(['read:*']);
  entitiesOnly = await tokenWith(['read:entities', 'update:entities']);
});
afterAll(() => app.close());

async function tokenWith(scopes: readonly string[], token = app.organization.token) {
  const body = { name: scopes.join(' '), scopes };
  const answer = await app.request('POST', '/v1/users/me/tokens', { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.accessToken as string;
}

/** All but the stream without end, whose own test asks for its scope. */
const restricted = operations.filter(
  ({ id, access }) => (access === 'token' || access === 'admin') && id !== 'followChanges',
);

/** Asks with a path that leads nowhere and a body that fits nothing: who gets past the scope is refused later. */
function ask({ method, path }: Operation, token: string) {
  const url = path.replace(/\{\w+\}/g, 'nothing');
  return app.request(method, url, { token, ...(method === 'GET' ? {} : { payload: '[' }) });
}

/** The only operations that are not GET and only read. */
const searches = [
  'describeAuthorization',
  'evaluateForm',
  'evaluateTriggerForm',
  'explainPermission',
  'simulatePermissions',
  'countBlueprintValues',
  'countRelated',
  'aggregateEntities',
  'aggregateOverTime',
  'getPropertiesHistory',
  'groupBlueprintEntities',
  'planInstall',
  'planPack',
  'rehearseCutover',
  'rehearseUsersAndTeams',
  'searchBlueprintEntities',
  'searchByDatasource',
  'searchEntities',
  'testMapping',
  'topSearch',
];

describe('a token that may only read', () => {
  test.each(restricted.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const isRead = operation.method === 'GET' || searches.includes(id);
    const before = await app.count('journal');
    const answer = await ask(operation, readOnly);
    expect(answer.body.error === 'insufficient_scope').toBe(!isRead);
    expect(answer.status === 403).toBe(!isRead);
    expect(await app.count('journal')).toBe(before);
  });

  test('is for no operation that is not GET, except searches', () => {
    const reading = restricted.filter(
      (operation) => operation.method !== 'GET' && (requiredScope(operation) ?? 'read').startsWith('read'),
    );
    expect(reading.map(({ id }) => id).filter((id) => !searches.includes(id))).toEqual([]);
  });

  test('is refused writing tools over MCP, and the tools are not listed', async () => {
    const rpc = (method: string, params: object, token: string) =>
      app.request('POST', '/v1/mcp', { token, body: { jsonrpc: '2.0', id: 1, method, params } });
    const names = (answer: Awaited<ReturnType<typeof rpc>>) =>
      answer.body.result.tools.map(({ name }: { name: string }) => name);
    const writing = app.app.tools.tools.filter(({ declaration }) => declaration.effect !== 'read');
    const listed = names(await rpc('tools/list', {}, readOnly));
    expect(listed).toContain('list_entities');
    for (const { declaration } of writing) {
      expect(listed).not.toContain(declaration.name);
      const answer = await rpc('tools/call', { name: declaration.name, arguments: {} }, readOnly);
      expect(JSON.stringify(answer.body)).toContain('insufficient_scope');
    }
    expect(names(await rpc('tools/list', {}, entitiesOnly))).not.toContain('list_blueprints');
    const refused = await rpc('tools/call', { name: 'list_blueprints', arguments: {} }, entitiesOnly);
    expect(refused.body.result).toMatchObject({ isError: true, structuredContent: { error: 'insufficient_scope' } });
    const allowed = await rpc(
      'tools/call',
      { name: 'count_entities', arguments: { blueprint: 'thing' } },
      entitiesOnly,
    );
    expect(allowed.body.result.isError).toBeUndefined();
  });

  test('cannot ask the assistant, and one that may only ask it cannot read past it', async () => {
    const invoke = (token: string) =>
      app.request('POST', '/v1/ai/invoke', {
        token,
        headers: { prefer: 'respond-async' },
        body: { userPrompt: 'How many things are there?' },
      });
    expect((await invoke(readOnly)).body.error).toBe('insufficient_scope');
    const asking = await tokenWith(['invoke:ai', 'read:ai']);
    const accepted = await invoke(asking);
    expect(accepted.status).toBe(202);
    const answer = `/v1/ai/invoke/${accepted.body.invocation.identifier}`;
    const read = async () => (await app.request('GET', answer, { token: asking })).body;
    await expect.poll(read, { timeout: 10_000 }).toMatchObject({ result: { status: 'Completed' } });
    expect(JSON.stringify(await read())).not.toContain('insufficient_scope');
    expect((await app.request('GET', '/v1/blueprints/thing/entities', { token: asking })).status).toBe(403);
  });
});

describe('a restricted token', () => {
  test('may do what its scopes say and nothing beside', async () => {
    const entity = '/v1/blueprints/thing/entities/one';
    const change = { token: entitiesOnly, body: { title: 'One' } };
    expect((await app.request('PATCH', entity, change)).status).toBe(200);
    expect((await app.request('DELETE', entity, { token: entitiesOnly })).body.error).toBe('insufficient_scope');
    expect((await app.request('GET', '/v1/blueprints', { token: entitiesOnly })).body.error).toBe('insufficient_scope');
    expect((await app.request('GET', '/v1/organization', { token: entitiesOnly })).status).toBe(200);
  });

  test('has no more rights than its owner', async () => {
    const token = await tokenWith(['update:blueprints', 'read:*'], await app.organization.memberToken());
    const answer = await app.request('PATCH', '/v1/blueprints/thing', { token, body: { title: 'X' } });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
  });

  test('gives out no credential that may do more', async () => {
    const token = await tokenWith(['create:tokens', 'update:tokens', 'create:apps', 'update:apps', 'update:users']);
    const make = (path: string, body: object) => app.request('POST', path, { token, body });
    const [journal, credentials, tokens] = await counts();
    for (const [path, body] of [
      ['/v1/users/me/tokens', { name: 'all' }],
      ['/v1/users/me/tokens', { name: 'star', scopes: ['*'] }],
      ['/v1/users/me/tokens', { name: 'more', scopes: ['create:tokens', 'read:entities'] }],
      ['/v1/apps', { name: 'all' }],
      ['/v1/apps', { name: 'more', scopes: ['read:*'] }],
      [`/v1/apps/${app.organization.clientId}/rotate-secret`, {}],
      ['/v1/rotate-credentials/nobody@example.com', {}],
    ] as const) {
      const answer = await make(path, body);
      expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'insufficient_scope']);
    }
    const wide = await app.request('GET', '/v1/users/me/tokens');
    const other = wide.body.tokens.find(({ name }: { name: string }) => name === 'read:*');
    expect((await make(`/v1/users/me/tokens/${other.id}/rotate`, {})).body.error).toBe('insufficient_scope');
    expect(await counts()).toEqual([journal, credentials, tokens]);
    const less = await make('/v1/users/me/tokens', { name: 'less', scopes: ['create:tokens'] });
    expect(less.body.token.scopes).toEqual(['create:tokens']);
  });

  test('of restricted credentials is restricted like them, also when they are restricted later', async () => {
    const { body } = await app.request('POST', '/v1/apps', { body: { name: 'narrow' } });
    const { id: clientId, secret: clientSecret } = body.app;
    const issued = await app.request('POST', '/v1/auth/access_token', {
      token: null,
      body: { clientId, clientSecret },
    });
    const access = issued.body.accessToken;
    const own = await tokenWith(['read:*', 'update:entities'], access);
    const statuses = async () => [
      (await app.request('PATCH', '/v1/blueprints/thing', { token: access, body: { title: 'Thing' } })).status,
      (await app.request('GET', '/v1/blueprints', { token: own })).status,
      (await app.request('PATCH', '/v1/blueprints/thing/entities/one', { token: own, body: {} })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await app.request('POST', `/v1/apps/${clientId}/permissions`, { body: { permissions: ['read:blueprints'] } });
    app.clock.advance(1000);
    expect(await statuses()).toEqual([403, 200, 403]);
    await app.request('POST', `/v1/apps/${clientId}/permissions`, { body: { permissions: ['*'] } });
    app.clock.advance(1000);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  test('knows its scopes, and everybody theirs', async () => {
    const scopesOf = async (token: string): Promise<string[]> =>
      (await app.request('GET', '/v1/auth/permissions?action_version=v2', { token })).body.permissions;
    expect(await scopesOf(entitiesOnly)).toEqual(['read:entities', 'update:entities']);
    const all = await scopesOf(app.organization.token);
    expect(all).toEqual(expect.arrayContaining(['create:blueprints', 'update:organization', 'read:secrets']));
    const member = await scopesOf(await app.organization.memberToken());
    expect(member).toContain('read:entities');
    expect(member).not.toContain('update:blueprints');
    expect(member).not.toContain('read:apps');
    expect((await scopesOf(readOnly)).every((scope) => scope.startsWith('read:'))).toBe(true);
  });
});

async function counts(): Promise<number[]> {
  return Promise.all(['journal', 'credentials', 'api_tokens'].map((table) => app.count(table)));
}
