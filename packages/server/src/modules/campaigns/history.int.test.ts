import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { campaignsWorld, card } from '../../../test/campaigns-world.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const world = () => campaignsWorld(app);

describe('the history', () => {
  const sixHoursMs = 6 * 3_600_000;
  const sweep = async () => {
    // the first time is when the next one is planned
    await app.app.jobs.drain();
    app.clock.advance(sixHoursMs);
    expect((await app.app.jobs.drain()).dead).toBe(0);
  };
  const days = async (progress: Promise<{ history: { day: string; total: number; reached: number }[] | null }>) =>
    (await progress).history;

  test('keeps the last count of each day of active campaigns, and begins again with another target', async () => {
    const { request, blueprint, body, create, progress } = await world();
    const [active, done] = [await create(), await create({ status: 'done' })];
    await sweep();
    const first = app.clock.now().toISOString().slice(0, 10);
    expect(await days(progress(active))).toEqual([{ day: first, total: 4, reached: 2 }]);
    await request('PATCH', `/v1/blueprints/${blueprint}/entities/b`, { body: { properties: { runbook: 'y' } } });
    for (let turn = 0; turn < 4; turn += 1) await sweep();
    const kept = await days(progress(active));
    expect(kept?.map(({ reached }) => reached).at(-1)).toBe(3);
    expect(new Set(kept?.map(({ day }) => day)).size).toBe(kept?.length);
    expect(kept?.length).toBe(2);
    expect(await days(progress(done))).toEqual([]);
    await request('PUT', `/v1/campaigns/${active}`, { body: body({ title: 'Renamed' }) });
    expect(await days(progress(active))).toHaveLength(2);
    await request('PUT', `/v1/campaigns/${active}`, { body: body({ target: { level: 'Bronze' } }) });
    expect(await days(progress(active))).toEqual([]);
  });

  test('is for who may read everything that was counted', async () => {
    const { organization, blueprint, create, progress, allow } = await world();
    const id = await create();
    await sweep();
    const token = await organization.memberToken();
    expect(await days(progress(id, token))).toHaveLength(1);
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: true } });
    expect(await days(progress(id, token))).toBeNull();
    expect(await days(progress(id))).toHaveLength(1);
  });

  test('a campaign that cannot be measured is passed over', async () => {
    const { request, scorecards, create, progress } = await world();
    const id = await create();
    await request('DELETE', `${scorecards}/ready`);
    await sweep();
    await request('POST', scorecards, { body: card });
    await app.app.jobs.drain();
    expect(await days(progress(id))).toEqual([]);
  });
});
