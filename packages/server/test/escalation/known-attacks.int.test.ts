import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import type { KnownAttack } from './attack-words.ts';
import { knownAttacks } from './known-attacks.ts';
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

describe('a run that all approvers must approve goes on without one who', () => {
  const byName = { roles: [], teams: [], users: [people.mia, people.max] };
  const policy = {
    queries: { none: { combinator: 'and', rules: [{ property: '$identifier', operator: '=', value: 'nothing' }] } },
    conditions: [`["${people.mia}", "${people.max}"]`],
  };
  const path = `/v1/users/${people.max}`;
  const entity = `/v1/blueprints/_user/entities/${people.max}`;
  test.each([
    ['was deleted', byName, ['DELETE', path, undefined]],
    ['was disabled', byName, ['PATCH', entity, { properties: { status: 'Disabled' } }]],
    ['was deleted and is named by a policy', { policy }, ['DELETE', path, undefined]],
    ['was disabled and is named by a policy', { policy }, ['PATCH', entity, { properties: { status: 'Disabled' } }]],
  ] as const)('%s', async (_name, approve, [method, where, change]) => {
    await world.reset();
    const { root, mod, mia } = world.tokens;
    const ask = async (verb: string, at: string, token: string, body?: unknown) => {
      const answer = await world.ask(verb, at, token, body);
      expect([at, answer.status < 300, answer.body]).toEqual([at, true, answer.body]);
      return answer.body;
    };
    const { action } = await ask('GET', '/v1/actions/guarded', root);
    const { id: _id, createdAt: _c, createdBy: _b, updatedAt: _u, updatedBy: _d, ...definition } = action;
    await ask('PUT', '/v1/actions/guarded', root, { ...definition, requiredApproval: { type: 'ALL' } });
    await ask('PATCH', '/v1/actions/guarded/permissions', root, { approve });
    const { run } = await ask('POST', '/v1/actions/guarded/runs', mod, { properties: {} });
    await ask(method, where, root, change);
    await ask('PATCH', `/v1/actions/runs/${run.id}/approval`, mia, { status: 'APPROVE' });
    await app.app.jobs.drain();
    expect((await ask('GET', `/v1/actions/runs/${run.id}`, root)).run.status).toBe('SUCCESS');
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
