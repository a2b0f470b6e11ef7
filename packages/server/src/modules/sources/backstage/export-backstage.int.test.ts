import { readYaml } from '@portolan/backstage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { importLines } from '../../../../test/import-lines.ts';

let app: TestApp;
let organization: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
  organization = await app.createOrganization();
  const blueprint = {
    identifier: 'component',
    title: 'Component',
    schema: { properties: { type: { type: 'string' }, backstage: { type: 'object' } } },
    ownership: { type: 'Direct' },
  };
  const made = await organization.request('POST', '/v1/blueprints', { body: blueprint });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const document = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'Cart', odd: 'kept' },
    spec: { type: 'service', lifecycle: 'production', owner: 'payments', unknown: { deep: [1] } },
  };
  const lines = [
    { identifier: 'cart', title: 'Cart', properties: { type: 'website', backstage: document } },
    ...Array.from({ length: 600 }, (_none, at) => ({ identifier: `born-${at}`, title: `Born ${at}` })),
  ];
  const { done } = await importLines(organization.request, 'blueprint=component', lines);
  expect(done).toMatchObject({ created: 601 });
});
afterAll(() => app.close());

const documents = (text: string) =>
  readYaml(text, 'export.yaml').values.map(({ value }) => value as { metadata: { name: string }; spec: object });

test('the catalog comes as documents: as they were written with what changed, and small ones for what was made here', async () => {
  const { status, body } = await organization.request('GET', '/v1/exports/backstage?blueprints=component');
  expect(status).toBe(200);
  expect((body as string).trimEnd().endsWith('# end')).toBe(true);
  const all = documents(body as string);
  expect(all).toHaveLength(601);
  expect(all.find(({ metadata }) => metadata.name === 'Cart')).toMatchObject({
    metadata: { odd: 'kept' },
    spec: { type: 'website', unknown: { deep: [1] } },
  });
  expect(all.find(({ metadata }) => metadata.name === 'born-599')).toMatchObject({ kind: 'Component' });
});

test('nobody gets what they may not read', async () => {
  const path = '/v1/exports/backstage?blueprints=component';
  const permissions = { entities: { read: { ownedByTeam: true, roles: [], users: [], teams: [] } } };
  const set = await organization.request('PATCH', '/v1/blueprints/component/permissions', { body: permissions });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  const token = await organization.memberToken();
  const named = await organization.request('GET', path, { token });
  expect([named.status, named.body.error]).toEqual([404, 'not_found']);
  const mine = await organization.request('GET', '/v1/exports/backstage', { token });
  expect(mine.status).toBe(200);
  expect(documents(mine.body).filter(({ metadata }) => metadata.name === 'Cart')).toEqual([]);
  const other = await app.createOrganization();
  const theirs = await other.request('GET', path);
  expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found']);
  const all = await other.request('GET', '/v1/exports/backstage');
  expect(String(all.body)).not.toContain('Cart');
});
