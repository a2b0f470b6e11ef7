import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const stored = async (): Promise<(Date | null)[]> => {
  const rows = await app.database.rows<{ at: Date | null }>(sql`
    select last_used_at as at from credentials where org_id = ${app.organization.id}
    union all select last_used_at from api_tokens where org_id = ${app.organization.id}`);
  return rows.map(({ at }) => at);
};

test('the last use of credentials and tokens is kept without a write in any request', async () => {
  const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: 'watched' } });
  const { accessToken: token } = made.body;
  const read = (sent?: string) => app.request('GET', '/v1/organization', sent ? { token: sent } : {});
  await read();
  await read(token);
  const before = app.statementCount();
  for (let index = 0; index < 50; index += 1) {
    await read();
    await read(token);
  }
  // one each; what the process does on its own meanwhile may add one or two, a write in each request 100
  expect(app.statementCount() - before).toBeLessThan(110);
  expect(await stored()).toEqual([null, null]);
  app.clock.advance(500);
  await read();
  await read(token);
  const { body } = await app.request('GET', '/v1/users/me/tokens');
  expect(body.tokens[0].lastUsedAt).toBe(app.clock.now().toISOString());
  expect(await stored()).toEqual([app.clock.now(), app.clock.now()]);
});
