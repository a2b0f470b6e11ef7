import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { onlyOn } from '../../../test/database.ts';
import { differencesIn, takeSnapshot } from '../../../test/naive-derivation.ts';

let test: TestApp;
let world: TestOrganization;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const number = { type: 'number' };
const count = { calculationBy: 'entities', func: 'count' };
const sum = { calculationBy: 'property', func: 'sum', property: 'n' };

/** Three levels that look at each other in both directions: the worst there is for locks. */
beforeEach(async () => {
  world = await test.createOrganization();
  const schema = { properties: { n: number } };
  const create = (identifier: string, rest: object) =>
    world.request('POST', '/v1/blueprints', { body: { identifier, title: identifier, schema, ...rest } });
  await create('alpha', { ownership: { type: 'Direct' } });
  await create('beta', {
    relations: { r0: { target: 'alpha' } },
    mirrorProperties: { m0: { path: 'r0.$title' }, m1: { path: 'r0.n' } },
    ownership: { type: 'Inherited', path: 'r0' },
  });
  await create('gamma', {
    relations: { r0: { target: 'beta' }, r1: { target: 'alpha', many: true } },
    mirrorProperties: { m0: { path: 'r0.m0' }, m1: { path: 'r0.r0.a0' } },
    calculationProperties: {
      c0: {
        type: 'string',
        calculation: 'if .properties.m0 == null then "none" else (.properties.m0 | tostring) end',
      },
    },
    ownership: { type: 'Inherited', path: 'r0.r0' },
  });
  const pathFilter = [{ path: ['r0', 'r0'], fromBlueprint: 'gamma' }];
  const aggregationProperties = {
    a0: { title: 'Gammas', target: 'gamma', calculationSpec: count },
    a1: { title: 'Sum', target: 'gamma', calculationSpec: sum, pathFilter },
  };
  expect((await world.request('PATCH', '/v1/blueprints/alpha', { body: { aggregationProperties } })).status).toBe(200);
  for (const team of ['blue', 'red']) {
    await world.request('POST', '/v1/blueprints/_team/entities', { body: { identifier: team, title: team } });
  }
  for (let index = 0; index < 3; index += 1) {
    await send('alpha', { identifier: `e${index}`, title: 'One', team: ['blue'] });
    await send('beta', { identifier: `e${index}`, relations: { r0: `e${index}` } });
  }
});

/** Sent again while the server is too busy, as clients do: of what it refused for that, nothing was written. */
async function send(blueprint: string, body: object, query = 'upsert=true&merge=true'): Promise<number> {
  const { status } = await world.request('POST', `/v1/blueprints/${blueprint}/entities?${query}`, { body });
  return status === 429 ? send(blueprint, body, query) : status;
}

async function expectConverged(): Promise<void> {
  const drained = await test.app.jobs.drain();
  expect(drained.dead).toBe(0);
  expect(differencesIn(await takeSnapshot(test.database, world.id))).toEqual([]);
  const { body } = await test.operator('POST', `/v1/operator/organizations/${world.id}/doctor/derived`);
  expect(body).toMatchObject({ differing: 0, pending: 0, differences: [] });
}

it('parallel upserts of linked entities all succeed and converge', async () => {
  const writes = Array.from({ length: 60 }, (_, index) => {
    const [a, b] = [`e${index % 3}`, `e${(index * 7) % 3}`];
    if (index % 5 === 0) return send('alpha', { identifier: a, title: `Title ${index}`, properties: { n: index } });
    if (index % 5 === 1) return send('beta', { identifier: a, relations: { r0: b } });
    return send('gamma', { identifier: `g${index % 12}`, properties: { n: index }, relations: { r0: a, r1: [b] } });
  });
  const statuses = await Promise.all(writes);
  expect(
    statuses.every((status) => status < 300),
    String(statuses),
  ).toBe(true);
  await expectConverged();
});

onlyOn('postgres', 'one connection cannot be in two transactions', () => {
  it('renames, moved owners and deletions while others write leave nothing stale', async () => {
    const tasks: Promise<number>[] = [];
    for (let round = 0; round < 15; round += 1) {
      const target = `e${round % 3}`;
      tasks.push(send('gamma', { identifier: `g${round}`, properties: { n: round }, relations: { r0: target } }));
      tasks.push(send('alpha', { identifier: target, team: [round % 2 ? 'red' : 'blue'], properties: { n: round } }));
      tasks.push(
        world
          .request('PATCH', `/v1/blueprints/beta/entities/${target}`, { body: { title: `B${round}` } })
          .then(({ status }) => status),
      );
      if (round % 3 === 1) {
        tasks.push(
          world
            .request('PATCH', `/v1/blueprints/alpha/entities/e1`, { body: { identifier: round % 2 ? 'e1' : 'e9' } })
            .then(({ status }) => status),
        );
        tasks.push(world.request('DELETE', `/v1/blueprints/gamma/entities/g${round - 1}`).then(({ status }) => status));
        tasks.push(world.request('DELETE', `/v1/blueprints/beta/entities/e2`).then(({ status }) => status));
        tasks.push(send('beta', { identifier: 'e2', relations: { r0: 'e2' } }));
      }
      await delay(5);
    }
    const statuses = await Promise.all(tasks);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    await expectConverged();
  });

  it('a blueprint that changes while its entities are written leaves nothing stale', async () => {
    const tasks: Promise<number>[] = [];
    for (let round = 0; round < 12; round += 1) {
      const m1 = { path: round % 2 ? 'r0.n' : 'r0.$title' };
      tasks.push(send('beta', { identifier: `b${round}`, relations: { r0: `e${round % 3}` } }));
      tasks.push(send('alpha', { identifier: `e${round % 3}`, title: `T${round}`, properties: { n: round } }));
      if (round % 3 === 0) {
        tasks.push(
          world
            .request('PATCH', '/v1/blueprints/beta', { body: { mirrorProperties: { m1 } } })
            .then(({ status }) => status),
        );
      }
      await delay(5);
    }
    const statuses = await Promise.all(tasks);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    await expectConverged();
  });

  it('computes what is many by a job while others write and delete', async () => {
    for (let page = 0; page < 60; page += 1) {
      const entities = Array.from({ length: 20 }, (_, index) => ({
        identifier: `m${page * 20 + index}`,
        relations: { r0: 'e0' },
      }));
      await world.request('POST', '/v1/blueprints/beta/entities/bulk?upsert=true', { body: { entities } });
    }
    await test.app.jobs.drain();
    expect(await send('alpha', { identifier: 'e0', title: 'Anew', team: ['red'] })).toBeLessThan(300);
    const { body } = await test.operator('POST', `/v1/operator/organizations/${world.id}/doctor/derived`);
    expect(body).toMatchObject({ differing: 0 });
    expect(body.pending).toBeGreaterThan(1000);
    const drained = test.app.jobs.drain();
    const writes = Array.from({ length: 10 }, (_, index) =>
      index % 2
        ? send('beta', { identifier: `m${index * 90}`, relations: { r0: 'e1' } })
        : world.request('DELETE', `/v1/blueprints/beta/entities/m${index * 100 + 1}`).then(({ status }) => status),
    );
    await Promise.all([...writes, drained]);
    await expectConverged();
  });
});
