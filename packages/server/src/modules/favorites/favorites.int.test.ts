import type { Favorite } from '@portolan/contract/favorites';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { blueprintBody, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';
import { action, page } from '../../../test/foreign-things.ts';

const path = '/v1/me/favorites';
const hush = 'hush';

let app: TestApp;
let theirs: TestOrganization;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  app = await createTestApp();
  theirs = await app.createOrganization();
  for (const { request } of [app.organization, theirs]) {
    await request('POST', '/v1/blueprints', { body: blueprintBody('service', { icon: 'Box' }) });
    await request('POST', '/v1/blueprints', {
      body: blueprintBody('vault', { ownership: { type: 'Direct' }, icon: 'Lock' }),
    });
  }
  for (const name of ['ana', 'eve', 'pat', 'kim']) {
    const properties = { status: 'Active', port_role: ['ana', 'eve'].includes(name) ? 'Admin' : 'Member' };
    await createEntity(app.request, '_user', { identifier: `${name}@example.com`, properties });
    tokens[name] = await app.organization.personToken(`${name}@example.com`);
  }
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'Crew' });
  await app.request('PATCH', '/v1/blueprints/_user/entities/pat@example.com', { body: { team: 'crew' } });
  await app.request('POST', '/v1/pages', { body: { identifier: 'board', title: 'Board', icon: 'Chart', ...page } });
  const owned = { entities: { read: { roles: ['Admin'], ownedByTeam: true } } };
  const narrowed = await app.request('PATCH', '/v1/blueprints/vault/permissions', { body: owned });
  expect(narrowed.status, JSON.stringify(narrowed.body)).toBe(200);
});
afterAll(() => app.close());

const as =
  (name: string): Request =>
  (method, url, options = {}) =>
    app.request(method, url, { token: tokens[name] ?? null, ...options });
const put = (name: string, favorites: readonly object[]) => as(name)('PUT', path, { body: { favorites } });
const read = async (name: string): Promise<Favorite[]> => (await as(name)('GET', path)).body.favorites;
const names = async (name: string) => (await read(name)).map(({ identifier }) => identifier);
const entity = (identifier: string, blueprint = 'service') => ({ kind: 'entity', blueprint, identifier });

test('favorites keep their order, and carry the title and icon that the thing has when they are read', async () => {
  await createEntity(app.request, 'service', { identifier: 'kept', title: 'Before' });
  await app.request('POST', '/v1/actions', { body: { identifier: 'deploy', title: 'Deploy', ...action } });
  await createEntity(app.request, '_ai_agent', { identifier: 'guide', title: 'Guide', properties: { prompt: 'x' } });
  expect(await read('eve')).toEqual([]);
  const list = [
    { kind: 'action', identifier: 'deploy' },
    { ...entity('kept'), title: 'made up', icon: 'made up' },
    { kind: 'agent', identifier: 'guide' },
    entity('guide', '_ai_agent'),
    { kind: 'page', identifier: 'board' },
  ];
  const answer = await put('eve', list);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await read('eve')).toEqual(answer.body.favorites);
  expect(answer.body.favorites).toMatchObject([
    { kind: 'action', identifier: 'deploy', title: 'Deploy' },
    { kind: 'entity', blueprint: 'service', identifier: 'kept', title: 'Before', icon: 'Box' },
    { kind: 'agent', identifier: 'guide', title: 'Guide' },
    { kind: 'entity', blueprint: '_ai_agent', identifier: 'guide', title: 'Guide' },
    { kind: 'page', identifier: 'board', title: 'Board', icon: 'Chart' },
  ]);
  expect(answer.body.favorites[2]).not.toHaveProperty('blueprint');

  await app.request('PUT', '/v1/blueprints/service/entities/kept', { body: { identifier: 'renamed', title: 'After' } });
  expect((await read('eve'))[1]).toMatchObject({ identifier: 'renamed', title: 'After' });
});

test('a view of a table keeps its settings, follows its page, and goes with it', async () => {
  await app.request('POST', '/v1/pages', { body: { identifier: 'listed', title: 'Listed', icon: 'Table', ...page } });
  const settings = { filter: null, sort: { property: '$title', order: 'desc' }, columns: ['$title', 'tier'] };
  const view = (identifier: string, of: string, more: object = {}) => ({
    kind: 'view',
    identifier,
    page: of,
    view: { ...settings, ...more },
  });
  const answer = await put('kim', [
    view('By name', 'listed'),
    view('By name', 'board'),
    view('Other', 'listed', { group: 'tier' }),
    view('Nowhere', 'no-page'),
  ]);
  expect([answer.status, answer.body.favorites]).toEqual([
    200,
    [
      { ...view('By name', 'listed'), title: 'By name', icon: 'Table' },
      { ...view('By name', 'board'), title: 'By name', icon: 'Chart' },
      { ...view('Other', 'listed', { group: 'tier' }), title: 'Other', icon: 'Table' },
    ],
  ]);
  expect(await read('kim')).toEqual(answer.body.favorites);
  // what is read may be written again as it is
  expect((await put('kim', answer.body.favorites)).body.favorites).toEqual(answer.body.favorites);
  expect(await read('eve')).not.toContainEqual(expect.objectContaining({ kind: 'view' }));
  await app.request('DELETE', '/v1/pages/listed');
  expect(await read('kim')).toMatchObject([{ kind: 'view', page: 'board' }]);
});

test('an agent is one by itself, and nothing else with its name is', async () => {
  await createEntity(app.request, '_ai_agent', { identifier: 'alone', title: 'Alone', properties: { prompt: 'x' } });
  await createEntity(app.request, 'service', { identifier: 'no-agent', title: 'No agent' });
  const agent = (identifier: string) => ({ kind: 'agent', identifier });
  const answer = await put('ana', [agent('alone'), entity('no-agent'), agent('no-agent')]);
  expect(answer.body.favorites).toMatchObject([
    { kind: 'agent', identifier: 'alone', title: 'Alone' },
    { kind: 'entity', blueprint: 'service', identifier: 'no-agent' },
  ]);
  expect(await read('ana')).toEqual(answer.body.favorites);
});

test('what is gone is left out, and is gone for good once the list is written again', async () => {
  for (const identifier of ['stays', 'goes']) await createEntity(app.request, 'service', { identifier });
  await put('kim', [entity('goes'), entity('stays'), entity('never-was'), entity('x', 'no-type')]);
  expect(await names('kim')).toEqual(['goes', 'stays']);
  await app.request('DELETE', '/v1/blueprints/service/entities/goes');
  expect(await names('kim')).toEqual(['stays']);
  await put('kim', await read('kim'));
  await createEntity(app.request, 'service', { identifier: 'goes' });
  expect(await names('kim')).toEqual(['stays']);
});

describe('nobody learns of what they may not read', () => {
  const hidden = [
    entity('theirs', 'vault'),
    { kind: 'page', identifier: 'private' },
    { kind: 'page', identifier: 'closed' },
    { kind: 'view', identifier: 'hidden', page: 'private', view: {} },
    { kind: 'view', identifier: 'mine', page: 'closed', view: {} },
    { kind: 'action', identifier: 'admin-only' },
    { kind: 'action', identifier: 'automatic' },
  ];
  const made: readonly (readonly [string, object, string?])[] = [
    ['/v1/blueprints/vault/entities', { identifier: 'theirs', title: hush }],
    ['/v1/blueprints/vault/entities', { identifier: 'mine', title: 'Mine', team: ['crew'] }],
    ['/v1/pages', { identifier: 'private', title: hush, visibility: 'private', ...page }, 'kim'],
    ['/v1/pages', { identifier: 'closed', title: hush, ...page }],
    ['/v1/actions', { identifier: 'admin-only', title: hush, ...action }],
    [
      '/v1/actions',
      {
        identifier: 'automatic',
        title: hush,
        trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } },
        invocationMethod: action.invocationMethod,
      },
    ],
  ];
  const only = (...roles: readonly string[]) => ({ roles, users: [], teams: [] });
  const openTo = async (...roles: readonly string[]) => {
    await app.request('PATCH', '/v1/pages/closed/permissions', { body: { read: only(...roles) } });
    await app.request('PATCH', '/v1/actions/admin-only/permissions', { body: { execute: only(...roles) } });
  };

  beforeAll(async () => {
    for (const [url, body, name = 'ana'] of made) {
      const answer = await as(name)('POST', url, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
  });

  test('what was to be read once is left out from when it is closed', async () => {
    const open = hidden.filter((each) => JSON.stringify(each).match(/closed|admin-only/));
    await openTo('Admin', 'Member');
    await put('pat', [...open, entity('mine', 'vault')]);
    expect(await names('pat')).toEqual(['closed', 'mine', 'admin-only', 'mine']);
    await openTo('Admin');
    const answer = await as('pat')('GET', path);
    expect(answer.body.favorites).toMatchObject([{ kind: 'entity', identifier: 'mine' }]);
    expect(JSON.stringify(answer.body)).not.toContain(hush);
  });

  test('a list with hidden things is answered as one with things that nobody has', async () => {
    await openTo('Admin');
    const missing = hidden.map((each, index) => ({
      ...each,
      [each.kind === 'view' ? 'page' : 'identifier']: `nobody-has-${index}`,
    }));
    const [one, other] = [await put('pat', hidden), await put('pat', missing)];
    expect([one.status, one.body]).toEqual([other.status, other.body]);
    expect(one.body.favorites).toEqual([]);
    expect(await read('pat')).toEqual([]);
    // and the administrator, whose page it is not either
    expect((await put('ana', hidden)).body.favorites.map(({ identifier }: Favorite) => identifier)).toEqual([
      'theirs',
      'closed',
      'mine',
      'admin-only',
    ]);
  });

  test('names reach no other organization, and nobody reads the list of somebody else', async () => {
    await createEntity(theirs.request, 'service', { identifier: 'foreign', title: hush });
    await theirs.request('POST', '/v1/pages', { body: { identifier: 'foreign', title: hush, ...page } });
    const answer = await put('ana', [entity('foreign'), { kind: 'page', identifier: 'foreign' }]);
    expect([answer.status, answer.body.favorites]).toEqual([200, []]);
    await createEntity(app.request, 'service', { identifier: 'own' });
    await put('kim', [entity('own')]);
    expect(await read('ana')).toEqual([]);
    expect(await names('kim')).toEqual(['own']);
  });

  test('a restricted token learns of a kind only with the scope that reads it', async () => {
    await createEntity(app.request, 'service', { identifier: 'scoped' });
    await app.request('POST', '/v1/actions', { body: { identifier: 'scoped', title: 'Scoped', ...action } });
    const both = [
      entity('scoped'),
      { kind: 'action', identifier: 'scoped' },
      { kind: 'page', identifier: 'board' },
      { kind: 'view', identifier: 'v', page: 'board', view: {} },
    ];
    await put('kim', both);
    const seenWith = async (scopes: readonly string[]) => {
      const made = await as('kim')('POST', '/v1/users/me/tokens', { body: { name: scopes.join(' '), scopes } });
      const answer = await app.request('GET', path, { token: made.body.accessToken });
      return answer.status === 200 ? answer.body.favorites.map(({ kind }: Favorite) => kind) : answer.body.error;
    };
    expect(await seenWith(['read:users'])).toEqual([]);
    expect(await seenWith(['read:users', 'read:pages'])).toEqual(['page', 'view']);
    expect(await seenWith(['read:users', 'read:actions'])).toEqual(['action']);
    expect(await seenWith(['read:*'])).toEqual(['entity', 'action', 'page', 'view']);
    expect(await seenWith(['read:entities', 'read:pages'])).toBe('insufficient_scope');
    expect(await names('kim')).toEqual(['scoped', 'scoped', 'board', 'v']);
  });
});

describe('a list that is refused changes nothing', () => {
  const ofBoard = (view: unknown) => ({ kind: 'view', identifier: 'a', page: 'board', view });
  beforeAll(async () => {
    await createEntity(app.request, 'service', { identifier: 'before' });
    await put('pat', [entity('before')]);
  });

  test.each([
    ['more than thirty', Array.from({ length: 31 }, (_, index) => entity(`e${index}`)), '/favorites'],
    ['the same twice', [entity('a'), entity('b'), entity('a')], '/favorites/2'],
    ['an unknown kind', [entity('a'), { kind: 'folder', identifier: 'x' }], '/favorites/1/kind'],
    ['an entity of no type', [{ kind: 'entity', identifier: 'a' }], '/favorites/0/blueprint'],
    ['a view of no page', [{ kind: 'view', identifier: 'a', view: {} }], '/favorites/0/page'],
    ['a view without settings', [{ kind: 'view', identifier: 'a', page: 'board' }], '/favorites/0/view'],
    ['a view that is too long', [ofBoard({ filter: 'x'.repeat(4000) })], '/favorites/0/view'],
    ['a view that is no object', [ofBoard('x')], '/favorites/0/view'],
    ['the same view twice', [ofBoard({}), ofBoard({ sort: null })], '/favorites/1'],
    ['no name', [{ kind: 'page' }], '/favorites/0/identifier'],
  ])('%s', async (_name, favorites, place) => {
    const answer = await put('pat', favorites);
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(issuePaths(answer.body)).toEqual([place]);
    expect(await names('pat')).toEqual(['before']);
  });

  test('thirty are taken', async () => {
    const entities = Array.from({ length: 30 }, (_, index) => ({ identifier: `many${index}` }));
    await app.request('POST', '/v1/blueprints/service/entities/bulk', { body: { entities: entities.slice(0, 20) } });
    await app.request('POST', '/v1/blueprints/service/entities/bulk', { body: { entities: entities.slice(20) } });
    await put(
      'ana',
      entities.map(({ identifier }) => entity(identifier)),
    );
    expect(await names('ana')).toEqual(entities.map(({ identifier }) => identifier));
  });
});

test('credentials of the organization have no favorites', async () => {
  const rows = await app.count('favorites');
  expect((await app.request('GET', path)).body.favorites).toEqual([]);
  const written = await app.request('PUT', path, { body: { favorites: [entity('before')] } });
  expect([written.status, written.body.error]).toEqual([403, 'missing_permissions']);
  expect(await app.count('favorites')).toBe(rows);
});

test('of two lists at the same time one stays whole, and no record is made of either', async () => {
  for (const identifier of ['one', 'two', 'three']) await createEntity(app.request, 'service', { identifier });
  const records = await app.count('journal');
  const lists = [['one', 'two'], ['three'], ['two', 'three', 'one']];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      lists.map((list) =>
        put(
          'pat',
          list.map((each) => entity(each)),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(lists).toContainEqual(await names('pat'));
  }
  expect(await app.count('journal')).toBe(records);
});

test('they go with the person, and with the organization', async () => {
  const gone = await app.createOrganization();
  await gone.request('POST', '/v1/blueprints', { body: blueprintBody('service') });
  await createEntity(gone.request, 'service', { identifier: 'one' });
  const keep = async (name: string) => {
    const properties = { status: 'Active', port_role: 'Member' };
    await createEntity(gone.request, '_user', { identifier: name, properties });
    const token = await gone.personToken(name);
    const answer = await gone.request('PUT', path, { token, body: { favorites: [entity('one')] } });
    expect(answer.body.favorites).toHaveLength(1);
  };
  await keep('first@example.com');
  await keep('second@example.com');
  expect(await app.count('favorites', gone.id)).toBe(2);
  await gone.request('DELETE', '/v1/users/first@example.com');
  expect(await app.count('favorites', gone.id)).toBe(1);
  await app.operator('DELETE', `/v1/operator/organizations/${gone.id}`);
  expect(await app.count('favorites', gone.id)).toBe(0);
});
