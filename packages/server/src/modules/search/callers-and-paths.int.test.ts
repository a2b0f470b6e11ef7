import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const rule = (property: unknown, operator: string, value?: unknown) => ({ property, operator, value });
const user = (property: string) => ({ context: 'user', property });
const userTeams = (property: string) => ({ context: 'userTeams', property });

describe('values of the caller', () => {
  let blueprint: string;
  let asPat: Request;
  let asMachine: Request;
  beforeAll(async () => {
    const patch = (name: string, body: unknown) => app.request('PATCH', `/v1/blueprints/${name}`, { body });
    await patch('_user', {
      schema: { properties: { level: { type: 'number' }, since: { type: 'string', format: 'date-time' } } },
    });
    await patch('_team', { schema: { properties: { area: { type: 'string' } } } });
    await createEntity(app.request, '_team', { identifier: 'crew', title: 'The crew', properties: { area: 'north' } });
    await createEntity(app.request, '_team', { identifier: 'desk', title: 'The desk', properties: { area: 'south' } });
    await createEntity(app.request, '_team', { identifier: 'idle', title: 'Idle' });
    await createEntity(app.request, '_user', {
      identifier: 'pat@example.com',
      title: 'Pat Example',
      team: ['crew', 'desk'],
      properties: { status: 'Active', port_role: 'Member', level: 3, since: '2026-01-01T00:00:00Z' },
    });
    const token = await app.organization.personToken('pat@example.com');
    asPat = (method, path, options) => app.request(method, path, { token, ...options });
    const member = await app.organization.memberToken();
    asMachine = (method, path, options) => app.request(method, path, { token: member, ...options });
    blueprint = await createBlueprint(app.request, 'asked', {
      properties: {
        owner: { type: 'string' },
        area: { type: 'string' },
        tags: { type: 'array' },
        n: { type: 'number' },
        at: { type: 'string', format: 'date-time' },
      },
      relations: { by: { target: '_user' } },
      ownership: { type: 'Direct' },
    });
    const entities = [
      { identifier: 'a', team: ['crew'], properties: { owner: 'pat@example.com', area: 'north', n: 1 } },
      { identifier: 'b', team: ['idle'], properties: { owner: 'Pat Example', area: 'east', n: 3, tags: ['south'] } },
      { identifier: 'c', properties: { n: 5, at: '2026-06-01T00:00:00Z' }, relations: { by: 'pat@example.com' } },
    ];
    for (const entity of entities) await createEntity(app.request, blueprint, entity);
  });

  test.each<[string, unknown, string[]]>([
    ['e-mail', rule('owner', '=', user('$identifier')), ['a']],
    ['e-mail, as other portals write it', rule('owner', '=', '{{getUserEmail()}}'), ['a']],
    ['e-mail among others', rule('owner', 'in', ['nobody', '{{ getUserEmail() }}']), ['a']],
    ['full name', rule('owner', '=', '{{getUserFullName()}}'), ['b']],
    ['teams', rule('$team', 'containsAny', userTeams('$identifier')), ['a']],
    ['teams, as other portals write them', rule('$team', 'in', ['{{getUserTeams()}}']), ['a']],
    ['teams, as the whole value', rule('$team', 'containsAny', '{{getUserTeams()}}'), ['a']],
    ['teams and one more', rule('$team', 'in', ['{{getUserTeams()}}', 'idle']), ['a', 'b']],
    ['a property of the teams', rule('area', 'in', userTeams('area')), ['a']],
    ['a property of the teams, equal to one', rule('area', '=', userTeams('area')), ['a']],
    ['a property of the teams, in an array', rule('tags', 'containsAny', userTeams('area')), ['b']],
    ['a number', rule('n', '>=', user('level')), ['b', 'c']],
    ['a moment', rule('at', '>', user('since')), ['c']],
    ['a relation to the caller', rule('by', '=', user('$identifier')), ['c']],
    ['a path that ends at the caller', rule({ path: ['by'] }, 'matchAny', user('$identifier')), ['c']],
    ['a gate that is open', rule(user('level'), '>', 2), ['a', 'b', 'c']],
    ['a gate that is shut', rule(user('level'), '>', 3), []],
    ['a gate of the teams', rule(userTeams('area'), 'containsAny', ['south']), ['a', 'b', 'c']],
    ['a gate of the teams that is shut', rule(userTeams('area'), 'containsAny', ['west']), []],
    ['nothing the caller has', rule('owner', '=', user('nothing')), []],
    ['nothing the caller has, negated', rule('owner', '!=', user('nothing')), []],
    ['nothing that any object has', rule('owner', '!=', user('constructor')), []],
    ['text that only looks so', rule('owner', '=', '{{getUserPassword()}}'), []],
  ])('%s', async (_name, asked, expected) => {
    expect(await searchIn(asPat, blueprint, asked)).toEqual(expected);
    // a machine is nobody: what names the caller is false, whatever the operator
    expect(await searchIn(asMachine, blueprint, asked)).toEqual(JSON.stringify(asked).includes('"idle"') ? ['b'] : []);
  });
});

describe('paths', () => {
  let node: string;
  let other: string;
  /** a → b → c → a is a ring; d → a leads into it; e → e is a ring of its own; f is alone. */
  beforeAll(async () => {
    other = await createBlueprint(app.request, 'other');
    node = await createBlueprint(app.request, 'node');
    const relations = { parent: { target: node }, kin: { target: node, many: true }, out: { target: other } };
    await app.request('PATCH', `/v1/blueprints/${node}`, { body: { relations } });
    await createEntity(app.request, other, { identifier: 'o' });
    for (const identifier of ['a', 'b', 'c', 'd', 'e', 'f']) await createEntity(app.request, node, { identifier });
    const links = {
      a: { parent: 'b', kin: ['b', 'c'] },
      b: { parent: 'c' },
      c: { parent: 'a', out: 'o' },
      d: { parent: 'a' },
      e: { parent: 'e', kin: ['e'] },
    };
    for (const [identifier, body] of Object.entries(links)) {
      await app.request('PATCH', `/v1/blueprints/${node}/entities/${identifier}`, { body: { relations: body } });
    }
  });
  const hops = (maxHops: number, relation = 'parent') => ({ relation, maxHops });
  const found = (path: unknown[], value: string | string[], from?: string) =>
    searchIn(app.request, node, {
      property: { path, ...(from ? { fromBlueprint: from } : {}) },
      operator: 'matchAny',
      value,
    }).then((names) => names.sort());

  test.each<[string, unknown[], string | string[], string[]]>([
    ['one step', ['parent'], 'a', ['c', 'd']],
    ['round the ring to where it began', ['parent', 'parent', 'parent'], 'a', ['a']],
    ['up to one step', [hops(1)], 'a', ['c', 'd']],
    ['up to two steps', [hops(2)], 'a', ['b', 'c', 'd']],
    ['round the ring, back to itself', [hops(3)], 'a', ['a', 'b', 'c', 'd']],
    ['the longest walk, over rings', [hops(15)], 'a', ['a', 'b', 'c', 'd']],
    ['a ring of one', [hops(15)], 'e', ['e']],
    ['of several', [hops(15)], ['e', 'a'], ['a', 'b', 'c', 'd', 'e']],
    ['of nobody', [hops(15)], ['f'], []],
    ['over relations to many', [hops(15, 'kin')], ['c'], ['a']],
    ['a walk, then a step', [hops(15), 'out'], 'o', ['a', 'b', 'c', 'd']],
    ['a step, then a walk', ['parent', hops(15)], 'c', ['a', 'b', 'c', 'd']],
    ['over a relation that is not there', ['parent', 'nothing'], 'a', []],
    ['a walk over a relation that is not there', [hops(3, 'nothing')], 'a', []],
  ])('to an end: %s', async (_name, path, value, expected) => {
    expect(await found(path, value)).toEqual(expected);
  });

  test.each<[string, unknown[], string | string[], string[]]>([
    ['one step', ['parent'], 'a', ['b']],
    ['round the ring', [hops(15)], 'a', ['a', 'b', 'c']],
    ['into the ring', [hops(15)], 'd', ['a', 'b', 'c']],
    ['a ring of one', [hops(15)], 'e', ['e']],
  ])('from a start: %s', async (_name, path, value, expected) => {
    expect(await found(path, value, node)).toEqual(expected);
  });

  test('from a blueprint that is not there, or that does not lead here', async () => {
    expect(await found(['parent'], 'a', 'nowhere')).toEqual([]);
    expect(await found(['parent'], 'o', other)).toEqual([]);
  });

  test('related, over rings, with either direction', async () => {
    const related = (value: string, direction?: string) =>
      searchIn(app.request, node, {
        operator: 'relatedTo',
        blueprint: node,
        value,
        ...(direction ? { direction } : {}),
      });
    expect((await related('a', 'upstream')).sort()).toEqual(['b', 'c']);
    expect((await related('a', 'downstream')).sort()).toEqual(['b', 'c', 'd']);
    expect(await related('e')).toEqual([]);
    expect((await related('d')).sort()).toEqual(['a', 'b', 'c']);
  });
});
