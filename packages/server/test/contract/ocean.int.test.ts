import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { createBlueprint, unique } from '../catalog-fixtures.ts';

// The sequences of an Ocean integration: its starts, and what it reads to find what left its source (api contract §4.2).

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('an Ocean integration', () => {
  const type = 'github-ocean';
  const agent = (identifier: string, feature = '') => `port-ocean/${type}/1.2.3/${identifier}${feature}`;

  test('starts: the sequence of its first start, and of its second', async () => {
    const identifier = unique('my-ocean');
    const headers = { 'user-agent': agent(identifier) };
    const send = (method: string, path: string, body?: unknown, more = {}) =>
      app.request(method, `/v1${path}`, { body, headers: { ...headers, ...more } });
    const own = `/integration/${identifier}`;
    expect((await send('GET', '/integration/provision-enabled')).body).toEqual({ ok: true, integrations: [] });
    for (const query of ['', '?oceanCoreVersion=0.28.1&isPolling=false']) {
      const absent = await send('GET', own + query);
      expect([absent.status, 'integration' in absent.body]).toEqual([404, false]);
    }
    const fresh = {
      installationId: identifier,
      installationAppType: type,
      version: '1.2.3',
      changelogDestination: {},
      config: {},
      actionsProcessingEnabled: false,
      incrementalSyncEnabled: false,
      createPortResourcesOrigin: 'Ocean',
    };
    const created = await send('POST', '/integration?integration_modes=create_resources', fresh);
    expect([created.status, created.body.integration]).toMatchObject([201, fresh]);
    const { integration } = created.body;
    expect(integration).toMatchObject({
      _id: expect.any(String),
      _orgId: app.organization.id,
      identifier,
      integrationType: type,
      installationType: 'OnPrem',
      processingMode: 'ocean-core',
      arePortResourcesInitialized: false,
      resyncState: {},
      logAttributes: { ingestUrl: expect.stringContaining('http') },
      metricAttributes: { ingestUrl: expect.stringContaining('http') },
      ingestAttributes: { ingestUrl: expect.stringContaining('http') },
    });
    const config = { resources: [{ kind: 'r', selector: { query: 'true' } }] };
    const mapped = await send('PATCH', `${own}/config`, { config }, { 'x-skip-resync': 'true' });
    expect(mapped.body.integration.config).toEqual(config);
    const done = await send('PATCH', own, { arePortResourcesInitialized: true, version: '1.2.3' });
    expect(done.body.integration.arePortResourcesInitialized).toBe(true);
    const request = (await send('GET', `${own}/resync-request`)).body.request;
    expect(request.updatedAt).toBe(integration.createdAt);
    const second = (await send('GET', own)).body.integration;
    expect(second).toMatchObject({
      config,
      changelogDestination: {},
      version: '1.2.3',
      actionsProcessingEnabled: false,
    });
  });
});

test('what has left its source is listed alone, and for Ocean in a resync among all that did not change', async () => {
  const identifier = unique('small-ocean');
  const headers = { 'user-agent': `port-ocean/fake/0.1.0/${identifier}/exporter` };
  const blueprint = await createBlueprint(app.request, 'small');
  const sync = async (names: readonly string[]) => {
    const entities = names.map((name) => ({ identifier: name, title: name, properties: {}, relations: {} }));
    const path = `/v1/blueprints/${blueprint}/entities/bulk?upsert=true&merge=true&create_missing_related_entities=true`;
    const { status, body } = await app.request('POST', path, { body: { entities }, headers });
    expect([status, body.errors]).toEqual([200, []]);
  };
  await sync(['a', 'b', 'c', 'd', 'gone']);
  app.clock.advance(60_000);
  const before = app.clock.now().toISOString();
  await sync(['a', 'b', 'c', 'd', 'new']);
  const listed = async () => {
    const body = {
      datasource_prefix: 'port-ocean/fake/',
      datasource_suffix: `/${identifier}/exporter`,
      limit: 5000,
      before: before.replace('Z', '000+00:00'),
    };
    const answer = await app.request('POST', '/v1/blueprints/entities/datasource-entities', { headers, body });
    return answer.body.entities.map(({ identifier: name }: { identifier: string }) => name);
  };
  expect(await listed()).toEqual(['gone']);
  // in a resync it takes out what it wrote, and deletes nothing if more than nine tenths of the list would go
  const integration = { installationId: identifier, installationAppType: 'fake', version: '0.1.0', config: {} };
  await app.request('POST', '/v1/integration', { headers, body: { ...integration, changelogDestination: {} } });
  const state = { status: 'running', lastResyncStart: before, lastResyncEnd: null };
  await app.request('PATCH', `/v1/integration/${identifier}/resync-state`, { headers, body: state });
  expect(await listed()).toEqual(['a', 'b', 'c', 'd', 'gone']);
});
