import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { createHost, type ScriptedHost, scriptedSource } from '../../../../test/scripted-source.ts';
import { createWebhooks, type Hook, type Webhooks, webhookPath } from '../../../../test/webhook-fixtures.ts';

const host: ScriptedHost = createHost([{ id: 't1', size: 1 }]);
let app: TestApp;
let hooks: Webhooks;
beforeAll(async () => {
  app = await createTestApp({ sourceTypes: [scriptedSource(host)] });
  await app.app.jobs.start();
  hooks = await createWebhooks(app);
});
afterAll(() => app.close());
beforeEach(() => trust());

const secret = 's3cret-value';
const security = { secret, signatureHeaderName: 'X-Token', signatureAlgorithm: 'plain' };

async function put(trustedSources: readonly object[], more: object = {}) {
  return app.request('PUT', '/v1/ai/policy', { body: { injection: 'enforce', trustedSources, ...more } });
}

async function trust(...named: readonly [kind: string, identifier: string][]): Promise<void> {
  const answer = await put(named.map(([kind, identifier]) => ({ kind, identifier })));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const trusted = async () => (await app.request('GET', '/v1/ai/policy')).body.policy.trustedSources;

async function authorsOf(identifier: string): Promise<readonly string[] | undefined> {
  const row = await app.database.first<{ authors: string[] }>(sql`
    select text_authors as authors from entities where org_id = ${app.organization.id} and identifier = ${identifier}`);
  return row?.authors;
}

/** Sends an event with a new text; resolves to its authors. */
async function deliver(hook: Hook, id = unique('pr'), headers: Record<string, string> = { 'X-Token': secret }) {
  const sent = await hooks.send(hook, { id, title: unique('Title'), user: {} }, { headers });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  const path = webhookPath(hook.identifier, `/deliveries/${sent.body.deliveryId}`);
  const look = async () => (await app.request('GET', path)).body.delivery.state;
  await expect.poll(look, { timeout: 20_000 }).toBe('processed');
  return authorsOf(id);
}

const signedHook = () => hooks.create({ security, mappings: [hooks.mapping()] });

describe('a webhook', () => {
  test('is the author of what it brings while it is trusted, and no longer than that', async () => {
    const hook = await signedHook();
    expect(await deliver(hook, 'before')).toEqual(['outside']);
    await trust(['webhook', hook.identifier]);
    const own = [expect.stringMatching(new RegExp(`^source:webhook/\\d+/${hook.identifier}$`))];
    expect(await deliver(hook)).toEqual(own);
    // not for what it wrote before
    expect(await deliver(hook, 'before')).toEqual(['outside', ...own]);
    await trust();
    expect(await deliver(hook)).toEqual(['outside']);
  });

  test('is not trusted any more once it is changed, and another of its name is not trusted', async () => {
    const hook = await signedHook();
    await trust(['webhook', hook.identifier]);
    const body = { security: { ...security, secret: 'known to others' } };
    expect((await app.request('PATCH', webhookPath(hook.identifier), { body })).status).toBe(200);
    expect(await deliver(hook, undefined, { 'X-Token': 'known to others' })).toEqual(['outside']);
    await trust(['webhook', hook.identifier]);
    await app.request('DELETE', webhookPath(hook.identifier));
    const again = await hooks.create({ identifier: hook.identifier, security, mappings: [hooks.mapping()] });
    expect(await deliver(again)).toEqual(['outside']);
    expect(await trusted()).toEqual([]);
  });
});

describe('an integration', () => {
  const installationId = 'acme-pagerduty';
  const userAgent = `port-ocean/pagerduty/0.5.141/${installationId}/exporter`;
  const path = '/v1/blueprints/pagerdutyService/entities?upsert=true';

  test('is known by its credentials, and by nothing that a client says of itself', async () => {
    const settings = { apiUrl: 'https://api.pagerduty.com' };
    const made = await app.request('POST', '/v1/installs', { body: { type: 'pagerduty', installationId, settings } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { install, clientSecret } = made.body;
    const signIn = { clientId: install.clientId, clientSecret };
    const { accessToken } = (await app.request('POST', '/v1/auth/access_token', { body: signIn, token: null })).body;
    await trust(['integration', installationId]);

    const write = async (identifier: string, token: string, agent: string) => {
      const body = { identifier, title: unique('Title') };
      const answer = await app.request('POST', path, { body, token, headers: { 'user-agent': agent } });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return authorsOf(identifier);
    };
    const own = [expect.stringMatching(/^source:integration\/\d+\/acme-pagerduty$/)];
    expect(await write('by-client', accessToken, userAgent)).toEqual(own);
    expect(await write('by-client-as-another', accessToken, 'curl/8')).toEqual(own);
    expect(await write('by-spoofed-agent', app.organization.token, userAgent)).toEqual(['outside']);
    await app.request('DELETE', `/v1/installs/${installationId}`);
    expect(await trusted()).toEqual([]);
  });
});

test('a source is the author of what it reads, until it is let read something else', async () => {
  const body = { type: 'scripted', identifier: 'host', secrets: { token: host.token }, scheduleMinutes: null };
  expect((await app.request('POST', '/v1/sources', { body })).status).toBe(201);
  await trust(['source', 'host']);
  const { sync } = (await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } })).body;
  const look = async () => (await app.request('GET', `/v1/sources/host/syncs/${sync.id}`)).body.sync;
  await expect.poll(async () => (await look()).endedAt, { timeout: 20_000 }).not.toBeNull();
  expect(await authorsOf('t1')).toEqual([expect.stringMatching(/^source:source\/\d+\/host$/)]);
  await app.request('PATCH', '/v1/sources/host', { body: { title: 'The same' } });
  expect(await trusted()).toEqual([{ kind: 'source', identifier: 'host' }]);
  await app.request('PATCH', '/v1/sources/host', { body: { secrets: { token: host.token } } });
  expect(await trusted()).toEqual([]);
});

describe('naming what to trust', () => {
  test('says of each name what is wrong, and foreign ones are answered as unknown ones', async () => {
    const other = await app.createOrganization();
    const theirs = { identifier: unique('theirs'), title: 'Hook', enabled: true, security };
    expect((await other.request('POST', '/v1/webhooks', { body: theirs })).status).toBe(201);
    const unsigned = await hooks.create({ mappings: [hooks.mapping()] });
    const signed = await signedHook();
    const webhook = (identifier: string) => ({ kind: 'webhook', identifier });
    const names = [theirs.identifier, 'unknown', unsigned.identifier, signed.identifier, signed.identifier].map(
      webhook,
    );
    const { status, body } = await put([...names, { kind: 'integration', identifier: signed.identifier }]);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details).toEqual([
      { path: '/trustedSources/0/identifier', message: 'names no webhook of this organization' },
      { path: '/trustedSources/1/identifier', message: 'names no webhook of this organization' },
      { path: '/trustedSources/2/identifier', message: expect.stringContaining('give it a secret first') },
      { path: '/trustedSources/4/identifier', message: 'is named above' },
      { path: '/trustedSources/5/identifier', message: 'names no integration of this organization' },
    ]);
    expect(await trusted()).toEqual([]);
    expect((await other.request('GET', '/v1/ai/policy')).body.policy.trustedSources).toEqual([]);
  });

  test('is for administrators, stays as it is where nothing is said of it, and is recorded', async () => {
    const hook = await signedHook();
    const named = [{ kind: 'webhook', identifier: hook.identifier }];
    const token = await app.organization.memberToken();
    const asMember = { body: { injection: 'enforce', trustedSources: named }, token };
    expect((await app.request('PUT', '/v1/ai/policy', asMember)).status).toBe(403);
    expect((await put([{ kind: 'mail', identifier: '' }])).body.details).toMatchObject([
      { path: '/trustedSources/0/kind' },
      { path: '/trustedSources/0/identifier' },
    ]);
    await trust(['webhook', hook.identifier]);
    await app.request('PUT', '/v1/ai/policy', { body: { injection: 'enforce' } });
    expect(await trusted()).toEqual(named);
    const { audits } = (await app.request('GET', '/v1/audit-log?resources=organization&limit=5')).body;
    expect(JSON.stringify(audits)).toContain(hook.identifier);
  });

  test('a webhook that lost its secret is not trusted, whatever is stored', async () => {
    const hook = await signedHook();
    await trust(['webhook', hook.identifier]);
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update webhooks set sealed_secret = null, definition = jsonb_set(definition, '{security}', '{}')
        where org_id = ${app.organization.id} and identifier = ${hook.identifier}`),
    );
    expect(await deliver(hook, undefined, {})).toEqual(['outside']);
  });
});
