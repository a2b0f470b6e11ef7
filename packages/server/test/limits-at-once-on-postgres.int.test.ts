import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from './build-test-app.ts';
import { createAppWithTools } from './connecting-app.ts';
import { countRows, fillButOne, limitsOfOneRequest, racedLimits } from './raced-limits.ts';

const asked = 10;
let app: TestApp;
beforeAll(async () => {
  app = await createAppWithTools();
});
afterAll(() => app.close());

test.each(racedLimits)('of ten requests at once for the last of the $name exactly one is met', async (limit) => {
  const place = await limit.prepare(app);
  await fillButOne(app, place, limit.max);
  expect(await countRows(app, place)).toBe(limit.max - 1);
  const answers = await Promise.all(Array.from({ length: asked }, (_, index) => place.take(index)));
  const refused = answers.filter(({ status }) => status >= 300).map(({ body }) => body);
  expect(await countRows(app, place), JSON.stringify(refused)).toBe(limit.max);
  expect(new Set(refused.map(({ error }) => error)).size).toBe(1);
  expect(JSON.stringify(refused[0])).toMatch(/limit_reached|one kind too many/);
  expect(refused).toHaveLength(asked - 1);
});

test('every source that refuses for a limit is raced, or says why it cannot be', () => {
  const root = new URL('../src/', import.meta.url);
  const refusing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /'(user_)?limit_reached'/.test(readFileSync(new URL(file, root), 'utf8')));
  const known = new Set([...racedLimits.map(({ source }) => source), ...Object.keys(limitsOfOneRequest)]);
  expect(refusing.filter((file) => !known.has(file))).toEqual([]);
  for (const file of known) readFileSync(new URL(file, root));
});
