import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { campaignsWorld, card, listOpen, properties } from '../../../test/campaigns-world.ts';
import { createBlueprint, createEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const world = () => campaignsWorld(app);

describe('who sees and changes campaigns', () => {
  test('a member reads all but drafts, which are to them as if they were not there', async () => {
    const { organization, request, body, create } = await world();
    const token = await organization.memberToken();
    const [active, draft] = [await create(), await create({ status: 'draft' })];
    const listed = (await request('GET', '/v1/campaigns', { token })).body.campaigns;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([active]);
    for (const path of ['', '/progress']) {
      const hidden = await request('GET', `/v1/campaigns/${draft}${path}`, { token });
      const missing = await request('GET', `/v1/campaigns/nothing${path}`, { token });
      expect(hidden.status).toBe(404);
      expect(JSON.stringify(hidden.body).replaceAll(draft, '*')).toBe(
        JSON.stringify(missing.body).replaceAll('nothing', '*'),
      );
    }
    const before = await app.count('journal');
    const refusals = [
      await request('POST', '/v1/campaigns', { token, body: body() }),
      await request('PUT', `/v1/campaigns/${active}`, { token, body: body({ title: 'Mine' }) }),
      await request('DELETE', `/v1/campaigns/${active}`, { token }),
    ];
    expect(refusals.map((answer) => [answer.status, answer.body.error])).toEqual(
      Array.from({ length: 3 }, () => [403, 'missing_permissions']),
    );
    expect(await app.count('journal')).toBe(before);
    expect((await request('GET', `/v1/campaigns/${active}`)).body.campaign.title).toBe('Runbooks');
  });

  test('who may make scorecards may run campaigns, and sees drafts', async () => {
    const { organization, request, body, create, allow } = await world();
    const token = await organization.memberToken();
    const draft = await create({ status: 'draft' });
    await allow('_scorecard', { register: { roles: ['Admin', 'Member'] } });
    expect((await request('GET', `/v1/campaigns/${draft}`, { token })).status).toBe(200);
    expect((await request('PUT', `/v1/campaigns/${draft}`, { token, body: body() })).status).toBe(200);
    const made = await request('POST', '/v1/campaigns', { token, body: body() });
    expect(made.status).toBe(201);
    expect((await request('DELETE', `/v1/campaigns/${made.body.campaign.id}`, { token })).status).toBe(200);
  });

  test('figures and items are of the entities that the reader may read, and nothing tells of the others', async () => {
    const { organization, request, blueprint, create, progress, allow, person } = await world();
    const id = await create();
    const token = await person('ed@example.com', 'edge');
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: true } });
    const found = await progress(id, token);
    expect(found).toMatchObject({ total: 1, reached: 1, teamCount: 2 });
    expect(found.teams).toContainEqual({ team: 'core', total: 1, reached: 1, exempt: 0 });
    expect(await listOpen(organization, blueprint, found.openQuery, token)).toEqual([]);
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: false } });
    const answers = [
      await request('GET', `/v1/campaigns/${id}`, { token }),
      await request('GET', `/v1/campaigns/${id}/progress`, { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await request('GET', '/v1/campaigns', { token })).body.campaigns).toEqual([]);
    expect((await request('GET', '/v1/users/me/campaigns', { token })).body.campaigns).toEqual([]);
    await allow('_scorecard', { register: { roles: ['Admin', 'Member'] } });
    expect((await request('DELETE', `/v1/campaigns/${id}`, { token })).status).toBe(404);
    expect(await progress(id)).toMatchObject({ total: 4 });
  });

  test('a filter on what is hidden from the reader finds nothing for them', async () => {
    const { organization, request, create, progress, allow } = await world();
    const sealed = await createBlueprint(request, 'sealed', { properties: { code: { type: 'string' } } });
    const open = await createBlueprint(request, 'open', {
      properties,
      relations: { to: { target: sealed } },
      mirrorProperties: { told: { path: 'to.code' } },
    });
    await request('POST', `/v1/blueprints/${open}/scorecards`, { body: card });
    await createEntity(request, sealed, { identifier: 's', properties: { code: 'hush' } });
    await createEntity(request, open, { identifier: 'o', relations: { to: 's' } });
    await allow(sealed, { read: { roles: ['Admin'] } });
    const filter = { combinator: 'and', rules: [{ property: 'told', operator: '=', value: 'hush' }] };
    const id = await create({ blueprint: open, filter });
    expect(await progress(id)).toMatchObject({ total: 1, reached: 0 });
    expect(await progress(id, await organization.memberToken())).toMatchObject({ problem: null, total: 0 });
  });

  test('a draft is listed for whoever may make campaigns, and for nobody else', async () => {
    const { organization, request, create } = await world();
    const draft = await create({ status: 'draft' });
    const active = await create();
    const listed = async (token?: string): Promise<string[]> =>
      (await request('GET', '/v1/campaigns', token ? { token } : {})).body.campaigns.map(
        ({ id }: { id: string }) => id,
      );
    expect((await listed()).sort()).toEqual([draft, active].sort());
    expect(await listed(await organization.memberToken())).toEqual([active]);
  });

  test('a restricted token needs the scopes of scorecards, and of entities for the items', async () => {
    const { request, body, create } = await world();
    const id = await create();
    const tokenWith = async (...scopes: string[]) =>
      (await request('POST', '/v1/users/me/tokens', { body: { name: scopes.join(' '), scopes } })).body.accessToken;
    const reader: string = await tokenWith('read:scorecards');
    const status = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string) =>
      (await request(method, path, { token, ...(method === 'POST' || method === 'PUT' ? { body: body() } : {}) }))
        .status;
    expect(await status('GET', `/v1/campaigns/${id}/progress`, reader)).toBe(200);
    expect(await status('POST', '/v1/campaigns', reader)).toBe(403);
    expect(await status('PUT', `/v1/campaigns/${id}`, reader)).toBe(403);
    expect(await status('DELETE', `/v1/campaigns/${id}`, reader)).toBe(403);
    expect(await status('GET', '/v1/users/me/campaigns', reader)).toBe(403);
    expect(await status('GET', '/v1/campaigns', await tokenWith('read:entities'))).toBe(403);
    const both = await tokenWith('read:scorecards', 'read:entities');
    expect(await status('GET', '/v1/users/me/campaigns', both)).toBe(200);
  });
});
