import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
  unique,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const properties = {
  tier: { type: 'number' },
  runbook: { type: 'string' },
  tags: { type: 'array' },
  labels: { type: 'object' },
  seenAt: { type: 'string', format: 'date-time' },
};
const condition = (property: string, operator: string, value?: unknown) => ({
  property,
  operator,
  ...(value === undefined ? {} : { value }),
});
const rule = (identifier: string, level: string, ...conditions: unknown[]) => ({
  identifier,
  title: identifier,
  level,
  query: { combinator: 'and', conditions },
});
const scorecard = (parts: object = {}) => ({
  identifier: 'ready',
  title: 'Ready',
  rules: [
    rule('tiered', 'Bronze', condition('tier', '<=', 2)),
    rule('runbook', 'Silver', condition('runbook', 'isNotEmpty')),
    rule('tagged', 'Gold', condition('tags', 'contains', 'gold')),
  ],
  ...parts,
});
const defaults = [
  { title: 'Basic', color: 'paleBlue' },
  { title: 'Bronze', color: 'bronze' },
  { title: 'Silver', color: 'silver' },
  { title: 'Gold', color: 'gold' },
];
const scorecardPath = (blueprint: string, identifier = '') =>
  `/v1/blueprints/${blueprint}/scorecards${identifier && `/${identifier}`}`;
const newBlueprint = (parts: object = {}) => createBlueprint(app.request, 'scored', { properties, ...parts });
const readResult = async (blueprint: string, entity: string, identifier = 'ready') =>
  (await app.request('GET', entityPath(blueprint, entity))).body.entity.scorecards?.[identifier];

describe('a scorecard', () => {
  test('is answered by create, read and update alike, with its default levels and all times', async () => {
    const blueprint = await newBlueprint();
    const created = await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    expect(created.status).toBe(201);
    const meta = {
      createdAt: app.clock.now().toISOString(),
      createdBy: app.organization.clientId,
      updatedAt: app.clock.now().toISOString(),
      updatedBy: app.organization.clientId,
    };
    expect(created.body).toEqual({
      ok: true,
      scorecard: { ...scorecard(), blueprint, levels: defaults, ...meta },
    });
    const read = await app.request('GET', scorecardPath(blueprint, 'ready'));
    expect(read.body).toEqual(created.body);
    app.clock.advance(1000);
    const same = await app.request('PUT', scorecardPath(blueprint, 'ready'), { body: read.body.scorecard });
    expect(same.body.scorecard).toMatchObject({ rules: scorecard().rules });
    const changed = await app.request('PUT', scorecardPath(blueprint, 'ready'), {
      body: scorecard({ title: 'Other' }),
    });
    expect(changed.body.scorecard).toEqual({
      ...created.body.scorecard,
      title: 'Other',
      updatedAt: app.clock.now().toISOString(),
    });
  });

  test('keeps optional parts absent that were never set, and as sent those that were', async () => {
    const blueprint = await newBlueprint();
    const levels = [
      { title: 'Exposed', color: 'red' },
      { title: 'Hardened', color: 'brown', description: 'Nothing is open' },
    ];
    const filter = { combinator: 'or', conditions: [{ property: '$title', operator: 'isEmpty', not: true }] };
    const body = { identifier: 'own', title: 'Own', levels, filter, properties: { owner: 'me' }, rules: [] };
    await app.request('POST', scorecardPath(blueprint), { body });
    expect((await app.request('GET', scorecardPath(blueprint, 'own'))).body.scorecard).toMatchObject(body);
    await app.request('PUT', scorecardPath(blueprint, 'own'), {
      body: { identifier: 'own', title: 'Own', levels, rules: [] },
    });
    const { scorecard: read } = (await app.request('GET', scorecardPath(blueprint, 'own'))).body;
    expect(Object.keys(read).sort()).toEqual([
      ...['blueprint', 'createdAt', 'createdBy', 'identifier', 'levels', 'rules', 'title', 'updatedAt', 'updatedBy'],
    ]);
  });

  test('that is not there is 404 in the words clients know', async () => {
    const blueprint = await newBlueprint();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: scorecard() } : {};
      const answer = await app.request(method, scorecardPath(blueprint, 'ready'), body);
      expect(answer).toMatchObject({ status: 404, body: { ok: false, error: 'not_found' } });
    }
    expect(await app.request('GET', scorecardPath('no-such'))).toMatchObject({ status: 404 });
    expect(await app.request('POST', scorecardPath('no-such'), { body: scorecard() })).toMatchObject({ status: 404 });
  });

  test('cannot be created twice, nor be given another identifier', async () => {
    const blueprint = await newBlueprint();
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    const again = await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    expect(again).toMatchObject({ status: 409, body: { error: 'identifier_taken' } });
    const renamed = await app.request('PUT', scorecardPath(blueprint, 'ready'), {
      body: scorecard({ identifier: 'x' }),
    });
    expect(renamed.status).toBe(422);
    expect(issuePaths(renamed.body)).toEqual(['/identifier']);
  });

  test('is listed with its blueprint and with all others, and PUT on the list replaces the set', async () => {
    const blueprint = await newBlueprint();
    for (const identifier of ['a', 'b']) {
      await app.request('POST', scorecardPath(blueprint), { body: scorecard({ identifier }) });
    }
    const { scorecards } = (await app.request('GET', scorecardPath(blueprint))).body;
    expect(scorecards.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['a', 'b']);
    const all = (await app.request('GET', `/v1/scorecards?page=${blueprint}`)).body.scorecards;
    expect(all).toEqual(expect.arrayContaining(scorecards));
    const replaced = await app.request('PUT', scorecardPath(blueprint), {
      body: [{ ...scorecards[1], id: 'sc_1' }, scorecard({ identifier: 'c' })],
    });
    expect(replaced.status, JSON.stringify(replaced.body)).toBe(200);
    expect(replaced.body.scorecards[0]).toEqual(scorecards[1]);
    const left = (await app.request('GET', scorecardPath(blueprint))).body.scorecards;
    expect(left.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['b', 'c']);
    const twice = await app.request('PUT', scorecardPath(blueprint), { body: [scorecard(), scorecard()] });
    expect(issuePaths(twice.body)).toEqual(['/1/identifier']);
  });

  test.each([
    ['a nested group', { combinator: 'and', conditions: [condition('tier', '=', 1)] }],
    ['notIn', condition('tier', 'notIn', ['a'])],
    ['lastDay', condition('seenAt', 'between', { preset: 'lastDay' })],
    ['a scalar for in', condition('runbook', 'in', 'a')],
    ['no subject', { operator: 'isEmpty' }],
    ['both subjects', { property: 'tier', relation: 'x', operator: 'isEmpty' }],
    ['a value for isEmpty', condition('tier', 'isEmpty', 1)],
    ['not on =', { ...condition('tier', '=', 1), not: true }],
    ['an unknown property', condition('teir', '=', 1)],
    ['an unknown relation', { relation: 'nowhere', operator: 'isEmpty' }],
    ['an unknown meta-property', condition('$nothing', '=', 1)],
  ])('with %s in a condition is refused with the place', async (_what, wrong) => {
    const blueprint = await newBlueprint();
    const body = scorecard({ rules: [rule('r', 'Gold', wrong)] });
    const answer = await app.request('POST', scorecardPath(blueprint), { body });
    expect(answer).toMatchObject({ status: 422, body: { error: 'invalid_request' } });
    expect(issuePaths(answer.body)[0]).toMatch(/^\/rules\/0\/query\/conditions\/0/);
    expect((await app.request('GET', scorecardPath(blueprint))).body.scorecards).toEqual([]);
  });

  test.each([
    [{ rules: [rule('r', 'Basic', condition('tier', '=', 1))] }, '/rules/0/level'],
    [{ rules: [rule('r', 'Platinum', condition('tier', '=', 1))] }, '/rules/0/level'],
    [
      { rules: [rule('r', 'Gold', condition('tier', '=', 1)), rule('r', 'Gold', condition('tier', '=', 1))] },
      '/rules/1/identifier',
    ],
    [{ levels: [{ title: 'A', color: 'black' }], rules: [] }, '/levels/0/color'],
    [{ filter: { combinator: 'and', conditions: [] } }, '/filter/conditions'],
    [{ filter: { combinator: 'and', rules: [] } }, '/filter/conditions'],
    [{ colour: 'red' }, '/colour'],
    [{ identifier: 'a b' }, '/identifier'],
  ])('%j is refused at %s', async (parts, path) => {
    const blueprint = await newBlueprint();
    const answer = await app.request('POST', scorecardPath(blueprint), { body: scorecard(parts) });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body)).toContain(path);
  });

  test('is written by administrators and read by members, within its organization', async () => {
    const blueprint = await newBlueprint();
    const token = await app.organization.memberToken();
    const refused = await app.request('POST', scorecardPath(blueprint), { body: scorecard(), token });
    expect(refused).toMatchObject({ status: 403, body: { error: 'missing_permissions' } });
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    expect((await app.request('GET', scorecardPath(blueprint, 'ready'), { token })).status).toBe(200);
    const other = await app.createOrganization();
    expect((await other.request('GET', '/v1/scorecards')).body.scorecards).toEqual([]);
    expect((await other.request('GET', scorecardPath(blueprint, 'ready'))).status).toBe(404);
  });

  test('goes with its blueprint, and leaves its changes in the journal', async () => {
    const blueprint = await newBlueprint();
    const identifier = unique('card');
    await app.request('POST', scorecardPath(blueprint), { body: scorecard({ identifier }) });
    await app.request('PUT', scorecardPath(blueprint, identifier), { body: scorecard({ identifier, title: 'B' }) });
    await app.request('PUT', scorecardPath(blueprint, identifier), { body: scorecard({ identifier, title: 'B' }) });
    await app.request('DELETE', scorecardPath(blueprint, identifier));
    const events = (await app.organization.journal()).filter((line) =>
      new RegExp(`^scorecard.* ${identifier}$`).test(line),
    );
    expect(events.map((line) => line.split(' ')[0])).toEqual([
      'scorecard.created',
      'scorecard.updated',
      'scorecard.deleted',
    ]);
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    expect((await app.request('DELETE', `/v1/blueprints/${blueprint}`)).status).toBe(200);
    expect((await app.request('GET', '/v1/scorecards')).body.scorecards).not.toContainEqual(
      expect.objectContaining({ blueprint }),
    );
  });
});

describe('results', () => {
  test('are on the answer of the write, on reads, and in the exact shape', async () => {
    const blueprint = await newBlueprint();
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    const written = await createEntity(app.request, blueprint, {
      identifier: 'a',
      properties: { tier: 1, tags: ['gold'] },
    });
    const expected = {
      ready: {
        level: 'Bronze',
        rules: [
          { identifier: 'tiered', status: 'SUCCESS', level: 'Bronze' },
          { identifier: 'runbook', status: 'FAILURE', level: 'Silver' },
          { identifier: 'tagged', status: 'SUCCESS', level: 'Gold' },
        ],
      },
    };
    expect(written).toMatchObject({ scorecards: expected });
    expect(await readEntity(app.request, blueprint, 'a')).toMatchObject({ scorecards: expected });
    const found = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body: {} });
    expect(found.body.entities[0].scorecards).toEqual(expected);
    const patched = await app.request('PATCH', entityPath(blueprint, 'a'), { body: { properties: { runbook: 'x' } } });
    expect(patched.body.entity.scorecards.ready.level).toBe('Gold');
  });

  test('follow every change of the set: create, replace, filter, delete', async () => {
    const blueprint = await newBlueprint();
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 1 } });
    await createEntity(app.request, blueprint, { identifier: 'b', properties: { tier: 3 } });
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    expect((await readResult(blueprint, 'a')).level).toBe('Bronze');
    expect((await readResult(blueprint, 'b')).level).toBe('Basic');
    const filter = { combinator: 'and', conditions: [condition('tier', '>', 2)] };
    await app.request('PUT', scorecardPath(blueprint, 'ready'), { body: scorecard({ filter }) });
    expect(await readResult(blueprint, 'a')).toBeUndefined();
    expect((await readResult(blueprint, 'b')).level).toBe('Basic');
    await app.request('DELETE', scorecardPath(blueprint, 'ready'));
    expect(await readEntity(app.request, blueprint, 'b')).not.toHaveProperty('scorecards');
    expect(await readResult(blueprint, 'b')).toBeUndefined();
  });

  test('read mirrors, calculations of others, teams and relations, and follow what they read', async () => {
    const group = await createBlueprint(app.request, 'group', { properties: { stage: { type: 'string' } } });
    await createEntity(app.request, group, { identifier: 'g', properties: { stage: 'live' } });
    const blueprint = await newBlueprint({
      relations: { group: { target: group, required: false, many: false } },
      mirrorProperties: { stage: { path: 'group.stage' } },
      ownership: { type: 'Direct' },
    });
    const rules = [
      rule('live', 'Bronze', condition('stage', '=', 'live'), { relation: 'group', operator: '=', value: 'g' }),
      rule('owned', 'Silver', condition('$team', 'contains', 'crew')),
    ];
    await app.request('POST', scorecardPath(blueprint), { body: scorecard({ rules }) });
    await createEntity(app.request, '_team', { identifier: 'crew', title: 'The Crew' });
    await createEntity(app.request, blueprint, { identifier: 'a', team: 'crew', relations: { group: 'g' } });
    expect((await readResult(blueprint, 'a')).level).toBe('Silver');
    await app.request('PATCH', entityPath(group, 'g'), { body: { properties: { stage: 'planned' } } });
    expect((await readResult(blueprint, 'a')).level).toBe('Basic');
  });

  test('of many entities are evaluated by one job, which says the same', async () => {
    const blueprint = await newBlueprint();
    for (let start = 0; start < 520; start += 20) {
      const entities = Array.from({ length: 20 }, (_, index) => ({
        identifier: `e${start + index}`,
        properties: { tier: (start + index) % 2 === 0 ? 1 : 5 },
      }));
      await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body: { entities } });
    }
    await app.request('POST', scorecardPath(blueprint), { body: scorecard() });
    await app.request('PUT', scorecardPath(blueprint, 'ready'), { body: scorecard({ title: 'Again' }) });
    expect(await readResult(blueprint, 'e0')).toBeUndefined();
    expect((await app.app.jobs.drain()).dead).toBe(0);
    expect((await readResult(blueprint, 'e0')).level).toBe('Bronze');
    expect((await readResult(blueprint, 'e519')).level).toBe('Basic');
  });

  test('of date ranges move with the clock', async () => {
    const own = await createTestApp();
    try {
      const blueprint = await createBlueprint(own.request, 'dated', { properties });
      const rules = [rule('fresh', 'Bronze', condition('seenAt', 'between', { preset: 'lastWeek' }))];
      await own.request('POST', scorecardPath(blueprint), { body: scorecard({ rules }) });
      const seenAt = own.clock.now().toISOString();
      const entity = await createEntity(own.request, blueprint, { identifier: 'a', properties: { seenAt } });
      expect(entity).toMatchObject({ scorecards: { ready: { level: 'Bronze' } } });
      await own.app.jobs.drain();
      own.clock.advance(8 * 24 * 60 * 60_000);
      await own.app.jobs.drain();
      const [row] = await own.database.rows(sql`
        select scorecards from entities where org_id = ${own.organization.id} and identifier = 'a'`);
      expect(row).toMatchObject({ scorecards: { ready: { level: 'Basic' } } });
    } finally {
      await own.close();
    }
  });

  test('of a property that left the blueprint read as empty', async () => {
    const blueprint = await newBlueprint();
    await app.request('POST', scorecardPath(blueprint), {
      body: scorecard({ rules: [rule('runbook', 'Bronze', condition('runbook', 'isNotEmpty'))] }),
    });
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { runbook: 'x' } });
    expect((await readResult(blueprint, 'a')).level).toBe('Bronze');
    const { runbook: _gone, ...rest } = properties;
    const changed = await app.request('PUT', `/v1/blueprints/${blueprint}`, {
      body: { identifier: blueprint, title: blueprint, schema: { properties: rest } },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await readResult(blueprint, 'a')).level).toBe('Basic');
  });
});
