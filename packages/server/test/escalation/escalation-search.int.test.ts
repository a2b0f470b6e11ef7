import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { search } from './search.ts';
import { createWorld, type World } from './world.ts';

const sequences = Number(process.env['ESCALATION_SEQUENCES'] ?? 150);
const seed = Number(process.env['ESCALATION_SEED'] ?? 1);

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  world = await createWorld(app);
});
afterAll(() => app.close());

test('no sequence of operations leads beyond the authority that it began with', { timeout: 36_000_000 }, async () => {
  const { attacks, taken, reached, failures } = await search(world, { seed, sequences });
  console.log([...attacks, ...failures, `${taken} steps, ${reached.size} operations`].join('\n'));
  expect(attacks).toEqual([]);
  expect(taken).toBeGreaterThan(sequences);
});
