import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let mill: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
  mill = await app.createOrganization({ model: 'legacy' });
});
afterAll(() => app.close());

const folders = '/v1/sidebars/catalog/folders';
const make = (body: object, organization = mill) => organization.request('POST', folders, { body });
const items = async (organization = mill) =>
  (await organization.request('GET', '/v1/sidebars/catalog')).body.sidebar.items as {
    identifier: string;
    parent?: string;
  }[];
const names = async (organization = mill) => (await items(organization)).map(({ identifier }) => identifier);
const page = (identifier: string, more: object, organization = mill) =>
  organization.request('POST', '/v1/pages', { body: { identifier, type: 'dashboard', title: identifier, ...more } });

test('a folder is made, read, changed and deleted as infrastructure-as-code does it', async () => {
  const organization = await app.createOrganization({ model: 'legacy' });
  const created = await make({ identifier: 'ops', title: 'Operations', sidebar: 'catalog' }, organization);
  expect(created.status).toBe(201);
  const folder = { identifier: 'ops', title: 'Operations', sidebar: 'catalog', sidebarType: 'folder' };
  expect(created.body.folder).toEqual(folder);
  expect(await items(organization)).toEqual([folder]);
  const renamed = { identifier: 'ops', title: 'Ops', parent: '', after: null };
  const changed = await organization.request('PATCH', `${folders}/ops`, { body: renamed });
  expect(changed.body.folder).toEqual({ ...folder, title: 'Ops' });
  expect((await organization.request('DELETE', `${folders}/ops`)).body).toEqual({ ok: true });
  expect((await organization.request('DELETE', `${folders}/ops`)).status).toBe(404);
  expect(await items(organization)).toEqual([]);
});

describe('the order', () => {
  test('folders stand before what is in them, items after the one they name', async () => {
    const organization = await app.createOrganization({ model: 'legacy' });
    await make({ identifier: 'b', after: 'a' }, organization);
    await make({ identifier: 'a' }, organization);
    await make({ identifier: 'a1', parent: 'a' }, organization);
    await page('p2', { parent: 'a', after: 'p1' }, organization);
    await page('p1', { parent: 'a', after: 'a1' }, organization);
    await page('end', { after: 'gone' }, organization);
    await page('hidden', { showInSidebar: false }, organization);
    expect(await names(organization)).toEqual(['a', 'a1', 'p1', 'p2', 'b', 'end']);
  });

  test('a circle loses nobody', async () => {
    const organization = await app.createOrganization({ model: 'legacy' });
    await page('x', { after: 'y' }, organization);
    await page('y', { after: 'x' }, organization);
    expect((await names(organization)).sort()).toEqual(['x', 'y']);
  });
});

test('what is in a deleted folder moves to where the folder was', async () => {
  const organization = await app.createOrganization({ model: 'legacy' });
  await make({ identifier: 'top' }, organization);
  await make({ identifier: 'mid', parent: 'top' }, organization);
  await make({ identifier: 'low', parent: 'mid' }, organization);
  await page('note', { parent: 'mid' }, organization);
  await organization.request('DELETE', `${folders}/mid`);
  expect((await items(organization)).map(({ identifier, parent }) => [identifier, parent])).toEqual([
    ['top', undefined],
    ['low', 'top'],
    ['note', 'top'],
  ]);
  await organization.request('DELETE', `${folders}/top`);
  expect((await items(organization)).every(({ parent }) => parent === undefined)).toBe(true);
});

test('what is in a renamed folder follows', async () => {
  const organization = await app.createOrganization({ model: 'legacy' });
  await make({ identifier: 'old' }, organization);
  await page('note', { parent: 'old' }, organization);
  await organization.request('PATCH', `${folders}/old`, { body: { identifier: 'new' } });
  expect((await items(organization)).map(({ identifier, parent }) => [identifier, parent])).toEqual([
    ['new', undefined],
    ['note', 'new'],
  ]);
});

describe('refused', () => {
  test('a fourth level, a circle, a parent that is none, a name in use', async () => {
    const organization = await app.createOrganization({ model: 'legacy' });
    await make({ identifier: 'one' }, organization);
    await make({ identifier: 'two', parent: 'one' }, organization);
    await make({ identifier: 'three', parent: 'two' }, organization);
    const refusals = [
      await make({ identifier: 'four', parent: 'three' }, organization),
      await make({ identifier: 'five', parent: 'none' }, organization),
      await organization.request('PATCH', `${folders}/one`, { body: { identifier: 'one', parent: 'three' } }),
      await organization.request('PATCH', `${folders}/one`, { body: { identifier: 'one', parent: 'one' } }),
    ];
    for (const refused of refusals) {
      expect(refused.status).toBe(422);
      expect(issuePaths(refused.body)).toEqual(['/parent']);
    }
    expect((await make({ identifier: 'one' }, organization)).body.error).toBe('identifier_taken');
    expect((await names(organization)).sort()).toEqual(['one', 'three', 'two']);
  });

  test('members', async () => {
    const token = await mill.memberToken();
    expect((await mill.request('POST', folders, { body: { identifier: 'x' }, token })).status).toBe(403);
    expect((await mill.request('GET', '/v1/sidebars/catalog', { token })).status).toBe(200);
  });
});
