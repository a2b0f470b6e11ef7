import { expect, test } from 'vitest';
import { createTestContext } from '../test/test-context.ts';
import { run } from './run.ts';

test('start turns the process into the server, and an option that it does not know starts nothing', async () => {
  const { context, starts, err } = createTestContext();
  expect(await run(['start'], context)).toBe(0);
  expect(starts()).toBe(1);
  expect(await run(['start', '--port', '4000'], context)).toBe(2);
  expect(err()).toContain("Unknown option '--port'");
  expect(starts()).toBe(1);
});
