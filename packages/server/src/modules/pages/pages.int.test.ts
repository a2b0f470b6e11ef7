import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = (identifier: string) => `/v1/pages/${encodeURIComponent(identifier)}`;
const get = async (identifier: string) => (await app.request('GET', path(identifier))).body.page;
const post = (body: unknown) => app.request('POST', '/v1/pages', { body });
const put = (identifier: string, body: unknown) => app.request('PUT', path(identifier), { body });

const guide = {
  id: 'guide',
  type: 'markdown',
  title: 'Guide',
  icon: 'BlankPage',
  markdown: '# Hello',
  description: '',
};
const agent = { id: 'agent', type: 'ai-agent', agentIdentifier: 'helper', useMCP: false };
const board = {
  id: 'board',
  type: 'dashboard-widget',
  layout: [
    {
      height: 400,
      columns: [
        { id: 'guide', size: 6 },
        { id: 'agent', size: 6 },
      ],
    },
  ],
  widgets: [guide, agent],
};
const dashboard = (identifier: string, more: object = {}) => ({
  identifier,
  title: 'Board',
  icon: 'Apps',
  type: 'dashboard',
  widgets: [board],
  ...more,
});

describe('what infrastructure-as-code does', () => {
  test('a page is read back as it was written, and a second apply changes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'service');
    const identifier = unique('microservices');
    const body = {
      identifier,
      title: 'Microservices',
      type: 'blueprint-entities',
      icon: 'Microservice',
      blueprint,
      description: 'All of them',
      locked: true,
      widgets: [
        {
          displayMode: 'widget',
          id: 'table',
          type: 'table-entities-explorer',
          dataset: { combinator: 'and', rules: [{ operator: '=', property: '$blueprint', value: '{{blueprint}}' }] },
          blueprintConfig: {
            [blueprint]: { groupSettings: { groupBy: [] }, propertiesSettings: { shown: ['$team'] } },
          },
          excludedFields: ['properties.readme'],
        },
      ],
      pageFilters: [{ identifier: 'mine', title: 'Mine', query: { combinator: 'and', rules: [] } }],
    };
    const created = await post(body);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(created.body.identifier).toBe(identifier);
    const page = await get(identifier);
    expect(page).toEqual({
      ...body,
      sidebar: 'catalog',
      createdAt: expect.any(String),
      createdBy: expect.any(String),
      updatedAt: page.createdAt,
      updatedBy: expect.any(String),
    });
    const journal = await app.organization.journal();
    const again = await put(identifier, { ...body, parent: null, after: null, showInSidebar: null });
    expect(again.status).toBe(200);
    expect(again.body.page).toEqual(page);
    expect(await app.organization.journal()).toEqual(journal);
    expect((await app.request('DELETE', path(identifier))).body).toEqual({ ok: true });
    expect((await app.request('GET', path(identifier))).status).toBe(404);
  });

  test('widgets keep their keys, also those that nobody documented, and all spellings of one switch', async () => {
    const odd = { id: 'odd', type: 'weather-widget', city: 'Oslo', nested: { a: [1, null, { b: true }] } };
    const agents = ['use_mcp', 'useMCP', 'useMcp'].map((key, index) => ({ ...agent, id: `a${index}`, [key]: true }));
    const identifier = unique('odd');
    const created = await post({ identifier, type: 'dashboard', widgets: [odd, ...agents] });
    expect(created.status).toBe(201);
    expect(created.headers['warning']).toContain('weather-widget');
    expect((await get(identifier)).widgets).toEqual([odd, ...agents]);
  });

  test('another identifier renames', async () => {
    const [from, to] = [unique('from'), unique('to')];
    await post(dashboard(from));
    const renamed = await put(from, dashboard(to));
    expect(renamed.body.page.identifier).toBe(to);
    expect((await app.request('GET', path(from))).status).toBe(404);
    expect((await get(to)).widgets).toEqual([board]);
  });

  test('who names the version they read does not overwrite what came after', async () => {
    const identifier = unique('read');
    await post(dashboard(identifier));
    const { updatedAt } = await get(identifier);
    await app.request('PATCH', `${path(identifier)}/widgets/guide`, { body: { markdown: 'theirs' } });
    const replace = (version: string) =>
      app.request('PUT', `${path(identifier)}?expectedVersion=${version}`, {
        body: dashboard(identifier, { title: 'M' }),
      });
    const now = (await get(identifier)).updatedAt;
    const stale = await replace(updatedAt);
    expect([stale.status, stale.body.error, stale.body.details]).toEqual([409, 'stale_version', { version: now }]);
    expect((await get(identifier)).title).toBe('Board');
    expect((await replace('yesterday')).status).toBe(422);
    expect((await replace(now)).status).toBe(200);
    expect((await get(identifier)).title).toBe('M');
  });

  test('the page of entities is there, can be replaced, and never deleted', async () => {
    const blueprint = await createBlueprint(app.request, 'host');
    const name = `${blueprint}Entity`;
    const before = await get(name);
    expect(before).toMatchObject({ identifier: name, type: 'entity', blueprint });
    const { createdAt, createdBy, updatedAt, updatedBy, ...body } = before;
    const widgets = [
      { id: 'tabs', type: 'grouper', displayMode: 'tabs', groups: [{ title: 'One', widgets: [guide] }] },
    ];
    const replaced = await put(name, { ...body, widgets });
    expect(replaced.status, JSON.stringify(replaced.body)).toBe(200);
    expect((await get(name)).widgets).toEqual(widgets);
    const refused = await app.request('DELETE', path(name));
    expect([refused.status, refused.body.error]).toEqual([422, 'managed_field']);
    expect((await put(name, dashboard(name))).body.error).toBe('managed_field');
    expect((await post({ ...body, widgets })).status).toBe(422);
  });

  test('the home page is there and can be replaced', async () => {
    const other = await app.createOrganization();
    const home = '/v1/pages/%24home';
    expect((await other.request('GET', home)).body.page).toMatchObject({ identifier: '$home', type: 'home' });
    const body = { identifier: '$home', type: 'home', title: 'Welcome', widgets: [board] };
    expect((await other.request('PUT', home, { body })).status).toBe(200);
    expect((await other.request('GET', home)).body.page).toMatchObject(body);
    expect((await get('$home')).title).toBe('Home');
    expect((await app.request('DELETE', home)).status).toBe(422);
  });
});

describe('pages that come with a blueprint', () => {
  test.each([
    ['test-abcs', 'Microservices', 'test-abcs', 'Microservices'],
    ['box', 'Box', 'boxes', 'Boxes'],
    ['policy', 'Policy', 'policies', 'Policies'],
    ['internalAPI', 'Internal API', 'internalAPIs', 'Internal APIs'],
  ])('the catalog page of %s is named by its plural', async (identifier, title, page, pageTitle) => {
    await app.request('POST', '/v1/blueprints', { body: { identifier, title, schema: { properties: {} } } });
    const read = await app.request('GET', `/v1/pages/${page}`);
    expect([read.status, read.body.page?.title]).toEqual([200, pageTitle]);
  });

  test('its catalog page, unless it is not wanted', async () => {
    const blueprint = await createBlueprint(app.request, 'cluster');
    expect(await get(`${blueprint}s`)).toMatchObject({ type: 'blueprint-entities', blueprint, title: `${blueprint}s` });
    const bare = unique('bare');
    const body = { identifier: bare, title: 'Bare', schema: { properties: {} } };
    await app.request('POST', '/v1/blueprints?create_catalog_page=false', { body });
    expect((await app.request('GET', path(`${bare}s`))).status).toBe(404);
  });

  test('follow when it is renamed, and go when it is deleted', async () => {
    const blueprint = await createBlueprint(app.request, 'queue');
    const renamed = unique('topic');
    await put(`${blueprint}Entity`, { type: 'entity', widgets: [guide] });
    const body = { identifier: renamed, title: 'Topic', schema: { properties: {} } };
    expect((await app.request('PUT', `/v1/blueprints/${blueprint}`, { body })).status).toBe(200);
    expect((await get(`${renamed}Entity`)).widgets).toEqual([guide]);
    expect((await get(`${blueprint}s`)).blueprint).toBe(renamed);
    expect((await app.request('GET', path(`${blueprint}Entity`))).status).toBe(404);
    await app.request('DELETE', `/v1/blueprints/${renamed}`);
    for (const gone of [`${renamed}Entity`, `${blueprint}s`]) {
      expect((await app.request('GET', path(gone))).status).toBe(404);
    }
  });

  test('a page of the name that is there already stays', async () => {
    const blueprint = unique('taken');
    await post(dashboard(`${blueprint}s`));
    const body = { identifier: blueprint, title: 'Taken', schema: { properties: {} } };
    expect((await app.request('POST', '/v1/blueprints', { body })).status).toBe(201);
    expect((await get(`${blueprint}s`)).type).toBe('dashboard');
  });
});

describe('one widget', () => {
  test('is changed by its keys, wherever it lies', async () => {
    const identifier = unique('page');
    const nested = { id: 'g', type: 'grouper', displayMode: 'tabs', groups: [{ title: 'One', widgets: [board] }] };
    await post({ identifier, type: 'dashboard', widgets: [nested] });
    const changed = await app.request('PATCH', `${path(identifier)}/widgets/agent`, {
      body: { use_mcp: true, useMCP: null },
    });
    expect(changed.body).toEqual({ ok: true, identifier: 'agent' });
    const { useMCP: _gone, ...rest } = agent;
    const page = await get(identifier);
    expect(page.widgets[0].groups[0].widgets[0].widgets).toEqual([guide, { ...rest, use_mcp: true }]);
  });

  test('goes with its place in the layout', async () => {
    const identifier = unique('page');
    await post(dashboard(identifier));
    expect((await app.request('DELETE', `${path(identifier)}/widgets/agent`)).status).toBe(200);
    expect((await get(identifier)).widgets).toEqual([
      { ...board, layout: [{ height: 400, columns: [{ id: 'guide', size: 12 }] }], widgets: [guide] },
    ]);
    expect((await app.request('DELETE', `${path(identifier)}/widgets/agent`)).status).toBe(404);
  });

  test('is added with a row of its own', async () => {
    const identifier = unique('page');
    await post(dashboard(identifier));
    const added = await app.request('POST', `${path(identifier)}/widgets`, { body: { type: 'users-table' } });
    expect(added.status).toBe(201);
    const [first] = (await get(identifier)).widgets;
    expect(first.widgets).toHaveLength(3);
    expect(first.layout[1].columns).toEqual([{ id: added.body.identifier, size: 12 }]);
    const again = await app.request('POST', `${path(identifier)}/widgets`, { body: { ...guide } });
    expect([again.status, again.body.error]).toEqual([409, 'identifier_taken']);
  });
});

describe('refused, with every problem and nothing written', () => {
  test.each([
    [{ type: 'poster' }, ['/type']],
    [{ type: 'dashboard', widgets: [{}] }, ['/widgets/0/type']],
    [{ type: 'dashboard', widgets: [guide, guide] }, ['/widgets/1/id']],
    [{ type: 'dashboard', widgets: [{ ...board, widgets: [guide] }] }, ['/widgets/0/layout/0/columns/1/id']],
    [{ type: 'dashboard', parent: 'nowhere' }, ['/parent']],
    [{ type: 'blueprint-entities' }, ['/blueprint']],
    [{ type: 'home' }, ['/type']],
    [{ type: 'dashboard', visibility: 'private', parent: 'x', after: 'y' }, ['/after', '/parent']],
    [{ type: 'dashboard', identifier: 'a?b', title: 7 }, ['/identifier', '/title']],
    [
      { type: 'dashboard', widgets: 'none', pageFilters: [{}] },
      ['/pageFilters/0/identifier', '/pageFilters/0/query', '/widgets'],
    ],
  ])('%j', async (body, paths) => {
    const before = await app.count('pages');
    const answer = await post({ identifier: unique('bad'), ...body });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    expect(issuePaths(answer.body).sort()).toEqual(paths);
    expect(await app.count('pages')).toBe(before);
  });

  test('an identifier that is in use, and a blueprint that is not there', async () => {
    const identifier = unique('page');
    await post(dashboard(identifier));
    expect((await post(dashboard(identifier))).body.error).toBe('identifier_taken');
    expect((await post({ type: 'blueprint-entities', blueprint: 'none' })).status).toBe(404);
    expect((await put('none', dashboard('none'))).status).toBe(404);
  });

  test('of two that are created at once under one name, one', async () => {
    const identifier = unique('race');
    const answers = await Promise.all([1, 2, 3].map(() => post(dashboard(identifier))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('who sees and changes a page', () => {
  test('everybody sees it, administrators change it', async () => {
    const identifier = unique('page');
    await post(dashboard(identifier));
    const token = await app.organization.memberToken();
    expect((await app.request('GET', path(identifier), { token })).status).toBe(200);
    expect((await app.request('GET', `${path(identifier)}/permissions`, { token })).body.permissions).toEqual({
      read: { roles: ['Admin', 'Member'], users: [], teams: [] },
      update: { roles: ['Admin'], users: [], teams: [] },
    });
    for (const [method, body] of [
      ['PUT', dashboard(identifier)],
      ['DELETE', undefined],
    ] as const) {
      expect((await app.request(method, path(identifier), { token, body })).status).toBe(403);
    }
    expect((await app.request('POST', '/v1/pages', { token, body: dashboard(unique('page')) })).status).toBe(403);
  });

  test('lists that are sent replace, the others stay; a team that is none grants nothing', async () => {
    const identifier = unique('page');
    const team = unique('crew');
    await post(dashboard(identifier));
    await createEntity(app.request, '_team', { identifier: team });
    await createEntity(app.request, '_user', {
      identifier: `${team}@example.com`,
      team,
      properties: { status: 'Active', port_role: 'Member' },
    });
    const permissions = `${path(identifier)}/permissions`;
    const patched = await app.request('PATCH', permissions, {
      body: { read: { roles: ['Admin'], teams: [team, 'ghosts'] }, update: { users: ['x@example.com'] } },
    });
    expect(patched.headers['warning']).toContain('ghosts');
    expect(patched.body.permissions).toEqual({
      read: { roles: ['Admin'], users: [], teams: [team, 'ghosts'].sort() },
      update: { roles: ['Admin'], users: ['x@example.com'], teams: [] },
    });
    const stranger = await app.organization.memberToken();
    const insider = await app.organization.personToken(`${team}@example.com`);
    expect((await app.request('GET', path(identifier), { token: stranger })).status).toBe(404);
    expect((await app.request('GET', path(identifier), { token: insider })).status).toBe(200);
    const listed = (await app.request('GET', '/v1/pages', { token: stranger })).body.pages;
    expect(listed.map((page: { identifier: string }) => page.identifier)).not.toContain(identifier);
    const sidebar = (await app.request('GET', '/v1/sidebars/catalog', { token: stranger })).body.sidebar;
    expect(JSON.stringify(sidebar)).not.toContain(identifier);
  });

  test('a locked page is changed by administrators alone', async () => {
    const identifier = unique('page');
    await post(dashboard(identifier, { locked: true }));
    await app.request('PATCH', `${path(identifier)}/permissions`, { body: { update: { roles: ['Member'] } } });
    const token = await app.organization.memberToken();
    const body = dashboard(identifier, { title: 'Mine now' });
    expect((await app.request('PUT', path(identifier), { token, body })).status).toBe(403);
    expect((await put(identifier, body)).status).toBe(200);
    expect((await app.request('PUT', path(identifier), { token, body })).status).toBe(200);
  });

  test('a private page is there for its author alone', async () => {
    const wanted = unique('notes');
    const token = await app.organization.memberToken();
    const body = { ...dashboard(wanted), visibility: 'private' };
    const { identifier } = (await app.request('POST', '/v1/pages', { token, body })).body;
    expect(identifier).toMatch(new RegExp(`^${wanted}_`));
    expect((await app.request('GET', path(identifier), { token })).body.page.visibility).toBe('private');
    expect((await app.request('GET', path(identifier))).status).toBe(404);
    expect((await app.request('DELETE', path(identifier), { token })).status).toBe(200);
  });

  test('pages of a blueprint that may not be read are not there', async () => {
    const blueprint = await createBlueprint(app.request, 'secret');
    await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, {
      body: { entities: { read: { roles: ['Admin'] } } },
    });
    const token = await app.organization.memberToken();
    for (const name of [`${blueprint}s`, `${blueprint}Entity`]) {
      expect((await app.request('GET', path(name), { token })).status).toBe(404);
    }
    const listed = JSON.stringify((await app.request('GET', '/v1/pages', { token })).body);
    expect(listed).not.toContain(blueprint);
  });

  test('pages of another organization are not there', async () => {
    const other = await app.createOrganization();
    const identifier = unique('page');
    await post(dashboard(identifier));
    const missing = unique('page');
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PUT', '', dashboard(identifier)],
      ['DELETE', '', undefined],
      ['PATCH', '/widgets/guide', { title: 'x' }],
      ['GET', '/permissions', undefined],
      ['PATCH', '/permissions', { read: { roles: [] } }],
    ] as const) {
      const theirs = await other.request(method, path(identifier) + rest, { body });
      const none = await other.request(method, path(missing) + rest, { body });
      expect(theirs.status).toBe(404);
      expect(JSON.stringify(theirs.body).replaceAll(identifier, missing)).toBe(JSON.stringify(none.body));
    }
  });
});

test('a compact list leaves widgets out', async () => {
  const identifier = unique('page');
  await post(dashboard(identifier));
  const { pages } = (await app.request('GET', '/v1/pages?compact=true')).body;
  const page = pages.find((each: { identifier: string }) => each.identifier === identifier);
  expect(page).toMatchObject({ title: 'Board', type: 'dashboard', sidebar: 'catalog' });
  expect(page.widgets).toBeUndefined();
});
