import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
  blueprint = await createBlueprint(app.request, 'build', { schema: { properties: { size: { type: 'number' } } } });
});
afterAll(() => app.close());

const tryIt = (body: object, options: object = {}) => app.request('POST', '/v1/mappings/test', { body, ...options });
const count = async () => (await app.request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities.length;
const ofWebhook = (entity: object, more: object = {}) => ({ blueprint, entity, ...more });
const event = (body: unknown) => ({ body, headers: {}, queryParams: {} });

test('a mapping of a webhook is tried on events, and nothing is written', async () => {
  const before = await count();
  const mapping = ofWebhook(
    { identifier: '.body.id', properties: { size: '.body.size' } },
    { filter: '.body.id != null' },
  );
  const { status, body } = await tryIt({ mapping, examples: [event({ id: 'a', size: 3 }), event({})] });
  expect(status).toBe(200);
  expect(body.results).toEqual([
    { example: 0, entities: [{ blueprint, identifier: 'a', properties: { size: 3 } }], skipped: 0 },
    { example: 1, entities: [], skipped: 0, filtered: true, reason: 'The filter gave false and not true' },
  ]);
  expect(await count()).toBe(before);
});

test('what the catalog would refuse is said, with what failed and where', async () => {
  const mapping = ofWebhook({ identifier: '.body.id', title: '.body.id | error', properties: { size: '.body.size' } });
  const { body } = await tryIt({ mapping, examples: [event({ id: 'a', size: 'many' })] });
  expect(body.results[0]).toMatchObject({
    issues: [{ item: 0, path: '/entity/title', message: expect.stringContaining('"title" failed') }],
    refused: [{ entity: 'a', message: expect.any(String) }],
  });
  const missing = { ...mapping, blueprint: unique('missing') };
  expect((await tryIt({ mapping: missing, examples: [event({ id: 'a' })] })).body.results[0].refused).toMatchObject([
    { entity: 'a', message: expect.stringContaining(missing.blueprint) },
  ]);
});

test('a resource of an integration may make several entities, and computes their blueprint', async () => {
  const mappings = [
    { identifier: '.name', blueprint: `'${blueprint}'` },
    { identifier: '.part.name', blueprint: `"${blueprint}"`, properties: { size: '.part.' } },
  ];
  const port = { itemsToParse: '.parts', itemsToParseName: 'part', entity: { mappings } };
  const { body } = await tryIt({ mapping: { kind: 'x', port }, examples: [{ name: 'whole', parts: [{ name: 'p' }] }] });
  expect(body.results).toMatchObject([
    { entities: [{ identifier: 'whole', blueprint }] },
    { entities: [{ identifier: 'p' }], issues: [{ path: '/port/entity/mappings/1/properties/size' }] },
  ]);
});

test('without examples those of the integration are taken; without any it says so', async () => {
  const installationId = unique('installation');
  await app.request('POST', '/v1/integration', { body: { installationId } });
  const mapping = {
    kind: 'repo',
    port: { entity: { mappings: { identifier: '.name', blueprint: `"${blueprint}"` } } },
  };
  expect(issuePaths((await tryIt({ mapping, identifier: installationId })).body)).toEqual(['/examples']);
  const examples = { examples: [{ name: 'till' }] };
  await app.request('POST', `/v1/integration/${installationId}/kinds/repo/examples`, { body: examples });
  const { body } = await tryIt({ mapping, identifier: installationId });
  expect(body.results).toMatchObject([{ entities: [{ identifier: 'till' }] }]);
  expect((await tryIt({ mapping, identifier: unique('nobody') })).status).toBe(404);
});

test('another organization’s integration and blueprints are not there', async () => {
  const theirs = await app.createOrganization();
  const installationId = unique('installation');
  await app.request('POST', '/v1/integration', { body: { installationId } });
  const mapping = { kind: 'repo', port: { entity: { mappings: { identifier: '.n', blueprint: `"${blueprint}"` } } } };
  const asked = (body: object) => theirs.request('POST', '/v1/mappings/test', { body });
  expect((await asked({ mapping, identifier: installationId })).status).toBe(404);
  const { body } = await asked({ mapping, examples: [{ n: 'a' }] });
  expect(body.results[0].refused).toMatchObject([{ message: expect.stringContaining(blueprint) }]);
});

test('it is for administrators, and closed to what it does not know', async () => {
  const mapping = ofWebhook({ identifier: '.body.id' });
  expect((await tryIt({ mapping, examples: [event({})], more: 1 })).status).toBe(422);
  expect((await tryIt({ mapping }, { token: null })).status).toBe(401);
});
