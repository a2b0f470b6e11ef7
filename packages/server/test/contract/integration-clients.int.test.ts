import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { createBlueprint, unique } from '../catalog-fixtures.ts';

// What each client sends of integrations and webhooks and needs back: api contract §3.13, §3.14 and §4.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('the Terraform provider', () => {
  const headers = { 'user-agent': 'terraform-provider-port-labs/2.2.0', accept: 'application/json' };
  const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });

  test('an integration with nothing but its name: nulls are taken, echoed, and a second apply finds no change', async () => {
    const installationId = unique('tf-integration');
    const body = { installationId, title: null, installationAppType: null, version: null, config: null };
    const created = await send('POST', '/v1/integration', { ...body, changelogDestination: null });
    expect([created.status, created.body.ok]).toEqual([201, true]);
    const read = async () =>
      (await send('GET', `/v1/integration/${installationId}?byField=installationId`)).body.integration;
    const first = await read();
    // what is not null here would be a difference to the plan
    expect(first).toMatchObject({ ...body, changelogDestination: null });
    app.clock.advance(60_000);
    const again = await send('PATCH', `/v1/integration/${installationId}`, body);
    expect(again.body.integration).toEqual(first);
    expect(await read()).toEqual(first);
    expect((await send('DELETE', `/v1/integration/${installationId}`)).body).toEqual({ ok: true });
    expect((await send('GET', `/v1/integration/${installationId}`)).status).toBe(404);
  });

  test('an integration with everything, changed, and with a mapping it stops to manage', async () => {
    const installationId = unique('tf-integration');
    const body = {
      installationId,
      title: 'My integration',
      installationAppType: 'WEBHOOK',
      version: '1.33.7',
      config: {
        createMissingRelatedEntities: true,
        resources: [{ kind: 'k', port: { entity: { mappings: [{ p: 123 }] } } }],
      },
      changelogDestination: { type: 'WEBHOOK', url: 'https://example.com/hook', agent: true },
    };
    const created = await send('POST', '/v1/integration', body);
    expect(created.body.integration).toMatchObject(body);
    const title = 'Another title';
    const changed = await send('PATCH', `/v1/integration/${installationId}`, { ...body, title });
    expect(changed.body.integration).toMatchObject({ ...body, title });
    const left = await send('PATCH', `/v1/integration/${installationId}`, { ...body, title: null, config: null });
    expect(left.body.integration).toMatchObject({ title: null, config: body.config });
  });

  const webhook = (identifier: string, blueprint: string) => ({
    identifier,
    title: 'Test',
    icon: 'Terraform',
    description: 'Pull requests',
    enabled: true,
    security: {
      secret: 'as it was written',
      signatureHeaderName: 'X-Hub-Signature-256',
      signatureAlgorithm: 'sha256',
      signaturePrefix: 'sha256=',
      requestIdentifierPath: '.body.repository.full_name',
    },
    mappings: [
      {
        blueprint,
        // not jq: it is kept all the same
        filter: '.headers."X-GitHub-Event" == "pull_request" && .body.action == "opened"',
        itemsToParse: '.body.pull_request',
        operation: { type: 'create' },
        entity: {
          identifier: '.body.pull_request.id | tostring',
          title: '.body.pull_request.title',
          icon: '"Terraform"',
          team: '"port"',
          properties: { author: '.body.pull_request.user.login', url: '.body.pull_request.html_url' },
          relations: {
            one: '.body.one',
            two: { combinator: "'and'", rules: [{ property: "'p'", operator: "'='", value: '.body.two' }] },
          },
        },
      },
      { blueprint, operation: { type: 'delete', deleteDependents: false }, entity: { identifier: '.body.id' } },
      { blueprint, operation: 'delete', entity: { identifier: '.body.id', properties: {} } },
    ],
  });

  test('a webhook comes back as it was sent, the secret too, and a second apply finds no change', async () => {
    const identifier = unique('tf-hook');
    const body = webhook(identifier, await createBlueprint(app.request, 'tf'));
    const created = await send('POST', '/v1/webhooks', body);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const read = async () => (await send('GET', `/v1/webhooks/${identifier}`)).body.integration;
    const { webhookKey, url, createdAt, createdBy, updatedAt, updatedBy, ...rest } = await read();
    expect(rest).toEqual(body);
    expect(url).toBe(`http://127.0.0.1:3000/ingest/${webhookKey}`);
    expect([createdAt, updatedAt].map((at) => new Date(at).toISOString())).toEqual([createdAt, updatedAt]);
    expect([createdBy, updatedBy]).toEqual([app.organization.clientId, app.organization.clientId]);
    app.clock.advance(60_000);
    const journal = await app.organization.journal();
    expect((await send('PUT', `/v1/webhooks/${identifier}`, body)).body.integration.updatedAt).toBe(updatedAt);
    expect(await app.organization.journal()).toEqual(journal);
    const { integrations } = (await send('GET', '/v1/webhooks')).body;
    expect(integrations.find((each: { identifier: string }) => each.identifier === identifier)).toEqual(await read());
    expect((await send('DELETE', `/v1/webhooks/${identifier}`)).body).toEqual({ ok: true });
  });

  test('a webhook with the least: security is an object, nothing is added', async () => {
    const identifier = unique('tf-hook');
    const created = await send('POST', '/v1/webhooks', { identifier, title: 'T', security: {} });
    expect(Object.keys(created.body.integration).sort()).toEqual([
      'createdAt',
      'createdBy',
      'enabled',
      'identifier',
      'security',
      'title',
      'updatedAt',
      'updatedBy',
      'url',
      'webhookKey',
    ]);
    expect(created.body.integration).toMatchObject({ enabled: true, security: {} });
    const nulls = { identifier, title: 'T', icon: null, description: null, mappings: null, security: { secret: null } };
    const put = await send('PUT', `/v1/webhooks/${identifier}`, nulls);
    expect([put.status, put.body.integration]).toEqual([200, created.body.integration]);
    const unnamed = await send('POST', '/v1/webhooks', { title: 'T', enabled: false });
    expect(unnamed.body.integration).toMatchObject({ identifier: expect.stringMatching(/^webhook_/), enabled: false });
  });
});

describe('the Kubernetes exporter', () => {
  test('a page without a type is a dashboard', async () => {
    const identifier = unique('page');
    const created = await app.request('POST', '/v1/pages', { body: { identifier, title: 'Workloads' } });
    expect([created.status, created.body.page.type]).toEqual([201, 'dashboard']);
  });

  test('starts, restarts, and polls: the moment moves with the mapping and with nothing else', async () => {
    const key = unique('my-cluster');
    const headers = { 'user-agent': `port-k8s-exporter/^0.3.4 (statekey/${key})` };
    const send = (method: string, path: string, body?: unknown) => app.request(method, `/v1${path}`, { body, headers });
    const own = `/integration/${key}`;
    expect((await send('GET', own)).body.ok).toBe(false);
    const config = { resources: [{ kind: 'v1/pods' }], deleteDependents: true, crdsToDiscover: '' };
    const body = { installationId: key, title: key, installationAppType: 'K8S EXPORTER', config };
    const created = await send('POST', '/integration', body);
    expect(created.body).toMatchObject({
      ok: true,
      integration: { ...body, logAttributes: { ingestUrl: expect.any(String) } },
    });
    app.clock.advance(60_000);
    await send('PATCH', own, { version: '', config });
    const before = (await send('GET', `${own}?isPolling=true`)).body.integration;
    app.clock.advance(60_000);
    const log = { logs: [{ level: 'info', ts: 1, msg: 'zap', message: 'm' }] };
    await send('POST', before.logAttributes.ingestUrl.replace('http://127.0.0.1:3000/v1', ''), log);
    await send('POST', `${own}/kinds/v1%2Fpods/examples`, { examples: [{ a: 1 }] });
    expect((await send('GET', `${own}?isPolling=true`)).body.integration.updatedAt).toBe(before.updatedAt);
    expect((await send('GET', `${own}/kinds`)).body.data).toMatchObject({
      'v1/pods': { examples: [{ data: { a: 1 } }] },
    });
    await send('PATCH', own, { config: { ...config, deleteDependents: false } });
    const after = (await send('GET', `${own}?isPolling=true`)).body.integration;
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await send('DELETE', own)).status).toBe(200);
  });

  test('finds all of its entities without asking for pages', async () => {
    const key = unique('my-cluster');
    const headers = { 'user-agent': `port-k8s-exporter/^0.3.4 (statekey/${key})` };
    const blueprint = await createBlueprint(app.request, 'pod');
    for (let from = 0; from < 1_040; from += 20) {
      const entities = Array.from({ length: 20 }, (_none, at) => ({ identifier: `pod-${from + at}` }));
      await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, {
        body: { entities },
        headers,
      });
    }
    const path =
      '/v1/blueprints/entities/datasource-entities?exclude_calculated_properties=true&include=blueprint&include=identifier';
    const body = { datasource_prefix: 'port-k8s-exporter', datasource_suffix: `(statekey/${key})` };
    const found = await app.request('POST', path, { body });
    expect(found.body.entities.length).toBe(1_040);
    expect(found.body).not.toHaveProperty('next');
    expect(found.body.entities[0]).toEqual({ identifier: 'pod-0', blueprint });
    const page = await app.request('POST', path, { body: { ...body, limit: 1_000 } });
    const rest = await app.request('POST', path, { body: { ...body, from: page.body.next } });
    expect([page.body.entities.length, rest.body.entities.length]).toEqual([1_000, 40]);
  });
});

describe('files of a repository, pushed by the GitHub action', () => {
  test('keep what they leave out, clear what is null, and take along what they drop', async () => {
    const headers = { 'user-agent': 'github-action/v1.0' };
    const blueprint = await createBlueprint(app.request, 'service', {
      properties: { language: { type: 'string' }, tier: { type: 'string' } },
      relations: { system: { target: await createBlueprint(app.request, 'system') } },
    });
    const upsert = (body: object) =>
      app.request(
        'POST',
        `/v1/blueprints/${blueprint}/entities?upsert=true&merge=true&create_missing_related_entities=true`,
        {
          body: { blueprint, ...body },
          headers,
        },
      );
    const first = {
      identifier: 'shop',
      title: 'Shop',
      properties: { language: 'Go', tier: 'gold' },
      relations: { system: 'pay' },
    };
    expect((await upsert(first)).body.entity.identifier).toBe('shop');
    const second = await upsert({ identifier: 'shop', properties: { tier: null }, relations: { system: null } });
    expect(second.body.entity).toMatchObject({
      title: 'Shop',
      properties: { language: 'Go', tier: null },
      relations: { system: null },
    });
    const gone = await app.request('DELETE', `/v1/blueprints/${blueprint}/entities/shop?delete_dependents=true`, {
      headers,
    });
    expect(gone.body).toEqual({ ok: true });
  });
});
