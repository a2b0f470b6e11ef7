import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { type KnownAttack, knownAttacks } from './known-attacks.ts';
import { createWalker } from './walker.ts';
import { createWorld, people, type World } from './world.ts';

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

test('an approver who is deleted is not waited for: those who are left decide', async () => {
  await world.reset();
  const { root, mod, mia } = world.tokens;
  const ask = async (method: string, path: string, token: string, body?: unknown) => {
    const answer = await world.ask(method, path, token, body);
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
    return answer.body;
  };
  const { action } = await ask('GET', '/v1/actions/guarded', root);
  const { id: _id, createdAt: _c, createdBy: _b, updatedAt: _u, updatedBy: _d, ...definition } = action;
  await ask('PUT', '/v1/actions/guarded', root, { ...definition, requiredApproval: { type: 'ALL' } });
  const approve = { roles: [], teams: [], users: [people.mia, people.max] };
  await ask('PATCH', '/v1/actions/guarded/permissions', root, { approve });
  const { run } = await ask('POST', '/v1/actions/guarded/runs', mod, { properties: {} });
  await ask('DELETE', `/v1/users/${people.max}`, root);
  await ask('PATCH', `/v1/actions/runs/${run.id}/approval`, mia, { status: 'APPROVE' });
  await app.app.jobs.drain();
  const { run: after } = await ask('GET', `/v1/actions/runs/${run.id}`, root);
  expect(after.status).toBe('SUCCESS');
});

/** Takes the steps, and sees that the last one wrote nothing where nothing may be written. */
async function follow({ start, steps, untouched, refusal }: KnownAttack) {
  const walker = await createWalker(world, start, new Set());
  for (const step of steps) await walker.take(step);
  const watched = refusal ? [...untouched, 'jobs', 'entities'] : untouched;
  expect(walker.changedTables().filter((table) => watched.includes(table))).toEqual([]);
  return { walker, last: walker.answers().at(-1) };
}
