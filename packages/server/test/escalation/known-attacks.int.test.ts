import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { type KnownAttack, knownAttacks } from './known-attacks.ts';
import { createWalker } from './walker.ts';
import { createWorld, type World } from './world.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  world = await createWorld(app);
});
afterAll(() => app.close());

describe('a way up that was once open stays shut:', () => {
  test.each(knownAttacks.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    const { walker, last } = await follow(attack);
    expect(await walker.judge()).toEqual([]);
    expect(await walker.letTheWorldGoOn()).toEqual([]);
    if (attack.refusal) expect([last?.status, last?.body.error]).toEqual(attack.refusal);
  });
});

/** Takes the steps, and sees that the last one wrote nothing where nothing may be written. */
async function follow({ start, steps, untouched, refusal }: KnownAttack) {
  const walker = await createWalker(world, start, new Set());
  for (const step of steps) await walker.take(step);
  const watched = refusal ? [...untouched, 'jobs', 'entities'] : untouched;
  expect(walker.changedTables().filter((table) => watched.includes(table))).toEqual([]);
  return { walker, last: walker.answers().at(-1) };
}
