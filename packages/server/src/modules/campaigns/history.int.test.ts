import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { campaignsWorld, card, properties } from '../../../test/campaigns-world.ts';
import { createBlueprint } from '../../../test/catalog-fixtures.ts';

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
  /** The history as a new token of an administrator reads it: sweeps take longer than tokens live. */
  async function opened(organization: TestOrganization) {
    const token = await organization.approverToken();
    const request: TestOrganization['request'] = (method, path, options) =>
      organization.request(method, path, { token, ...options });
    const days = async (id: string, as = token): Promise<{ day: string; reached: number }[] | null> =>
      (await request('GET', `/v1/campaigns/${id}/progress`, { token: as })).body.history;
    return { request, days };
  }

  test('keeps the last count of each day of active campaigns, and begins again with another target', async () => {
    const { organization, blueprint, body, create } = await world();
    const [active, done] = [await create(), await create({ status: 'done' })];
    await sweep();
    const first = app.clock.now().toISOString().slice(0, 10);
    const before = await opened(organization);
    expect(await before.days(active)).toEqual([{ day: first, total: 4, reached: 2 }]);
    const entity = `/v1/blueprints/${blueprint}/entities/b`;
    expect((await before.request('PATCH', entity, { body: { properties: { runbook: 'y' } } })).status).toBe(200);
    for (let turn = 0; turn < 4; turn += 1) await sweep();
    const { request, days } = await opened(organization);
    const kept = (await days(active)) ?? [];
    expect(kept.at(-1)?.reached).toBe(3);
    // five counts, of which the last of a day stays
    expect(kept).toHaveLength(2);
    expect(await days(done)).toEqual([]);
    const put = (parts: object) => request('PUT', `/v1/campaigns/${active}`, { body: body(parts) });
    await put({ title: 'Renamed' });
    expect(await days(active)).toHaveLength(2);
    expect((await put({ target: { level: 'Bronze' } })).status).toBe(200);
    expect(await days(active)).toEqual([]);
  });

  test('is for who may read everything that was counted', async () => {
    const { organization, blueprint, create, person } = await world();
    const id = await create();
    await person('ed@example.com', 'edge');
    await sweep();
    const { request, days } = await opened(organization);
    const member = await organization.personToken('ed@example.com');
    expect(await days(id, member)).toHaveLength(1);
    const entities = { read: { roles: ['Admin'], ownedByTeam: true } };
    const allowed = await request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities } });
    expect(allowed.status, JSON.stringify(allowed.body)).toBe(200);
    expect(await days(id, member)).toBeNull();
    expect(await days(id)).toHaveLength(1);
  });

  test('is not for whom the filter compares hidden values', async () => {
    const { organization, request, create, allow } = await world();
    const sealed = await createBlueprint(request, 'sealed', { properties: { code: { type: 'string' } } });
    const open = await createBlueprint(request, 'open', {
      properties,
      relations: { to: { target: sealed } },
      mirrorProperties: { told: { path: 'to.code' } },
    });
    await request('POST', `/v1/blueprints/${open}/scorecards`, { body: card });
    await allow(sealed, { read: { roles: ['Admin'] } });
    const filter = { combinator: 'and', rules: [{ property: 'told', operator: 'isEmpty' }] };
    const [plain, filtered] = [await create({ blueprint: open }), await create({ blueprint: open, filter })];
    await sweep();
    const { days } = await opened(organization);
    const member = await organization.memberToken();
    expect([await days(plain, member), await days(filtered, member)]).toEqual([[expect.anything()], null]);
    expect(await days(filtered)).toHaveLength(1);
  });

  test('has no day on which the campaign could not be measured', async () => {
    const { organization, request, scorecards, create } = await world();
    const id = await create();
    await request('DELETE', `${scorecards}/ready`);
    await sweep();
    const later = await opened(organization);
    expect((await later.request('POST', scorecards, { body: card })).status).toBe(201);
    expect(await later.days(id)).toEqual([]);
  });
});
