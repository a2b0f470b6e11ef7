import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { explanations } from './effects.ts';
import { type SearchResult, search } from './search.ts';
import { createWorld } from './world.ts';

/** How far a run goes is said by the number of sequences, never by time; `ESCALATION_SEED` walks other ones. */
const sequences = Number(process.env['ESCALATION_SEQUENCES'] ?? 100);
const seed = Number(process.env['ESCALATION_SEED'] ?? 1);
/** Only so that a search that hangs ends; shrinking an attack takes several times what a sequence does. */
const perSequenceMs = 60_000;

let app: TestApp;
let found: SearchResult;
beforeAll(
  async () => {
    app = await createTestApp();
    found = await search(await createWorld(app), { seed, sequences });
  },
  60_000 + sequences * perSequenceMs,
);
afterAll(() => app.close());

test('no sequence of operations leads beyond the authority that it began with', () => {
  expect(found.attacks.join('\n\n')).toBe('');
});

test('the search gets somewhere: most sequences change something, in many ways', () => {
  expect(found.taken).toBeGreaterThan(sequences / 2);
  expect(found.reached.size).toBeGreaterThan(Math.min(30, sequences / 4));
});

test('of every table it is written down which scopes explain a change', async () => {
  const tables = [...(await app.tenantTables()), 'organizations'].filter((table) => table !== 'entities');
  expect(tables.sort()).toEqual(Object.keys(explanations).sort());
});

test('no generated request is answered with 500', () => {
  expect([...found.failures]).toEqual([]);
});
