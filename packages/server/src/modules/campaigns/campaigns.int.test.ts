import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { campaignsWorld, card, listOpen, properties } from '../../../test/campaigns-world.ts';
import { createBlueprint, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';
import { activeMax } from './write-campaigns.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const world = () => campaignsWorld(app);

describe('a campaign', () => {
  test('is answered by create, read, list and replace alike, and the journal keeps who changed what', async () => {
    const { organization, request, body } = await world();
    const created = await request('POST', '/v1/campaigns', { body: body({ description: 'Why', status: 'draft' }) });
    expect(created.status).toBe(201);
    const { campaign } = created.body;
    expect(campaign).toMatchObject({ ...body({ description: 'Why', status: 'draft' }), createdAt: expect.any(String) });
    const path = `/v1/campaigns/${campaign.id}`;
    expect((await request('GET', path)).body.campaign).toEqual(campaign);
    const sooner = await request('POST', '/v1/campaigns', { body: body({ dueDate: '2026-12-01' }) });
    const listed = (await request('GET', '/v1/campaigns')).body.campaigns;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([sooner.body.campaign.id, campaign.id]);
    expect((await request('GET', '/v1/campaigns?scorecard=other')).body.campaigns).toEqual([]);
    expect((await request('GET', '/v1/campaigns?scorecard=ready')).body.campaigns).toHaveLength(2);
    app.clock.advance(1000);
    const same = await request('PUT', path, { body: body({ description: 'Why', status: 'draft' }) });
    expect(same.body.campaign).toEqual(campaign);
    const changed = await request('PUT', path, { body: body() });
    expect(changed.body.campaign).toMatchObject({ status: 'active', updatedAt: app.clock.now().toISOString() });
    expect(changed.body.campaign).not.toHaveProperty('description');
    expect((await request('DELETE', path)).status).toBe(200);
    expect((await request('GET', path)).status).toBe(404);
    expect((await organization.journal()).filter((event) => event.startsWith('campaign.'))).toEqual([
      `campaign.created ${campaign.id}`,
      `campaign.created ${sooner.body.campaign.id}`,
      `campaign.updated ${campaign.id}`,
      `campaign.deleted ${campaign.id}`,
    ]);
  });

  test('names what is there, and says everything that is not at once', async () => {
    const { request, body } = await world();
    const refused = async (parts: object) => {
      const answer = await request('POST', '/v1/campaigns', { body: body(parts) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(422);
      return issuePaths(answer.body);
    };
    expect(await refused({ scorecard: 'nothing', owner: 'nobody@example.com' })).toEqual(['/scorecard', '/owner']);
    expect(await refused({ target: { level: 'Platinum' } })).toEqual(['/target/level']);
    // everything is at the base level
    expect(await refused({ target: { level: 'Basic' } })).toEqual(['/target/level']);
    expect(await refused({ target: { rules: ['tiered', 'x', 'tiered'] } })).toEqual([
      '/target/rules/1',
      '/target/rules/2',
    ]);
    expect(await refused({ target: {} })).toEqual(['/target/level']);
    expect(await refused({ dueDate: '2027-02-30' })).toEqual(['/dueDate']);
    const filter = (...rules: unknown[]) => ({ filter: { combinator: 'and', rules } });
    expect(await refused(filter({ property: 'gone', operator: '=', value: 'x' }))).toEqual(['/filter']);
    expect(await refused(filter({ relation: 'gone', operator: '=', value: 'x' }))).toEqual(['/filter']);
    // it would mean something else to everybody who looks
    expect(await refused(filter({ property: '$team', operator: '=', value: 'My Teams' }))).toEqual(['/filter']);
    expect(await refused(filter({ property: 'zone', operator: '=', value: '{{getUserEmail()}}' }))).toEqual([
      '/filter',
    ]);
    const long = Array.from({ length: 300 }, () => ({ property: 'zone', operator: '=', value: 'x'.repeat(50) }));
    expect(await refused(filter(...long))).toEqual(['/filter']);
    expect((await request('GET', '/v1/campaigns')).body.campaigns).toEqual([]);
  });

  test('keeps its blueprint, and is not overwritten by who has not seen its last change', async () => {
    const { request, body, create } = await world();
    const id = await create();
    const path = `/v1/campaigns/${id}`;
    const { updatedAt } = (await request('GET', path)).body.campaign;
    app.clock.advance(1000);
    expect((await request('PUT', path, { body: body({ title: 'Theirs' }) })).status).toBe(200);
    const version = `?expectedVersion=${encodeURIComponent(updatedAt)}`;
    const stale = await request('PUT', path + version, { body: body({ title: 'Mine' }) });
    expect([stale.status, stale.body.error]).toEqual([409, 'stale_version']);
    expect((await request('GET', path)).body.campaign.title).toBe('Theirs');
    const other = await createBlueprint(request, 'other');
    const moved = await request('PUT', path, { body: body({ blueprint: other }) });
    expect(issuePaths(moved.body)).toEqual(['/blueprint']);
  });

  test('is one of as many active ones as people can be shown, also when two are started at once', async () => {
    const { request, body, create } = await world();
    const ids: string[] = [];
    for (let index = 1; index < activeMax; index += 1) ids.push(await create());
    const draft = await create({ status: 'draft' });
    const answers = await Promise.all([
      request('POST', '/v1/campaigns', { body: body() }),
      request('PUT', `/v1/campaigns/${draft}`, { body: body() }),
    ]);
    expect(answers.filter(({ body: { error } }) => error === 'limit_reached')).toHaveLength(1);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    // changing one of them needs no place of its own
    expect((await request('PUT', `/v1/campaigns/${ids[0]}`, { body: body({ title: 'Other' }) })).status).toBe(200);
  });

  test('goes with its blueprint', async () => {
    const { request, blueprint, create } = await world();
    const id = await create();
    expect(
      (await request('DELETE', `/v1/blueprints/${blueprint}/all-entities?delete_blueprint=true`)).status,
    ).toBeLessThan(300);
    await app.app.jobs.drain();
    expect((await request('GET', `/v1/campaigns/${id}`)).status).toBe(404);
  });
});

describe('progress', () => {
  test('counts entities at or above the level, altogether and by team', async () => {
    const { organization, blueprint, create, progress } = await world();
    const found = await progress(await create());
    expect(found).toMatchObject({ problem: null, total: 4, reached: 2, teamCount: 3 });
    expect(found.teams).toEqual([
      { team: 'core', total: 3, reached: 2, exempt: 0 },
      { team: null, total: 1, reached: 0, exempt: 0 },
      { team: 'edge', total: 1, reached: 1, exempt: 0 },
    ]);
    expect(await listOpen(organization, blueprint, found.openQuery)).toEqual(['b', 'd']);
  });

  test('of rules counts entities that pass all of them, whatever their level', async () => {
    const { organization, request, blueprint, create, progress } = await world();
    await createEntity(request, blueprint, { identifier: 'e', properties: { runbook: 'only' } });
    const one = await progress(await create({ target: { rules: ['booked'] } }));
    expect(one).toMatchObject({ total: 5, reached: 3 });
    expect(await listOpen(organization, blueprint, one.openQuery)).toEqual(['b', 'd']);
    const both = await progress(await create({ target: { rules: ['booked', 'tiered'] } }));
    expect(both).toMatchObject({ total: 5, reached: 2 });
    expect(await listOpen(organization, blueprint, both.openQuery)).toEqual(['b', 'd', 'e']);
  });

  test('looks at what the filter lets in and the scorecard measures', async () => {
    const { organization, request, blueprint, scorecards, create, progress } = await world();
    const filter = { combinator: 'and', rules: [{ property: 'zone', operator: '=', value: 'north' }] };
    const id = await create({ filter });
    const found = await progress(id);
    expect(found).toMatchObject({ total: 3, reached: 2 });
    expect(await listOpen(organization, blueprint, found.openQuery)).toEqual(['d']);
    const measured = { combinator: 'and', conditions: [{ property: 'tier', operator: 'isNotEmpty' }] };
    await request('PUT', `${scorecards}/ready`, { body: { ...card, filter: measured } });
    await app.app.jobs.drain();
    const narrowed = await progress(id);
    expect(narrowed).toMatchObject({ total: 2, reached: 2 });
    expect(await listOpen(organization, blueprint, narrowed.openQuery)).toEqual([]);
  });

  test('follows what is written', async () => {
    const { request, blueprint, create, progress } = await world();
    const id = await create();
    await request('PATCH', `/v1/blueprints/${blueprint}/entities/b`, { body: { properties: { runbook: 'y' } } });
    expect(await progress(id)).toMatchObject({ total: 4, reached: 3 });
    await request('DELETE', `/v1/blueprints/${blueprint}/entities/d`);
    expect(await progress(id)).toMatchObject({ total: 3, reached: 3 });
  });

  test('says what has gone, and such a campaign can be ended and mended', async () => {
    const { request, blueprint, scorecards, body, create, progress } = await world();
    const level = await create();
    const rules = await create({ target: { rules: ['booked'] } });
    const filter = await create({
      filter: { combinator: 'and', rules: [{ property: 'zone', operator: 'isNotEmpty' }] },
    });
    const gone = { openQuery: null, total: 0, reached: 0, teams: [] };
    await request('PUT', `${scorecards}/ready`, {
      body: {
        ...card,
        levels: [
          { title: 'Basic', color: 'red' },
          { title: 'Bronze', color: 'green' },
        ],
        rules: [card.rules[0]],
      },
    });
    expect(await progress(level)).toMatchObject({ problem: 'level', ...gone });
    expect(await progress(rules)).toMatchObject({ problem: 'rules', ...gone });
    const { zone: _, ...left } = properties;
    await request('PUT', `/v1/blueprints/${blueprint}`, {
      body: { identifier: blueprint, title: blueprint, schema: { properties: left }, ownership: { type: 'Direct' } },
    });
    expect(await progress(filter)).toMatchObject({ problem: 'filter', ...gone });
    await request('DELETE', `${scorecards}/ready`);
    expect(await progress(level)).toMatchObject({ problem: 'scorecard', ...gone });
    expect((await request('PUT', `/v1/campaigns/${level}`, { body: body({ title: 'Other' }) })).status).toBe(422);
    expect((await request('PUT', `/v1/campaigns/${level}`, { body: body({ status: 'done' }) })).status).toBe(200);
    // named, not referred to: one that is made anew is measured again
    await request('POST', scorecards, { body: card });
    await app.app.jobs.drain();
    expect(await progress(level)).toMatchObject({ problem: null, total: 4, reached: 2 });
  });
});

describe('what is asked of me', () => {
  test('are entities of my teams that fall short, in active campaigns, those due first', async () => {
    const { request, create, person } = await world();
    const late = await create({ title: 'Late', dueDate: '2027-03-01' });
    const soon = await create({ title: 'Soon', dueDate: '2026-12-01', target: { rules: ['booked'] } });
    for (const status of ['draft', 'done', 'archived']) await create({ status });
    await create({ target: { level: 'Bronze' } });
    const mine = async (token: string) => (await request('GET', '/v1/users/me/campaigns', { token })).body.campaigns;
    const ada = await mine(await person('ada@example.com', 'core'));
    expect(ada.map(({ campaign }: { campaign: { id: string } }) => campaign.id)).toEqual([soon, late]);
    expect(ada[0]).toMatchObject({ total: 3, open: 1, entities: [{ identifier: 'b', title: 'B' }] });
    expect(await mine(await person('ed@example.com', 'edge'))).toEqual([]);
    // programs are in no team
    expect((await request('GET', '/v1/users/me/campaigns')).body.campaigns).toEqual([]);
  });

  test('are counted in as many statements, however many campaigns and blueprints there are', async () => {
    const { request, create, person } = await world();
    const token = await person('ada@example.com', 'core');
    const mine = async () => (await request('GET', '/v1/users/me/campaigns', { token })).body.campaigns;
    await create({ title: 'First' });
    await mine();
    const one = await app.countStatements(mine);
    const second = await createBlueprint(request, 'second', { properties, ownership: { type: 'Direct' } });
    await request('POST', `/v1/blueprints/${second}/scorecards`, { body: card });
    await createEntity(request, second, { identifier: 'x', title: 'X', team: 'core', properties: { tier: 1 } });
    await app.app.jobs.drain();
    for (let index = 0; index < 5; index += 1) await create({ target: { rules: ['booked'] } });
    await create({ title: 'Second', blueprint: second, dueDate: '2027-02-01' });
    expect(await app.countStatements(mine)).toBe(one);
    const answered = await mine();
    expect(answered).toHaveLength(7);
    expect(answered.at(-1)).toMatchObject({ campaign: { title: 'Second' }, total: 1, entities: [{ identifier: 'x' }] });
  });
});

describe('over MCP', () => {
  test('campaigns are listed, read with their progress, written and deleted', async () => {
    const { request, blueprint, body } = await world();
    const call = async (name: string, args: object, token?: string) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { result } = (await request('POST', '/v1/mcp', { body: message, ...(token ? { token } : {}) })).body;
      return result;
    };
    const { structuredContent: made } = await call('upsert_campaign', { campaign: body() });
    const { id } = made.campaign;
    expect((await call('list_campaigns', { status: 'active' })).structuredContent).toMatchObject({
      total: 1,
      campaigns: [{ id, title: 'Runbooks', dueDate: '2027-01-31' }],
    });
    expect((await call('get_campaign', { blueprint, id })).structuredContent).toMatchObject({
      campaign: { id },
      progress: { total: 4, reached: 2 },
    });
    expect((await call('get_campaign', { blueprint: '_team', id })).isError).toBe(true);
    const replaced = await call('upsert_campaign', { id, campaign: body({ status: 'done' }) });
    expect(replaced.structuredContent).toMatchObject({ created: false, campaign: { status: 'done' } });
    expect((await call('upsert_campaign', { campaign: { title: 'x' } })).isError).toBe(true);
    expect((await call('delete_campaign', { id })).structuredContent).toEqual({ deleted: id });
    expect((await call('get_campaign', { blueprint, id })).isError).toBe(true);
  });
});
