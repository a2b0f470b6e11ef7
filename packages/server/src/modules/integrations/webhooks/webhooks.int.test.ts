import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';
import { createWebhooks, type Webhooks, webhookPath } from '../../../../test/webhook-fixtures.ts';

let app: TestApp;
let blueprint: string;
let create: Webhooks['create'];
let send: Webhooks['send'];
let deliver: Webhooks['deliver'];
let mapping: Webhooks['mapping'];
beforeAll(async () => {
  app = await createTestApp();
  ({ blueprint, create, send, deliver, mapping } = await createWebhooks(app));
});
afterAll(() => app.close());

describe('a webhook', () => {
  test('that will fail is kept, and told', async () => {
    const body = {
      identifier: unique('hook'),
      title: 'T',
      mappings: [mapping({ filter: '.a && .b' })],
      security: { secret: 'only' },
    };
    const created = await app.request('POST', '/v1/webhooks', { body });
    expect(created.status).toBe(201);
    const warning = String(created.headers['warning']);
    expect(warning).toContain('/mappings/0/filter');
    expect(warning).toContain('signatureHeaderName');
  });

  test('keeps its address when it is renamed, and its secret is not in the audit log', async () => {
    const hook = await create({ security: { secret: 'hidden-from-log' } });
    const to = unique('renamed');
    const renamed = await app.request('PUT', webhookPath(hook.identifier), {
      body: { identifier: to, title: 'New', security: { secret: 'hidden-from-log' } },
    });
    expect(renamed.body.integration.url).toContain(hook.url);
    expect((await app.request('GET', webhookPath(hook.identifier))).status).toBe(404);
    const audits = JSON.stringify((await app.request('GET', `/v1/audit-log?webhookId=${to}`)).body);
    expect(audits).toContain('webhook');
    expect(audits).not.toContain('hidden-from-log');
    const other = await create();
    const clash = await app.request('PUT', webhookPath(to), { body: { identifier: other.identifier, title: 'New' } });
    expect([clash.status, clash.body.error]).toEqual([409, 'identifier_taken']);
    expect((await app.request('DELETE', webhookPath(to))).body).toEqual({ ok: true });
    expect((await send(hook, {})).status).toBe(404);
  });

  test.each([
    [{}, ['/title']],
    [{ title: 'T', identifier: 'metadata' }, ['/identifier']],
    [{ title: 'x'.repeat(31), identifier: 'a b' }, ['/identifier', '/title']],
    [{ title: 'T', more: 1 }, ['/more']],
    [
      { title: 'T', security: { signatureAlgorithm: 'md5', what: 1 } },
      ['/security/signatureAlgorithm', '/security/what'],
    ],
    [{ title: 'T', mappings: [{ blueprint: 'b' }] }, ['/mappings/0/entity']],
  ])('%j is refused where it is', async (body, paths) => {
    const before = await app.count('webhooks');
    const answer = await app.request('POST', '/v1/webhooks', { body });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(issuePaths(answer.body)).toEqual(paths);
    expect(await app.count('webhooks')).toBe(before);
  });

  test('is seen by name alone by members, and without what opens it by whoever is no administrator', async () => {
    const hook = await create({ security: { secret: 'not for all', signatureHeaderName: 'X' } });
    const machine = await app.organization.memberToken();
    const seen = await app.request('GET', webhookPath(hook.identifier), { token: machine });
    expect(seen.status).toBe(200);
    expect(seen.body.integration).not.toHaveProperty('url');
    expect(seen.body.integration).not.toHaveProperty('webhookKey');
    expect(seen.body.integration.security).toEqual({ signatureHeaderName: 'X' });
    const user = `${unique('user')}@example.com`;
    await createEntity(app.request, '_user', {
      identifier: user,
      properties: { status: 'Active', port_role: 'Member' },
    });
    const token = await app.organization.personToken(user);
    expect((await app.request('GET', '/v1/webhooks/metadata', { token })).status).toBe(200);
    const refused = [
      await app.request('GET', '/v1/webhooks', { token }),
      await app.request('GET', webhookPath(hook.identifier), { token }),
      await app.request('POST', '/v1/webhooks', { token, body: { title: 'T' } }),
      await app.request('GET', webhookPath(hook.identifier, '/deliveries'), { token }),
      await app.request('GET', webhookPath(hook.identifier, '/deliveries'), { token: machine }),
      await app.request('DELETE', webhookPath(hook.identifier), { token: machine }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  });
});

test('a secret is sealed at rest, and may name one of the organization', async () => {
  const security = { signatureHeaderName: 'X-Token', signatureAlgorithm: 'plain' };
  await app.request('POST', '/v1/organization/secrets', {
    body: { secretName: 'HOOK_TOKEN', secretValue: 'the value' },
  });
  const hook = await create({ security: { ...security, secret: 'HOOK_TOKEN' } });
  const read = await app.request('GET', webhookPath(hook.identifier));
  expect(read.body.integration.security.secret).toBe('HOOK_TOKEN');
  expect((await send(hook, {}, { headers: { 'x-token': 'the value' } })).status).toBe(202);
  expect((await send(hook, {}, { headers: { 'x-token': 'HOOK_TOKEN' } })).status).toBe(401);
  const written = await create({ security: { ...security, secret: 'written out' } });
  expect((await send(written, {}, { headers: { 'x-token': 'written out' } })).status).toBe(202);
  const rows = await app.database.rows(
    sql`select * from webhooks where org_id = ${app.organization.id} and sealed_secret is not null`,
  );
  expect(JSON.stringify(rows)).not.toContain('written out');
});

test('each organization has its own: names live side by side, and events reach one', async () => {
  const theirs = await app.createOrganization();
  const mine = await create({ mappings: [mapping()] });
  const theirBlueprint = await theirs.request('POST', '/v1/blueprints', {
    body: {
      identifier: blueprint,
      title: 'T',
      schema: { properties: { author: { type: 'string' }, size: { type: 'number' } } },
    },
  });
  expect(theirBlueprint.status).toBe(201);
  const created = await theirs.request('POST', '/v1/webhooks', {
    body: { identifier: mine.identifier, title: 'Theirs', mappings: [mapping()] },
  });
  expect(created.status).toBe(201);
  const id = unique('apart');
  await deliver(mine, { id });
  expect((await theirs.request('GET', `/v1/blueprints/${blueprint}/entities/${id}`)).status).toBe(404);
  // the key of one webhook with the organization of the other
  const [own, other] = [mine.url, created.body.integration.url].map((url) => url.split('/').at(-1) as string);
  const crossed = `/ingest/${(own as string).slice(0, 16)}${(other as string).slice(16)}`;
  expect((await app.request('POST', crossed, { token: null, body: {} })).status).toBe(404);
  expect((await theirs.request('GET', '/v1/webhooks')).body.integrations.length).toBe(1);
});
