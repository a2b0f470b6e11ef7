import { expect, test } from 'vitest';
import { createTestContext } from '../test/test-context.ts';
import { run } from './run.ts';

test('start turns the process into the server, on the port that is named', async () => {
  const { context, starts } = createTestContext();
  expect(await run(['start'], context)).toBe(0);
  expect(await run(['start', '--port', '4000'], context)).toBe(0);
  expect(starts).toEqual([{}, { PORT: '4000' }]);
});

test('an option that start does not know starts nothing', async () => {
  const { context, starts, err } = createTestContext();
  expect(await run(['start', '--demo'], context)).toBe(2);
  expect(err()).toContain("Unknown option '--demo'");
  expect(starts).toEqual([]);
});
