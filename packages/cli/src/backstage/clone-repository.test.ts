import { expect, test } from 'vitest';
import { withClone } from './clone-repository.ts';

test('a repository that cannot be cloned is named without the password of its address', async () => {
  const address = 'http://ada:s3cret-t0ken@127.0.0.1:1/acme/catalog.git';
  const failed = await withClone(address, async () => 'read').catch((error: Error) => error.message);
  expect(failed).toContain('http://***@127.0.0.1:1/acme/catalog.git cannot be cloned');
  expect(failed).not.toContain('s3cret');
});
