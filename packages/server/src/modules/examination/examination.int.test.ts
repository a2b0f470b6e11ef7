import type { InstallationCheck } from '@portolan/contract/operator';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function examine(): Promise<InstallationCheck[]> {
  const answer = await app.operator('GET', '/v1/operator/doctor');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.checks;
}

test('the operator is told of every part, and nobody else', async () => {
  const checks = await examine();
  const replicas = app.database.engine.kind === 'postgres' ? ['standbys', 'replicas'] : [];
  const names = ['database', ...replicas, 'jobs', 'events', 'derived', 'sources', 'organizations', 'backups'];
  expect([...new Set(checks.map(({ name }) => name))]).toEqual(names);
  expect(checks.filter(({ code }) => code === 'not_examined')).toEqual([]);
  expect((await app.request('GET', '/v1/operator/doctor')).status).toBe(401);
});

test('an organization that was left frozen is found', async () => {
  const { id } = app.organization;
  await app.database.executeAlone(sql`update organizations set frozen_at = ${app.clock.now()} where id = ${id}`);
  const frozen = (await examine()).filter(({ name }) => name === 'organizations');
  expect(frozen).toMatchObject([{ status: 'warning', message: expect.stringContaining(id) }]);
  await app.database.executeAlone(sql`update organizations set frozen_at = null where id = ${id}`);
  expect((await examine()).find(({ name }) => name === 'organizations')).toMatchObject({ status: 'ok' });
});
