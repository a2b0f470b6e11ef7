import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(['/v1/sources', '/v1/sources/check'])('%s names settings that are missing as required', async (path) => {
  for (const [type, named] of [
    ['gitea', 'url'],
    ['backstage', 'address'],
    ['azure-repos', 'url'],
  ]) {
    const { status, body } = await app.request('POST', path, { body: { type, settings: {}, secrets: {} } });
    expect([type, status, body.details]).toEqual([
      type,
      422,
      expect.arrayContaining([{ path: `/settings/${named}`, message: 'is required' }]),
    ]);
  }
});
