import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { emptyMaps, unique } from '../catalog-fixtures.ts';
import { compared, everything, meta, terraformProvider } from './terraform-provider.ts';

// The requests of the Terraform provider on entities and scorecards, in its order (api contract §4.1).

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const { send, done, bare } = terraformProvider(() => app);

describe('port_entity', () => {
  const properties = {
    text: 'a text',
    choice: 'b',
    link: 'https://example.com/ü?a=1&b={c}',
    when: '2026-01-01T00:00:00+02:00',
    level: 2,
    share: 0.25,
    on: true,
    data: { nested: [1, null, { a: 'b' }] },
    labelled: { url: 'https://example.com', displayText: 'Example' },
    names: ['z', 'a'],
    kinds: [],
    people: ['a@example.com'],
    numbers: [1.5, -2],
    flags: [true, false],
    objects: [{ a: 1 }],
    untyped: ['x', 1],
    api: null,
    until: null,
    owner: null,
  };

  test('create, read, plan, update, read, delete', async () => {
    const target = await bare('target');
    const name = unique('everything');
    await done('POST', '/v1/blueprints', everything(name, target));
    await done('POST', `/v1/blueprints/${target}/entities?upsert=true&run_id=`, { identifier: 't/1', title: 'One' });
    const relations = { one: 't/1', needed: 't/1', several: ['t/1'], self: null };
    const body = { identifier: 'e:1', title: '', blueprint: name, properties, relations };
    await done('GET', `/v1/blueprints/${name}`);
    const path = `/v1/blueprints/${name}/entities`;
    const created = (await done('POST', `${path}?upsert=true&run_id=`, body)).entity;
    const read = async () =>
      (await done('GET', `${path}/${encodeURIComponent('e:1')}?exclude_calculated_properties=true`)).entity;
    const first = await read();
    expect([first.properties, first.relations, first.title]).toEqual([properties, relations, '']);
    expect(created.createdAt).toBe(first.createdAt);

    const changed = { ...body, title: 'E', properties: { choice: 'a' }, relations: { ...relations, several: [] } };
    await done('PUT', `${path}/${encodeURIComponent('e:1')}?run_id=`, changed);
    const second = await read();
    const cleared = Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
    expect(second.properties).toEqual({ ...cleared, choice: 'a' });
    expect([second.relations.several, second.title]).toEqual([[], 'E']);
    await done('PUT', `${path}/${encodeURIComponent('e:1')}?run_id=`, { ...changed, identifier: 'e:2' });
    expect((await send('GET', `${path}/${encodeURIComponent('e:1')}`)).status).toBe(404);
    expect((await done('DELETE', `${path}/${encodeURIComponent('e:2')}`)).ok).toBe(true);
    expect((await send('DELETE', `${path}/${encodeURIComponent('e:2')}`)).body).toMatchObject({
      ok: false,
      error: 'not_found',
    });
  });

  test('maps that are null are empty maps', async () => {
    const name = await bare('maps', { schema: { properties: { a: { type: 'string', default: 'd' } } } });
    const body = { identifier: 'e', properties: null, relations: null };
    const created = (await done('POST', `/v1/blueprints/${name}/entities?upsert=true`, body)).entity;
    expect([created.properties, created.relations]).toEqual([{ a: 'd' }, {}]);
  });

  test('of another blueprint is made there and deleted here', async () => {
    const [from, to] = [await bare('from'), await bare('to')];
    await done('POST', `/v1/blueprints/${from}/entities?upsert=true`, { identifier: 'e' });
    await done('POST', `/v1/blueprints/${to}/entities?upsert=true`, { identifier: 'e', blueprint: to });
    await done('DELETE', `/v1/blueprints/${from}/entities/e`);
    expect((await done('GET', `/v1/blueprints/${to}/entities/e`)).entity.blueprint).toBe(to);
  });
});

test('port_search: booleans printed as addresses, and exactly the blueprints that match', async () => {
  const name = await bare('found', { relations: { up: { target: '_team' } } });
  await done('POST', `/v1/blueprints/${name}/entities?upsert=true`, { identifier: 'e' });
  const query = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: name }] };
  const flags = 'exclude_calculated_properties=0xc0001&attach_title_to_relation=0xc0002&include=&exclude=';
  const found = await done('POST', `/v1/entities/search?${flags}`, query);
  expect(found.matchingBlueprints).toEqual([name]);
  expect(found.entities).toHaveLength(1);
  for (const key of meta) expect(found.entities[0][key]).toEqual(expect.any(String));
});

describe('port_scorecard', () => {
  const rule = (identifier: string, level: string, condition: object) => ({
    identifier,
    title: identifier,
    level,
    query: { combinator: 'and', conditions: [condition] },
  });

  test('create, read, plan, update, read, delete; levels that were not sent are the known ones', async () => {
    const name = await bare('scored', {
      schema: { properties: { text: { type: 'string' }, when: { type: 'string', format: 'date-time' } } },
      relations: { up: { target: '_team' } },
    });
    const path = `/v1/blueprints/${name}/scorecards`;
    const body = {
      identifier: 'ready',
      title: 'Ready',
      filter: { combinator: 'or', conditions: [{ property: 'text', operator: 'isNotEmpty', not: false }] },
      rules: [
        rule('a', 'Bronze', { property: 'text', operator: '=', value: 'x' }),
        rule('b', 'Gold', { property: 'when', operator: 'between', value: { preset: 'lastMonth' } }),
        { ...rule('c', 'Silver', { relation: 'up', operator: 'isEmpty', not: true }), description: 'Has a team' },
      ],
    };
    const levels = [
      { title: 'Basic', color: 'paleBlue' },
      { title: 'Bronze', color: 'bronze' },
      { title: 'Silver', color: 'silver' },
      { title: 'Gold', color: 'gold' },
    ];
    const expected = { ...body, levels, blueprint: name };
    expect(compared((await done('POST', path, body)).scorecard)).toEqual(expected);
    expect(compared((await done('GET', `${path}/ready`)).scorecard)).toEqual(expected);
    const { filter: _none, ...unfiltered } = body;
    const other = { ...unfiltered, rules: body.rules.slice(0, 1), levels: [...levels].slice(0, 2) };
    expect(compared((await done('PUT', `${path}/ready`, other)).scorecard)).toEqual({ ...other, blueprint: name });
    expect(compared((await done('GET', `${path}/ready`)).scorecard)).toEqual({ ...other, blueprint: name });
    expect(await done('DELETE', `${path}/ready`)).toEqual({ ok: true });
    expect((await send('GET', `${path}/ready`)).status).toBe(404);
  });
});

test('ten writes at once on one graph of blueprints all succeed', async () => {
  const target = await bare('hub');
  const names = await Promise.all(
    Array.from({ length: 10 }, () => bare('spoke', { relations: { to: { target, required: false, many: false } } })),
  );
  const body = (name: string, index: number) => ({
    ...emptyMaps,
    identifier: name,
    title: `T${index}`,
    schema: { properties: { [`p${index}`]: { type: 'string' } } },
    relations: { to: { target, required: false, many: false }, next: { target: names[(index + 1) % 10] } },
  });
  const answers = await Promise.all(
    names.map((name, index) => send('PUT', `/v1/blueprints/${name}`, body(name, index))),
  );
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
});
