import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
} from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const link = 'entity_link';
const isSet = (property: string) => ({ combinator: 'and', conditions: [{ property, operator: 'isNotEmpty' }] });
const rule = (identifier: string, property: string, level = 'Gold') => ({
  identifier,
  title: `Has ${property}`,
  level,
  query: isSet(property),
});
const readiness = (parts: object = {}) => ({
  identifier: 'readiness',
  title: 'Readiness',
  rules: [rule('hasRunbook', 'runbook'), rule('hasTier', 'tier', 'Bronze')],
  ...parts,
});
const properties = { runbook: { type: 'string' }, tier: { type: 'number' } };

/** An organization with a blueprint and a scorecard of two rules. */
async function scored(parts: object = {}) {
  const organization = await app.createOrganization();
  const { request } = organization;
  const blueprint = await createBlueprint(request, 'service', { properties, ownership: { type: 'Direct' } });
  const answer = await request('POST', `/v1/blueprints/${blueprint}/scorecards`, { body: readiness(parts) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { organization, request, blueprint };
}

const listEntities = async ({ request }: TestOrganization, blueprint: string) => {
  const answer = await request('GET', `/v1/blueprints/${blueprint}/entities`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.entities as { identifier: string; title: string; properties: Record<string, unknown> }[];
};

/** Results in words, once the jobs are done. */
async function readResults(organization: TestOrganization): Promise<string[]> {
  expect((await app.app.jobs.drain()).dead).toBe(0);
  const results = await listEntities(organization, '_rule_result');
  return results.map(({ title, properties: { result } }) => `${title}: ${result}`).sort();
}

test('a fresh organization has the blueprints, and may extend but not reduce them', async () => {
  const { request } = await app.createOrganization();
  for (const name of ['_scorecard', '_rule', '_rule_result']) {
    expect((await request('GET', `/v1/blueprints/${name}`)).status).toBe(200);
    const { blueprint } = (await request('GET', `/v1/blueprints/system/${name}/structure`)).body;
    expect((await request('DELETE', `/v1/blueprints/${name}`)).body.error).toBe('managed_field');
    const more = { ...blueprint.schema.properties, note: { type: 'string' } };
    const put = await request('PUT', `/v1/blueprints/${name}`, {
      body: { ...blueprint, schema: { ...blueprint.schema, properties: more } },
    });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const [first] = Object.keys(blueprint.schema.properties);
    const { [first as string]: _, ...less } = more;
    const reduced = { ...blueprint, schema: { properties: less, required: [] } };
    expect((await request('PUT', `/v1/blueprints/${name}`, { body: reduced })).body.error).toBe('managed_field');
  }
});

describe('results', () => {
  test('say of each rule whether the entity passed, since when, and belong to its teams', async () => {
    const { organization, request, blueprint } = await scored();
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    await createEntity(request, blueprint, {
      identifier: 'cart',
      title: 'Cart',
      team: 'core',
      properties: { tier: 1 },
    });
    expect(await readResults(organization)).toEqual(['Has runbook – Cart: Not passed', 'Has tier – Cart: Passed']);
    const [result] = (await listEntities(organization, '_rule_result')).filter(({ title }) =>
      title.startsWith('Has tier'),
    );
    expect(result).toMatchObject({
      team: ['core'],
      properties: {
        result: 'Passed',
        entity: 'cart',
        result_last_change: app.clock.now().toISOString(),
        level: 'Bronze',
        scorecard: 'readiness',
        blueprint,
        [link]: `/${blueprint}Entity?identifier=cart`,
      },
      relations: { rule: 'hasTier', [blueprint]: 'cart' },
    });
    const read = await readEntity(request, '_rule', 'hasTier');
    expect(read).toMatchObject({
      properties: { level: 'Bronze', entities_tested: 1, entities_passed: 1, of_entities_passed: 100 },
      relations: { scorecard: 'readiness' },
    });
    expect(await readEntity(request, '_scorecard', 'readiness')).toMatchObject({
      properties: { blueprint, rules_tested: 2, rules_passed: 1, of_rules_passed: 50 },
    });
  });

  test('follow the entity: its values, name, teams, and its end', async () => {
    const { organization, request, blueprint } = await scored();
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    await createEntity(request, blueprint, { identifier: 'cart', properties: { tier: 1 } });
    await createEntity(request, blueprint, { identifier: 'shop', properties: {} });
    await readResults(organization);
    app.clock.advance(60_000);
    const body = { identifier: 'basket', title: 'Basket', team: 'core', properties: { runbook: 'x' } };
    const patched = await request('PATCH', entityPath(blueprint, 'cart'), { body });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect((await request('DELETE', entityPath(blueprint, 'shop'))).status).toBe(200);
    expect(await listEntities(organization, '_rule_result')).toHaveLength(2);
    expect(await readResults(organization)).toEqual(['Has runbook – Basket: Passed', 'Has tier – Basket: Passed']);
    const results = await listEntities(organization, '_rule_result');
    const since = Object.fromEntries(results.map((each) => [each.title, each.properties['result_last_change']]));
    const now = app.clock.now();
    expect(since).toEqual({
      'Has runbook – Basket': now.toISOString(),
      'Has tier – Basket': new Date(now.getTime() - 60_000).toISOString(),
    });
    for (const each of results) {
      expect(each).toMatchObject({
        team: ['core'],
        properties: { entity: 'basket' },
        relations: { [blueprint]: 'basket' },
      });
    }
  });

  test('follow the scorecard: rules that come, change and go, and its end', async () => {
    const { organization, request, blueprint } = await scored();
    await createEntity(request, blueprint, { identifier: 'cart', properties: { tier: 1 } });
    const path = `/v1/blueprints/${blueprint}/scorecards/readiness`;
    const changed = readiness({ rules: [{ ...rule('hasTier', 'tier'), title: 'Tiered' }, rule('more', 'runbook')] });
    expect((await request('PUT', path, { body: changed })).status).toBe(200);
    expect(await readResults(organization)).toEqual(['Has runbook – cart: Not passed', 'Tiered – cart: Passed']);
    expect((await listEntities(organization, '_rule')).map(({ identifier }) => identifier)).toEqual([
      'hasTier',
      'more',
    ]);
    expect((await request('DELETE', path)).status).toBe(200);
    expect(await readResults(organization)).toEqual([]);
    expect(await listEntities(organization, '_rule')).toEqual([]);
    expect(await listEntities(organization, '_scorecard')).toEqual([]);
    expect((await request('DELETE', entityPath(blueprint, 'cart'))).status).toBe(200);
    expect((await request('DELETE', `/v1/blueprints/${blueprint}`)).status).toBe(200);
    expect((await request('GET', '/v1/blueprints/_rule_result')).body.blueprint.relations).not.toHaveProperty(
      blueprint,
    );
  });
});

describe('entities of scorecards and rules', () => {
  test('make the scorecard, change it and take it away', async () => {
    const organization = await app.createOrganization();
    const { request } = organization;
    const blueprint = await createBlueprint(request, 'service', { properties });
    await createEntity(request, blueprint, { identifier: 'cart', properties: { tier: 1 } });
    const scorecards = async () => (await request('GET', `/v1/blueprints/${blueprint}/scorecards`)).body.scorecards;
    await createEntity(request, '_scorecard', { identifier: 'ready', title: 'Ready', properties: { blueprint } });
    expect(await scorecards()).toMatchObject([{ identifier: 'ready', title: 'Ready', rules: [] }]);
    await createEntity(request, '_rule', {
      identifier: 'tiered',
      title: 'Tiered',
      properties: { level: 'Gold', query: isSet('tier'), rule_description: 'Why' },
      relations: { scorecard: 'ready' },
    });
    const { title, level, query } = { title: 'Tiered', level: 'Gold', query: isSet('tier') };
    expect((await scorecards())[0].rules).toEqual([{ identifier: 'tiered', title, level, query, description: 'Why' }]);
    expect(await readResults(organization)).toEqual(['Tiered – cart: Passed']);
    const change = { title: 'Has a runbook', properties: { query: isSet('runbook') } };
    expect((await request('PATCH', entityPath('_rule', 'tiered'), { body: change })).status).toBe(200);
    expect(await readResults(organization)).toEqual(['Has a runbook – cart: Not passed']);
    expect((await request('DELETE', entityPath('_rule', 'tiered'))).status).toBe(200);
    expect((await scorecards())[0].rules).toEqual([]);
    expect(await readResults(organization)).toEqual([]);
    await createEntity(request, '_rule', {
      identifier: 'again',
      properties: { level: 'Gold', query: isSet('tier') },
      relations: { scorecard: 'ready' },
    });
    expect(await readResults(organization)).toEqual(['again – cart: Passed']);
    expect((await request('DELETE', entityPath('_scorecard', 'ready'))).status).toBe(200);
    expect(await scorecards()).toEqual([]);
    expect(await listEntities(organization, '_rule')).toEqual([]);
    expect(await readResults(organization)).toEqual([]);
    expect(await readEntity(request, blueprint, 'cart')).not.toHaveProperty('scorecards');
  });

  test('are refused as the scorecards they would be, where the fault stands', async () => {
    const { request, blueprint } = await scored();
    const post = async (name: string, body: object) => {
      const answer = await request('POST', `/v1/blueprints/${name}/entities`, { body });
      const { error, details } = answer.body;
      return [answer.status, error, Array.isArray(details) ? issuePaths(answer.body) : []];
    };
    const card = (more: object, identifier = 'other') => ({ identifier, properties: { blueprint, ...more } });
    expect(await post('_scorecard', card({ blueprint: 'nowhere' }))).toEqual([404, 'not_found', []]);
    expect(await post('_scorecard', card({ blueprint: '_rule' }))).toMatchObject([
      422,
      'invalid_request',
      [expect.any(String)],
    ]);
    const filter = { combinator: 'and', conditions: [{ property: 'nothing', operator: 'isEmpty' }] };
    expect(await post('_scorecard', card({ filter }))).toEqual([
      422,
      'invalid_request',
      ['/properties/filter/conditions/0/property'],
    ]);
    expect(await post('_scorecard', card({ levels: [{ title: 'One' }] }))).toEqual([
      422,
      'invalid_request',
      ['/properties/levels/0/color'],
    ]);
    expect(await post('_scorecard', card({}, 'readiness'))).toEqual([409, 'identifier_taken', []]);
    const wrong = { identifier: 'wrong', properties: { level: 'Basic', query: isSet('tier') } };
    const related = { ...wrong, relations: { scorecard: 'readiness' } };
    expect(await post('_rule', related)).toEqual([422, 'invalid_request', ['/properties/level']]);
    expect(await post('_rule', wrong)).toEqual([422, 'invalid_request', ['/relations/scorecard']]);
    expect((await request('GET', `/v1/blueprints/${blueprint}/scorecards`)).body.scorecards).toHaveLength(1);
  });

  test('keep what they stand for, and results what the platform wrote', async () => {
    const { organization, request, blueprint } = await scored();
    await createEntity(request, blueprint, { identifier: 'cart', properties: {} });
    await readResults(organization);
    const [result] = await listEntities(organization, '_rule_result');
    const refused = async (method: string, path: string, body?: object) => {
      const answer = await request(method, path, { body });
      expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([422, 'managed_field']);
    };
    await refused('PATCH', entityPath('_scorecard', 'readiness'), { identifier: 'other' });
    await refused('PATCH', entityPath('_scorecard', 'readiness'), { properties: { blueprint: 'other' } });
    await refused('PATCH', entityPath('_rule', 'hasTier'), { identifier: 'other' });
    const path = entityPath('_rule_result', (result as { identifier: string }).identifier);
    await refused('PATCH', path, { properties: { result: 'Passed' } });
    await refused('PATCH', path, { team: 'core' });
    await refused('PATCH', path, { relations: { [blueprint]: null } });
    await refused('DELETE', path);
    await refused('POST', '/v1/blueprints/_rule_result/entities', { identifier: 'mine', properties: {} });
    const added = { schema: { properties: { due: { type: 'string' } } } };
    expect((await request('PATCH', '/v1/blueprints/_rule_result', { body: added })).status).toBe(200);
    expect((await request('PATCH', path, { body: { properties: { due: 'soon' } } })).status).toBe(200);
    await request('PATCH', entityPath(blueprint, 'cart'), { body: { properties: { tier: 1, runbook: 'x' } } });
    await readResults(organization);
    expect((await request('GET', path)).body.entity.properties).toMatchObject({ result: 'Passed', due: 'soon' });
  });

  test('carry the custom properties of a scorecard both ways', async () => {
    const { organization, request, blueprint } = await scored();
    const added = { schema: { properties: { owner: { type: 'string' } } } };
    expect((await request('PATCH', '/v1/blueprints/_scorecard', { body: added })).status).toBe(200);
    const path = `/v1/blueprints/${blueprint}/scorecards/readiness`;
    expect((await request('PUT', path, { body: readiness({ properties: { owner: 'me' } }) })).status).toBe(200);
    expect((await readEntity(request, '_scorecard', 'readiness')).properties).toMatchObject({ owner: 'me' });
    const body = { properties: { owner: 'you' } };
    expect((await request('PATCH', entityPath('_scorecard', 'readiness'), { body })).status).toBe(200);
    expect((await request('GET', path)).body.scorecard).toMatchObject({ properties: { owner: 'you' } });
    const wrong = await request('PUT', path, { body: readiness({ properties: { owner: 1 } }) });
    expect([wrong.status, issuePaths(wrong.body)]).toEqual([422, ['/properties/owner']]);
    const rename = { newPropertyName: 'warden' };
    await request('PATCH', '/v1/blueprints/_scorecard/properties/owner/rename', { body: rename });
    expect((await request('GET', path)).body.scorecard.properties).toEqual({ warden: 'you' });
    await readResults(organization);
  });

  test('of two blueprints have names of their own', async () => {
    const { organization, request } = await scored();
    const other = await createBlueprint(request, 'other', { properties });
    expect((await request('POST', `/v1/blueprints/${other}/scorecards`, { body: readiness() })).status).toBe(201);
    const names = async (name: string) => (await listEntities(organization, name)).map(({ identifier }) => identifier);
    expect(await names('_scorecard')).toEqual(['readiness', `${other}_readiness`]);
    expect(await names('_rule')).toEqual([
      'hasRunbook',
      'hasTier',
      `${other}_readiness_hasRunbook`,
      `${other}_readiness_hasTier`,
    ]);
    const renamed = `${other}Renamed`;
    expect((await request('PATCH', `/v1/blueprints/${other}`, { body: { identifier: renamed } })).status).toBe(200);
    const card = await readEntity(request, '_scorecard', `${other}_readiness`);
    expect(card.properties).toMatchObject({ blueprint: renamed });
    const { relations } = (await request('GET', '/v1/blueprints/_rule_result')).body.blueprint;
    expect(relations[other].target).toBe(renamed);
    await createEntity(request, renamed, { identifier: 'cart', properties: { tier: 1 } });
    expect(await readResults(organization)).toHaveLength(2);
    expect((await request('DELETE', entityPath(renamed, 'cart'))).status).toBe(200);
    expect((await request('DELETE', `/v1/blueprints/${renamed}`)).status).toBe(200);
    expect(await names('_scorecard')).toEqual(['readiness']);
  });
});
