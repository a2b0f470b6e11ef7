import type { ChecklistItem } from '@portolan/contract/checklist';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const read = async (organization: TestOrganization) => (await organization.request('GET', '/v1/checklist')).body;
const doneIn = async (organization: TestOrganization): Promise<string[]> =>
  ((await read(organization)).items as ChecklistItem[]).filter(({ done }) => done).map(({ id }) => id);
const upsert = async (organization: TestOrganization, blueprint: string, body: object) => {
  const path = `/v1/blueprints/${blueprint}/entities?upsert=true`;
  const answer = await organization.request('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
};

test('nothing is done in a new organization, and its Home shows the first steps', async () => {
  const organization = await app.createOrganization();
  expect(await doneIn(organization)).toEqual([]);
  expect(await read(organization)).toMatchObject({ dismissed: false, isFirstRun: true, holdsDemo: false });
});

test('items are done by what is there, and undone when it goes', async () => {
  const organization = await app.createOrganization();
  await organization.request('POST', '/v1/packs/service-catalog/install', { body: {} });
  expect(await doneIn(organization)).toEqual(['model']);
  const body = { properties: { name: 'Payments API' } };
  await organization.request('POST', '/v1/actions/register_service/runs', { body });
  await app.app.jobs.drain();
  expect(await doneIn(organization)).toEqual(['model', 'data', 'rule', 'action']);
  await organization.request('DELETE', '/v1/blueprints/service/entities/payments-api');
  expect(await doneIn(organization)).toEqual(['model', 'action']);
});

test('owners are done when four of five entities have a team', async () => {
  const organization = await app.createOrganization();
  await organization.request('POST', '/v1/packs/service-catalog/install', { body: {} });
  await upsert(organization, '_team', { identifier: 'core', title: 'Core' });
  for (const each of ['a', 'b', 'c']) await upsert(organization, 'service', { identifier: each, team: 'core' });
  await upsert(organization, 'service', { identifier: 'd' });
  const owners = async () => (await read(organization)).items.find(({ id }: ChecklistItem) => id === 'owners');
  expect(await owners()).toMatchObject({ done: false, progress: { is: 3, of: 4 } });
  await upsert(organization, 'service', { identifier: 'e', team: 'core' });
  expect(await owners()).toMatchObject({ done: true, progress: { is: 4, of: 5 } });
});

test('a team counts with its first member', async () => {
  const organization = await app.createOrganization();
  await upsert(organization, '_user', {
    identifier: 'ada@example.com',
    title: 'Ada',
    properties: { status: 'Active' },
  });
  await upsert(organization, '_team', { identifier: 'core', title: 'Core' });
  expect(await doneIn(organization)).not.toContain('teams');
  await organization.request('PUT', '/v1/teams/core', { body: { name: 'core', users: ['ada@example.com'] } });
  expect(await app.count('team_members', organization.id)).toBe(1);
  expect(await doneIn(organization)).toContain('teams');
});

test('Home takes over with ten entities and five items', async () => {
  const organization = await app.createOrganization();
  await organization.request('POST', '/v1/packs/service-catalog/install', { body: {} });
  await upsert(organization, '_team', { identifier: 'core', title: 'Core' });
  const names = Array.from({ length: 9 }, (_, number) => `s${number}`);
  for (const identifier of names) await upsert(organization, 'service', { identifier, team: 'core' });
  const body = { properties: { name: 'Tenth' } };
  // model, data, owners, rule: four
  await upsert(organization, 'service', { identifier: 'tenth', team: 'core' });
  expect((await read(organization)).isFirstRun).toBe(true);
  await organization.request('POST', '/v1/actions/register_service/runs', { body });
  await app.app.jobs.drain();
  expect((await read(organization)).isFirstRun).toBe(false);
  await organization.request('DELETE', '/v1/blueprints/service/entities/s1');
  await organization.request('DELETE', '/v1/blueprints/service/entities/s2');
  expect((await read(organization)).isFirstRun).toBe(true);
});

test('items and the whole list are dismissed for the organization, by administrators', async () => {
  const organization = await app.createOrganization();
  const patch = (body: object, token?: string) =>
    organization.request('PATCH', '/v1/checklist', { body, ...(token ? { token } : {}) });
  const token = await organization.memberToken();
  expect((await patch({ dismissed: true }, token)).body.error).toBe('missing_permissions');
  const { body } = await patch({ items: { answer: { isDismissed: true } } });
  const hidden = body.items.filter(({ isDismissed }: ChecklistItem) => isDismissed);
  expect(hidden.map(({ id }: ChecklistItem) => id)).toEqual(['answer']);
  expect((await patch({ dismissed: true })).body).toMatchObject({ dismissed: true, isFirstRun: false });
  const answer = await organization.request('GET', '/v1/checklist', { token });
  expect(answer.body).toMatchObject({ dismissed: true });
  expect((await patch({ dismissed: false, items: { answer: { isDismissed: false } } })).body).toMatchObject({
    dismissed: false,
    isFirstRun: true,
  });
  expect((await patch({ items: { nothing: { isDismissed: true } } })).status).toBe(422);
});

test('a milestone keeps the first moment', async () => {
  const organization = await app.createOrganization();
  await organization.request('POST', '/v1/packs/security/install', { body: {} });
  const sweep = async () => {
    // the first time is when the next one is planned
    await app.app.jobs.drain();
    app.clock.advance(10 * 60_000);
    expect((await app.app.jobs.drain()).dead).toBe(0);
  };
  const model = async () => (await read(organization)).items[0];
  expect(await model()).not.toHaveProperty('doneAt');
  await sweep();
  const { doneAt } = await model();
  expect(doneAt).toMatch(/^\d{4}-/);
  await sweep();
  expect((await model()).doneAt).toBe(doneAt);
  await organization.request('POST', '/v1/packs/security/remove', { body: {} });
  expect(await model()).toMatchObject({ done: false });
  expect(await model()).not.toHaveProperty('doneAt');
});

test('what others have, and what the platform made, counts for nothing', async () => {
  const organization = await app.createOrganization();
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into blueprints (org_id, identifier, definition, is_system, created_at, created_by, updated_at, updated_by)
      values (${organization.id}, 'invented', '{"title": "Invented", "schema": {"properties": {}}}', false, now(), 'portolan', now(), 'portolan')`),
  );
  expect(await read(organization)).toMatchObject({ holdsDemo: true, isFirstRun: false });
  expect(await doneIn(organization)).toEqual([]);
});

test('the operator sees when an organization reached its steps, and how long all took', async () => {
  const organization = await app.createOrganization();
  const demo = (await organization.request('POST', '/v1/organization/demo')).body.demo.id;
  // the first time is when the next one is planned
  await app.app.jobs.drain();
  const enteredAt = new Date(app.clock.now().getTime() - 40 * 60_000);
  await app.database.transaction((tx) =>
    tx.execute(sql`update organizations set entered_at = ${enteredAt} where id = ${organization.id}`),
  );
  await organization.request('POST', '/v1/packs/service-catalog/install', { body: {} });
  const look = async (id: string) => (await app.operator('GET', `/v1/operator/organizations/${id}`)).body.milestones;
  const counted = async (bucket: string) => {
    const { body } = await app.request('GET', '/metrics', { token: null });
    const name = `portolan_organization_milestone_seconds_bucket\\{le="${bucket}",milestone="model"\\} (\\d+)`;
    return Number(new RegExp(name).exec(String(body))?.[1] ?? 0);
  };
  expect(await look(organization.id)).toEqual({});
  const before = { within15: await counted('900'), withinHour: await counted('3600') };
  app.clock.advance(5 * 60_000);
  await app.app.jobs.drain();
  expect(await look(organization.id)).toEqual({ model: app.clock.now().toISOString() });
  expect(await look(demo)).toEqual({});
  const noted = { within15: await counted('900'), withinHour: await counted('3600') };
  expect(noted.withinHour - noted.within15 - (before.withinHour - before.within15)).toBe(1);
  app.clock.advance(5 * 60_000);
  await app.app.jobs.drain();
  expect(await counted('3600')).toBe(noted.withinHour);
});

test('the installation is safe with passwords of its own, an address that others open, and a database', async () => {
  const elsewhere = await createTestApp({ publicUrl: 'https://portal.example.com' });
  const safeOf = async (organization: TestOrganization): Promise<ChecklistItem> =>
    (await read(organization)).items.find(({ id }: ChecklistItem) => id === 'safe');
  const setPassword = async (organization: TestOrganization) => {
    const link = await organization.request('POST', '/v1/auth/password-links', { body: { email: 'ada@example.com' } });
    const body = { token: link.body.token, password: `correct horse at ${elsewhere.clock.now().toISOString()}` };
    const answer = await organization.request('POST', '/v1/auth/password-links/redeem', { body, token: null });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  try {
    const hasDatabase = elsewhere.database.engine.kind !== 'embedded';
    const { organization, clock } = elsewhere;
    await upsert(organization, '_user', { identifier: 'ada@example.com', properties: { status: 'Active' } });
    // at the moment the organization was made, as the first start does
    await setPassword(organization);
    expect(await safeOf(organization)).toMatchObject({
      done: false,
      progress: { is: hasDatabase ? 2 : 1, of: 3 },
      next: { text: expect.stringContaining('password'), href: '/me/preferences' },
    });
    clock.advance(1_000);
    await setPassword(organization);
    const safe = await safeOf(organization);
    expect(safe).toMatchObject({ done: hasDatabase, progress: { is: hasDatabase ? 3 : 2, of: 3 } });
    if (!hasDatabase) expect(safe.next).toEqual({ text: expect.stringContaining('DATABASE_URL') });
  } finally {
    await elsewhere.close();
  }
  expect(await safeOf(await app.createOrganization())).toMatchObject({
    done: false,
    next: { text: expect.stringContaining('PORTOLAN_PUBLIC_URL') },
  });
});
