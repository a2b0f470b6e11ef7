import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity, issuePaths } from '../../../test/catalog-fixtures.ts';
import { activeMax } from './write-campaigns.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const properties = { runbook: { type: 'string' }, tier: { type: 'number' }, zone: { type: 'string' } };
const rule = (identifier: string, level: string, property: string) => ({
  identifier,
  title: identifier,
  level,
  query: { combinator: 'and', conditions: [{ property, operator: 'isNotEmpty' }] },
});
const card = {
  identifier: 'ready',
  title: 'Ready',
  rules: [rule('tiered', 'Bronze', 'tier'), rule('booked', 'Silver', 'runbook')],
};

/** Two entities of `core`, one of `core` and `edge`, one of nobody; of these, two are at Silver. */
async function world() {
  const organization = await app.createOrganization();
  const { request } = organization;
  for (const team of ['core', 'edge']) await createEntity(request, '_team', { identifier: team, title: team });
  const blueprint = await createBlueprint(request, 'scored', { properties, ownership: { type: 'Direct' } });
  const scorecards = `/v1/blueprints/${blueprint}/scorecards`;
  expect((await request('POST', scorecards, { body: card })).status).toBe(201);
  const silver = { tier: 1, runbook: 'x', zone: 'north' };
  await createEntity(request, blueprint, { identifier: 'a', title: 'A', team: 'core', properties: silver });
  await createEntity(request, blueprint, { identifier: 'b', title: 'B', team: 'core', properties: { tier: 1 } });
  await createEntity(request, blueprint, { identifier: 'c', title: 'C', team: ['core', 'edge'], properties: silver });
  await createEntity(request, blueprint, { identifier: 'd', title: 'D', properties: { zone: 'north' } });
  await app.app.jobs.drain();
  const body = (parts: object = {}) => ({
    title: 'Runbooks',
    blueprint,
    scorecard: 'ready',
    target: { level: 'Silver' },
    dueDate: '2027-01-31',
    status: 'active',
    ...parts,
  });
  const create = async (parts: object = {}): Promise<string> => {
    const answer = await request('POST', '/v1/campaigns', { body: body(parts) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.campaign.id;
  };
  const progress = async (id: string, token?: string) =>
    (await request('GET', `/v1/campaigns/${id}/progress`, token === undefined ? {} : { token })).body;
  const allow = async (of: string, entities: object) => {
    const answer = await request('PATCH', `/v1/blueprints/${of}/permissions`, { body: { entities } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const person = async (identifier: string, team: string) => {
    const its = { status: 'Active', port_role: 'Member' };
    await createEntity(request, '_user', { identifier, team, properties: its });
    await app.app.jobs.drain();
    return organization.personToken(identifier, 'Member');
  };
  return { organization, request, blueprint, scorecards, body, create, progress, allow, person };
}

/** What `openQuery` finds, by identifier. */
async function openOf({ request }: TestOrganization, blueprint: string, query: unknown, token?: string) {
  const path = `/v1/blueprints/${blueprint}/entities/search`;
  const answer = await request('POST', path, { body: { query }, ...(token === undefined ? {} : { token }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.entities.map(({ identifier }: Entity) => identifier).sort();
}

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
    expect(await refused({ target: {} })).toEqual(['/target']);
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
      { team: 'core', total: 3, reached: 2 },
      { team: null, total: 1, reached: 0 },
      { team: 'edge', total: 1, reached: 1 },
    ]);
    expect(await openOf(organization, blueprint, found.openQuery)).toEqual(['b', 'd']);
  });

  test('of rules counts entities that pass all of them, whatever their level', async () => {
    const { organization, request, blueprint, create, progress } = await world();
    await createEntity(request, blueprint, { identifier: 'e', properties: { runbook: 'only' } });
    const one = await progress(await create({ target: { rules: ['booked'] } }));
    expect(one).toMatchObject({ total: 5, reached: 3 });
    expect(await openOf(organization, blueprint, one.openQuery)).toEqual(['b', 'd']);
    const both = await progress(await create({ target: { rules: ['booked', 'tiered'] } }));
    expect(both).toMatchObject({ total: 5, reached: 2 });
    expect(await openOf(organization, blueprint, both.openQuery)).toEqual(['b', 'd', 'e']);
  });

  test('looks at what the filter lets in and the scorecard measures', async () => {
    const { organization, request, blueprint, scorecards, create, progress } = await world();
    const filter = { combinator: 'and', rules: [{ property: 'zone', operator: '=', value: 'north' }] };
    const id = await create({ filter });
    const found = await progress(id);
    expect(found).toMatchObject({ total: 3, reached: 2 });
    expect(await openOf(organization, blueprint, found.openQuery)).toEqual(['d']);
    const measured = { combinator: 'and', conditions: [{ property: 'tier', operator: 'isNotEmpty' }] };
    await request('PUT', `${scorecards}/ready`, { body: { ...card, filter: measured } });
    await app.app.jobs.drain();
    const narrowed = await progress(id);
    expect(narrowed).toMatchObject({ total: 2, reached: 2 });
    expect(await openOf(organization, blueprint, narrowed.openQuery)).toEqual([]);
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
    expect(found.teams).toContainEqual({ team: 'core', total: 1, reached: 1 });
    expect(await openOf(organization, blueprint, found.openQuery, token)).toEqual([]);
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
