import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/build-test-app.ts';
import { demoFolder, demoOrganization } from '../../test/demo/organization.ts';
import { systemActor } from '../platform/actor.ts';
import { loadDemo } from './load-demo.ts';

let app: TestApp;
const publicUrl = 'http://localhost:3000';
beforeAll(async () => {
  app = await createTestApp();
  const actor = systemActor(app.organization.id);
  await app.app.unitOfWork(actor, (work) => loadDemo(app.app.loading, work, { folder: demoFolder, publicUrl }));
});
afterAll(() => app.close());

const demo = demoOrganization(new Date('2026-03-02T09:00:00Z'), publicUrl);

test('actions and automations are there as they were written', async () => {
  const { actions } = (await app.request('GET', '/v1/actions')).body;
  const written = actions.map(
    ({ id, createdAt, createdBy, updatedAt, updatedBy, ...body }: Record<string, unknown>) => body,
  );
  expect(written).toEqual([...demo.actions, ...demo.automations]);
});

test('pages lie in their folders, and people see what they may', async () => {
  const { items } = (await app.request('GET', '/v1/sidebars/catalog')).body.sidebar;
  const named = new Set(items.map(({ identifier }: { identifier: string }) => identifier));
  for (const { body: page } of demo.pages) {
    expect(named.has(page.identifier), page.identifier).toBe(page.type !== 'home' && page.visibility !== 'private');
  }
  const home = demo.pages.find(({ body }) => body.type === 'home')?.body;
  expect((await app.request('GET', '/v1/pages/%24home')).body.page.widgets).toEqual(home?.widgets);
  const closed =
    demo.pages.find(({ permissions }) => permissions && !permissions.read?.roles?.includes('Member'))?.identifier ?? '';
  const token = await app.organization.memberToken();
  expect((await app.request('GET', `/v1/pages/${closed}`)).status).toBe(200);
  expect((await app.request('GET', `/v1/pages/${closed}`, { token })).status).toBe(404);
});
