import { absentOperations } from '@portolan/contract/not-built';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(absentOperations.map(({ id, method, path }) => [id, method, path] as const))(
  '%s says that it is not built, to whoever may ask, and keeps nothing',
  async (_id, method, path) => {
    const before = await app.organization.journal();
    const url = path.replace(/\{\w+\}/g, 'x');
    const body = method === 'GET' ? undefined : { data: [{ items: [{ a: 1 }] }] };
    const answer = await app.request(method, url, { body });
    expect([answer.status, answer.body.error]).toEqual([501, 'not_implemented']);
    expect(answer.body.message).toMatch(/^Not built: .+; .+\.$/);
    expect((await app.request(method, url, { body, token: null })).status).toBe(401);
    expect(await app.organization.journal()).toEqual(before);
  },
);
