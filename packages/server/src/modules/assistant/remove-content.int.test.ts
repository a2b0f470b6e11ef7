import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const secret = 'Zebracorn';

async function ask({ request }: TestOrganization): Promise<string> {
  const body = { userPrompt: `What is ${secret}?`, labels: { case: 'kept' } };
  const asked = await request('POST', '/v1/ai/invoke', { body, headers: { prefer: 'respond-async' } });
  const { identifier } = asked.body.invocation;
  const status = async () => (await request('GET', `/v1/ai/invoke/${identifier}`)).body.result.status;
  await expect.poll(status, { timeout: 10_000 }).not.toBe('In Progress');
  return identifier as string;
}

/** Places in the organization's data that still contain the word. */
async function traces(orgId: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await app.tenantTables()) {
    const rows = await app.database.rows<{ count: number }>(
      sql`select count(*)::int as count from ${raw(table)} t where t.org_id = ${orgId} and t::text like ${`%${secret}%`}`,
    );
    if ((rows[0]?.count ?? 0) > 0) found.push(table);
  }
  return found;
}

/** Moves the end of the invocation that many days into the past. */
function age(orgId: string, id: string, days: number): Promise<unknown> {
  const at = new Date(app.clock.now().getTime() - days * 86_400_000);
  return app.database.transaction((tx) =>
    tx.execute(sql`update invocations set replied_at = ${at} where org_id = ${orgId} and id = ${id}`),
  );
}

async function anHourLater(): Promise<void> {
  app.clock.advance(61 * 60_000);
  await app.app.jobs.drain();
}

test('what was asked and answered goes on time, everywhere; figures stay', async () => {
  const { organization } = app;
  const other = await app.createOrganization();
  await app.app.jobs.drain();
  const [old, young] = [await ask(organization), await ask(organization)];
  await ask(other);
  await age(organization.id, old, 90.1);
  await age(organization.id, young, 89.9);
  const to = new Date(app.clock.now().getTime() + 1).toISOString();
  const figures = async () => (await app.request('GET', `/v1/ai/usage?to=${to}`)).body.totals;
  const before = await figures();
  expect(before.invocations).toBe(2);
  expect(await traces(organization.id)).toEqual(
    expect.arrayContaining(['entities', 'invocation_events', 'invocations', 'journal']),
  );

  await anHourLater();
  const read = async (id: string) =>
    (await app.request('GET', `/v1/blueprints/_ai_invocations/entities/${id}`)).body.entity;
  expect(await read(old)).toMatchObject({
    title: '(removed after 90 days)',
    properties: { prompt: '(removed after 90 days)', status: expect.any(String), labels: { case: 'kept' } },
  });
  expect(JSON.stringify(await read(old))).not.toContain(secret);
  expect((await read(young)).properties.prompt).toContain(secret);
  const listed = (await app.request('GET', '/v1/ai/invocations')).body.invocations;
  expect(listed.map(({ prompt }: { prompt: string }) => prompt.includes(secret)).sort()).toEqual([false, true]);
  expect((await app.request('GET', `/v1/ai/invoke/${old}`)).body.result.message).not.toContain(secret);
  const stream = await app.request('GET', `/v1/ai/invoke/${old}/events`, { headers: { 'last-event-id': `${old}:1` } });
  expect([stream.status, stream.body.error]).toEqual([404, 'not_found']);

  await age(organization.id, young, 91);
  await anHourLater();
  expect(await traces(organization.id)).toEqual([]);
  expect(await traces(other.id)).not.toEqual([]);
  expect(await figures()).toEqual(before);
});
