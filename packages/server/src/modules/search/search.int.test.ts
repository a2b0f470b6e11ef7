import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity, issuePaths, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const everywhere = (body: unknown, query = '') => app.request('POST', `/v1/entities/search${query}`, { body });
const within = (blueprint: string, body: unknown) =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body });
const and = (...rules: unknown[]) => ({ combinator: 'and', rules });
const of = (...blueprints: string[]) => ({ property: '$blueprint', operator: 'in', value: blueprints });
const named = (entities: readonly Entity[]) => entities.map(({ identifier }) => identifier);

async function stock(stem: string, count: number) {
  const blueprint = await createBlueprint(app.request, stem, { properties: { n: { type: 'number' } } });
  for (let start = 0; start < count; start += 20) {
    const entities = Array.from({ length: Math.min(20, count - start) }, (_, index) => ({
      identifier: `e${start + index}`,
      properties: { n: start + index },
    }));
    await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body: { entities } });
  }
  return blueprint;
}

describe('date presets', () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  /** 15 January 2026, 09:00 UTC, is now. */
  const offsets: Record<string, number> = {
    now: 0,
    morning: -9 * hour,
    lastNight: -9 * hour - 1,
    evening: 15 * hour - 1,
    tomorrow: 15 * hour,
    dayAgo: -day,
    weekAgo: -7 * day,
    monthAgo: -30 * day,
    yearAgo: -365 * day,
    threeYears: -1095 * day,
    inWeek: 7 * day,
    inYear: 365 * day,
  };
  let blueprint = '';
  beforeAll(async () => {
    blueprint = await createBlueprint(app.request, 'dated', {
      properties: { at: { type: 'string', format: 'date-time' } },
    });
    const now = app.clock.now().getTime();
    for (const [identifier, offset] of Object.entries(offsets)) {
      await createEntity(app.request, blueprint, {
        identifier,
        properties: { at: new Date(now + offset).toISOString() },
      });
    }
    await createEntity(app.request, blueprint, { identifier: 'never' });
  });

  test.each([
    ['today', ['now', 'morning', 'evening']],
    ['yesterday', ['lastNight', 'dayAgo']],
    ['tomorrow', ['tomorrow']],
    ['lastDay', ['now', 'morning', 'lastNight', 'dayAgo']],
    ['lastWeek', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo']],
    ['last2Weeks', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo']],
    ['lastMonth', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo']],
    ['last3Months', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo']],
    ['last6Months', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo']],
    ['last12Months', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo', 'yearAgo']],
    ['last2Years', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo', 'yearAgo']],
    ['last3Years', ['now', 'morning', 'lastNight', 'dayAgo', 'weekAgo', 'monthAgo', 'yearAgo', 'threeYears']],
    ['nextDay', ['now', 'evening', 'tomorrow']],
    ['nextWeek', ['now', 'evening', 'tomorrow', 'inWeek']],
    ['next2Weeks', ['now', 'evening', 'tomorrow', 'inWeek']],
    ['nextMonth', ['now', 'evening', 'tomorrow', 'inWeek']],
    ['next3Months', ['now', 'evening', 'tomorrow', 'inWeek']],
    ['next6Months', ['now', 'evening', 'tomorrow', 'inWeek']],
    ['next12Months', ['now', 'evening', 'tomorrow', 'inWeek', 'inYear']],
  ])('%s', async (preset, expected) => {
    const value = { preset };
    expect(await searchIn(app.request, blueprint, { property: 'at', operator: 'between', value })).toEqual(expected);
    expect(await searchIn(app.request, blueprint, { property: 'at', operator: '=', value })).toEqual(expected);
    const others = [...Object.keys(offsets), 'never'].filter((name) => !expected.includes(name));
    expect(await searchIn(app.request, blueprint, { property: 'at', operator: 'notBetween', value })).toEqual(others);
  });

  test('hold for the times of the entity itself', async () => {
    const value = { preset: 'lastDay' };
    const all = await searchIn(app.request, blueprint, { property: '$createdAt', operator: 'between', value });
    expect(all).toHaveLength(Object.keys(offsets).length + 1);
  });
});

describe('relatedTo', () => {
  /** a → b → c, d → b, and b ⇢ e optional; c requires nothing; e points back to a. */
  let node = '';
  beforeAll(async () => {
    node = await createBlueprint(app.request, 'node');
    await app.request('PATCH', `/v1/blueprints/${node}`, {
      body: { relations: { needs: { target: node, required: false }, likes: { target: node, many: true } } },
    });
    for (const identifier of ['a', 'b', 'c', 'd', 'e', 'alone']) await createEntity(app.request, node, { identifier });
    for (const [identifier, relations] of Object.entries({
      a: { needs: 'b' },
      b: { needs: 'c', likes: ['e'] },
      d: { needs: 'b' },
      e: { likes: ['a', 'e'] },
    })) {
      await app.request('PATCH', `/v1/blueprints/${node}/entities/${identifier}`, { body: { relations } });
    }
  });
  const related = (more: object) => searchIn(app.request, node, { operator: 'relatedTo', blueprint: node, ...more });

  test.each([
    ['what it depends on, at any depth', { value: 'a', direction: 'upstream' }, ['b', 'c', 'e']],
    ['what depends on it, at any depth', { value: 'b', direction: 'downstream' }, ['a', 'd', 'e']],
    ['both ways, never turning round', { value: 'c' }, ['a', 'b', 'd', 'e']],
    ['a ring ends', { value: 'e', direction: 'upstream' }, ['a', 'b', 'c']],
    ['of several, together', { value: ['c', 'd'], direction: 'upstream' }, ['b', 'e', 'a'].sort()],
    ['of nothing', { value: 'alone' }, []],
    ['of what is not there', { value: ['ghost'] }, []],
  ])('%s', async (_name, more, expected) => {
    expect((await related(more)).sort()).toEqual(expected);
  });

  test('over required or optional relations only', async () => {
    const base = await createBlueprint(app.request, 'base');
    const user = await createBlueprint(app.request, 'user', {
      relations: { must: { target: base, required: true }, may: { target: base } },
    });
    for (const identifier of ['x', 'y']) await createEntity(app.request, base, { identifier });
    await createEntity(app.request, user, { identifier: 'u', relations: { must: 'x', may: 'y' } });
    const rule = { operator: 'relatedTo', blueprint: user, value: 'u' };
    expect(await searchIn(app.request, base, { ...rule, required: true })).toEqual(['x']);
    expect(await searchIn(app.request, base, { ...rule, required: false })).toEqual(['y']);
    expect(await searchIn(app.request, base, rule)).toEqual(['x', 'y']);
  });

  test('of a blueprint that is not there, or is another organization’s', async () => {
    const other = await app.createOrganization();
    const foreign = await createBlueprint(other.request, 'foreign');
    await createEntity(other.request, foreign, { identifier: 'a' });
    for (const blueprint of ['none', foreign]) {
      expect(await searchIn(app.request, node, { operator: 'relatedTo', blueprint, value: 'a' })).toEqual([]);
    }
  });
});

describe('pages', () => {
  test('follow each other without a gap or double, also while entities come and go', async () => {
    const blueprint = await stock('paged', 50);
    const seen: string[] = [];
    let from: string | undefined;
    do {
      const { status, body } = await within(blueprint, { limit: 7, ...(from ? { from } : {}) });
      expect([status, body.entities.length <= 7]).toEqual([200, true]);
      seen.push(...named(body.entities));
      from = body.next;
      await app.request('DELETE', `/v1/blueprints/${blueprint}/entities/${seen[0]}`);
      seen.shift();
      if (seen.length < 20) await createEntity(app.request, blueprint, {});
    } while (from);
    expect(new Set(seen).size).toBe(seen.length);
    const left = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
    expect(seen).toEqual(named(left.body.entities));
  });

  test('the last page has no next, also when it is full', async () => {
    const blueprint = await stock('full', 20);
    expect('next' in (await within(blueprint, { limit: 20 })).body).toBe(false);
    expect((await within(blueprint, { limit: 19 })).body.next).toEqual(expect.any(String));
    expect((await within(blueprint, {})).body.entities).toHaveLength(20);
    expect((await within(blueprint, { from: null })).status).toBe(200);
  });

  test.each(['x', 'MTo', 'MTotMQ', 'MjoxMA', 'MToxZTM', '👍', 'MTo5OTk5OTk5OTk5OTk5OTk5OTk5'])(
    '422 for the cursor %s',
    async (from) => {
      const answer = await within('_team', { from });
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/from']]);
    },
  );

  test.each([0, 1001, 1.5, '10'])('422 for the limit %j', async (limit) => {
    const answer = await within('_team', { limit });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/limit']]);
  });
});

describe('what is answered', () => {
  test('may be narrowed, in the words of each search', async () => {
    const blueprint = await createBlueprint(app.request, 'narrow', {
      properties: { a: { type: 'string' }, b: { type: 'string' }, constructor: { type: 'string' } },
      relations: { team: { target: '_team' } },
      mirrorProperties: { name: { path: 'team.$title' } },
    });
    await createEntity(app.request, blueprint, { identifier: 'x', properties: { a: '1', b: '2' } });
    const one = await within(blueprint, { include: ['$identifier', 'a', 'team', 'none', 'toString'] });
    expect(one.body.entities).toEqual([{ identifier: 'x', properties: { a: '1' }, relations: { team: null } }]);
    const all = await everywhere(and(of(blueprint)), '?include=blueprint&include=identifier,properties.b');
    expect(all.body).toEqual({
      ok: true,
      entities: [{ blueprint, identifier: 'x', properties: { b: '2' } }],
      matchingBlueprints: [blueprint],
    });
    const without = await within(blueprint, { exclude: ['a', 'name', 'team', '$createdAt'] });
    expect(without.body.entities[0]).toMatchObject({ properties: { b: '2', constructor: null }, relations: {} });
    expect(without.body.entities[0].createdAt).toBeUndefined();
    const read = await app.request('GET', `/v1/blueprints/${blueprint}/entities/x?exclude=properties&include=`);
    expect(Object.keys(read.body.entity)).not.toContain('properties');
  });

  test('may leave out what is calculated, and attach titles to relations', async () => {
    const target = await createBlueprint(app.request, 'target');
    const blueprint = await createBlueprint(app.request, 'attach', {
      properties: { a: { type: 'string' } },
      relations: { one: { target }, many: { target, many: true }, none: { target } },
      mirrorProperties: { name: { path: 'one.$title' } },
    });
    await createEntity(app.request, target, { identifier: 't', title: 'T' });
    await createEntity(app.request, target, { identifier: 'u' });
    await createEntity(app.request, blueprint, { identifier: 'x', relations: { one: 't', many: ['u', 't'] } });
    const options = '?exclude_calculated_properties=true&attach_title_to_relation=true';
    const expected = {
      properties: { a: null },
      relations: {
        one: { identifier: 't', title: 'T' },
        many: [
          { identifier: 'u', title: null },
          { identifier: 't', title: 'T' },
        ],
        none: null,
      },
    };
    const one = await app.request('GET', `/v1/blueprints/${blueprint}/entities/x${options}`);
    expect(one.body.entity).toMatchObject(expected);
    expect(one.body.entity.properties).toEqual({ a: null });
    const list = await app.request('GET', `/v1/blueprints/${blueprint}/entities${options}`);
    expect(list.body.entities).toEqual([one.body.entity]);
    expect((await everywhere(and(of(blueprint)), options)).body.entities).toEqual([one.body.entity]);
    const pointer = await app.request(
      'GET',
      `/v1/blueprints/${blueprint}/entities/x?exclude_calculated_properties=0xc0001`,
    );
    expect(pointer.body.entity.properties).toEqual({ a: null, name: 'T' });
  });

  test('names exactly the blueprints of the entities', async () => {
    const [one, two, three] = [await stock('m', 2), await stock('m', 1), await stock('m', 1)];
    const rule = { property: 'n', operator: '=', value: 0 };
    const { body } = await everywhere(
      and(of(one, two, three, 'none'), rule, { property: '$blueprint', operator: '!=', value: three }),
    );
    expect(body.matchingBlueprints).toEqual([one, two].sort());
    expect((await everywhere(and(of('none')))).body).toEqual({ ok: true, entities: [], matchingBlueprints: [] });
  });

  test('My Teams are the caller’s', async () => {
    const blueprint = await createBlueprint(app.request, 'mine', { ownership: { type: 'Direct' } });
    for (const identifier of ['ours', 'theirs']) {
      await createEntity(app.request, '_team', { identifier });
      await createEntity(app.request, blueprint, { identifier: `by-${identifier}`, team: identifier });
    }
    await createEntity(app.request, blueprint, { identifier: 'free' });
    const user = { identifier: 'jo@example.com', team: 'ours', properties: { status: 'Active', port_role: 'Member' } };
    await createEntity(app.request, '_user', user);
    const token = await app.organization.personToken('jo@example.com');
    const asked = async (operator: string, value: string[], as = token) => {
      const body = { query: and({ property: '$team', operator, value }) };
      const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body, token: as });
      return named(answer.body.entities);
    };
    expect(await asked('in', ['My Teams'])).toEqual(['by-ours']);
    expect(await asked('containsAny', ['My Teams', 'theirs'])).toEqual(['by-ours', 'by-theirs']);
    expect(await asked('notIn', ['My Teams'])).toEqual(['by-theirs', 'free']);
    expect(await asked('in', ['My Teams'], app.organization.token)).toEqual([]);
  });
});

describe('422', () => {
  test.each([
    [{}, ['/combinator', '/rules']],
    [{ combinator: 'AND', rules: [] }, ['/combinator']],
    [{ combinator: 'and', rules: {} }, ['/rules']],
    [{ combinator: 'and', rules: [], rule: [] }, ['/rule']],
    [and(5), ['/rules/0']],
    [and({ property: 'a', operator: 'like', value: 1 }), ['/rules/0/operator']],
    [and({ property: 'a', operator: 'constructor', value: 1 }), ['/rules/0/operator']],
    [and({ propertty: 'a', operator: '=', value: 1 }), ['/rules/0/property', '/rules/0/propertty']],
    [and({ property: 'a', operator: '=' }), ['/rules/0/value']],
    [and({ property: 'a', operator: 'isEmpty', value: 1 }), ['/rules/0/value']],
    [and({ property: 'a', operator: '=', value: { a: 1 } }), ['/rules/0/value']],
    [and({ property: 'a', operator: 'between', value: { preset: 'lastCentury' } }), ['/rules/0/value/preset']],
    [
      and({ property: 'a', operator: 'between', value: { from: '2026-02-30T00:00:00Z', to: 'x' } }),
      ['/rules/0/value/from', '/rules/0/value/to'],
    ],
    [and({ property: 'a', operator: '>', value: 'soon' }), ['/rules/0/value']],
    [and({ property: 'a', operator: '>', value: '5' }), ['/rules/0/value']],
    [and({ property: 'a', operator: '<', value: true }), ['/rules/0/value']],
    [and({ operator: 'relatedTo', value: 'x', direction: 'up' }), ['/rules/0/blueprint', '/rules/0/direction']],
    [and(and({ property: 'a', operator: '=', valu: 1 })), ['/rules/0/rules/0/valu', '/rules/0/rules/0/value']],
  ])('%j', async (body, paths) => {
    const answer = await everywhere(body);
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(issuePaths(answer.body).sort()).toEqual([...paths].sort());
    const one = await within('_team', { query: body });
    expect(one.status).toBe(422);
    expect(issuePaths(one.body).sort()).toEqual(paths.map((path) => `/query${path}`).sort());
  });

  test('a field beside the query of one blueprint', async () => {
    const answer = await within('_team', { querry: and(), limit: 5 });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/querry']]);
  });

  test('groups nested beyond 20 levels, and not those of 20', async () => {
    const nest = (depth: number): object => (depth === 0 ? and() : and(nest(depth - 1)));
    expect((await everywhere(nest(20), '?include=identifier')).status).toBe(200);
    expect((await everywhere(nest(21))).status).toBe(422);
  });
});

test('a moment may be given as a date or with an offset', async () => {
  const blueprint = await createBlueprint(app.request, 'when', { properties: { at: { type: 'string' } } });
  await createEntity(app.request, blueprint, { identifier: 'x', properties: { at: '2026-01-01T00:30:00+01:00' } });
  for (const value of ['2025-12-31', '2025-12-31T23:29:00Z', '2026-01-01T00:29:00+01:00', '2025-12-31T23:29:59.999Z']) {
    expect(await searchIn(app.request, blueprint, { property: 'at', operator: '>', value })).toEqual(['x']);
  }
  expect(await searchIn(app.request, blueprint, { property: 'at', operator: '>', value: '2026-01-01' })).toEqual([]);
});

test('404 for a blueprint that is not there', async () => {
  expect((await within('none', {})).status).toBe(404);
});
