import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { blueprintBody, entityPath } from '../../../test/catalog-fixtures.ts';
import { seedPeople, type TestPerson } from '../../../test/people-fixtures.ts';

/**
 * Every blueprint has `mine`, owned by the crew and open, and `theirs`, owned by others and shut. Of each the table tells
 * for each role which of the two are seen (`–`: the blueprint is missing), and the status of registering an entity, of
 * updating `mine` and of deleting `theirs`.
 */
const table = `
  plain     admin      mine,theirs 201 200 200
  plain     moderator  mine,theirs 201 200 200
  plain     crew       mine,theirs 403 403 403
  plain     loner      mine,theirs 403 403 403
  plain     machine    mine,theirs 403 403 403
  shut      admin      mine,theirs 201 200 200
  shut      moderator  mine,theirs 201 200 200
  shut      crew       –           404 404 404
  shut      loner      –           404 404 404
  shut      machine    –           404 404 404
  owned     admin      mine,theirs 201 200 200
  owned     moderator  mine,theirs 201 200 200
  owned     crew       mine        403 403 403
  owned     loner      –           404 404 404
  owned     machine    –           404 404 404
  teamlist  crew       mine,theirs 403 403 403
  teamlist  loner      –           404 404 404
  userlist  crew       –           404 404 404
  userlist  loner      mine,theirs 403 403 403
  policed   admin      mine,theirs 201 200 200
  policed   moderator  mine,theirs 201 200 200
  policed   crew       mine        403 403 403
  policed   loner      mine        403 403 403
  policed   machine    mine        403 403 403
  teamrule  crew       mine        403 403 403
  teamrule  loner      none        403 403 403
  teamrule  machine    none        403 403 403
  broken    crew       none        403 403 403
  broken    admin      mine,theirs 201 200 200
  writeown  crew       mine        403 200 403
  writeown  loner      –           404 404 404
  writeopen crew       mine        403 200 403
  writeopen loner      mine        403 200 403
  ghost     crew       –           404 404 404
  deletable crew       mine,theirs 403 403 200
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [string, string, string, string, string, string])
  .map(([resource, role, seen, register, update, unregister]) => ({
    resource,
    role,
    seen: seen === '–' ? undefined : seen === 'none' ? [] : seen.split(','),
    register: Number(register),
    update: Number(update),
    unregister: Number(unregister),
  }));

const models = ['legacy', 'beta', 'blueprints'] as const;
type Model = (typeof models)[number];

let app: TestApp;
const worlds = new Map<Model, { organization: TestOrganization; roles: ReadonlyMap<string, Request> }>();
beforeAll(async () => {
  app = await createTestApp();
  for (const model of models) worlds.set(model, await seedEntities(await app.createOrganization({ model }), model));
});
afterAll(() => app.close());

const addresses: Readonly<Record<string, string>> = {
  admin: 'admin.person@example.com',
  moderator: 'mod@example.com',
  crew: 'crew@example.com',
  loner: 'loner@example.com',
};
const resources = [...new Set(table.map(({ resource }) => resource))];

async function seedEntities(organization: TestOrganization, model: Model) {
  const { id, request } = organization;
  const people = Object.entries(addresses).map(
    ([role, identifier]): TestPerson => ({
      identifier,
      title: role,
      role: role === 'admin' ? 'Admin' : role === 'moderator' ? 'Moderator' : 'Member',
      moderatedBlueprints: role === 'moderator' ? resources : [],
      teams: role === 'crew' ? ['crew'] : [],
    }),
  );
  await seedPeople(app.database, id, ['crew', 'others'], people);
  const tokens: [string, string][] = [['machine', await organization.memberToken()]];
  for (const [role, address] of Object.entries(addresses)) {
    tokens.push([role, await organization.personToken(address)]);
  }
  for (const resource of resources) await makeResource(request, resource, model);
  const roles = new Map(
    tokens.map(([role, token]): [string, Request] => [
      role,
      (method, path, options) => request(method, path, { token, ...options }),
    ]),
  );
  return { organization, roles };
}

async function makeResource(request: Request, resource: string, model: Model): Promise<void> {
  const properties = { stage: { type: 'string' } };
  const made = await request('POST', '/v1/blueprints', { body: blueprintBody(resource, { properties }) });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const body = { entities: buildRights(resource, model) };
  const patched = await request('PATCH', `/v1/blueprints/${resource}/permissions`, { body });
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  for (const [identifier, team, stage] of [
    ['mine', 'crew', 'open'],
    ['theirs', 'others', 'shut'],
  ] as const) {
    await makeEntity(request, resource, model, identifier, team, stage);
  }
}

const teamName = (model: Model, team: string) => (model === 'blueprints' ? team : `The ${team}`);

async function makeEntity(
  request: Request,
  resource: string,
  model: Model,
  identifier: string,
  team: string,
  stage: string,
) {
  const body = {
    identifier,
    title: buildTitle(resource, identifier),
    team: teamName(model, team),
    properties: { stage },
  };
  const answer = await request('POST', `/v1/blueprints/${resource}/entities?upsert=true`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

const buildTitle = (resource: string, identifier: string) => `Title-${resource}-${identifier}`;

function buildRights(resource: string, model: Model): object {
  const only = { roles: ['Admin'] };
  const rule = (property: string, operator: string, value: unknown) => ({
    combinator: 'and',
    rules: [{ property, operator, value }],
  });
  const open = rule('stage', '=', 'open');
  const ofTeams = { context: 'userTeams', property: model === 'legacy' ? '$title' : '$identifier' };
  const all: Readonly<Record<string, object>> = {
    plain: {},
    shut: { read: only },
    owned: { read: { ...only, ownedByTeam: true } },
    teamlist: { read: { ...only, teams: [teamName(model, 'crew')] } },
    userlist: { read: { ...only, users: ['loner@example.com'] } },
    policed: { read: { ...only, policy: open } },
    teamrule: { read: { ...only, policy: rule('$team', 'containsAny', ofTeams) } },
    broken: { read: { ...only, policy: rule('nothing', '!=', 'x') } },
    writeown: { read: only, update: { ...only, ownedByTeam: true } },
    writeopen: { read: only, update: { ...only, policy: open } },
    ghost: { read: { ...only, teams: ['ghost'] } },
    deletable: { unregister: { ...only, policy: rule('stage', '=', 'shut') } },
  };
  return all[resource] as object;
}

/** Answers as whoever asked would tell it: what names an entity or says how many there are. */
async function everyRead(ask: Request, resource: string) {
  const query = { combinator: 'and', rules: [] };
  const at = `/v1/blueprints/${resource}`;
  const everywhere = await ask('POST', '/v1/entities/search', { body: query });
  return {
    blueprint: await ask('GET', at),
    list: await ask('GET', `${at}/entities`),
    count: await ask('GET', `${at}/entities-count`),
    search: await ask('POST', `${at}/entities/search`, { body: { query, sort: [{ property: 'stage' }] } }),
    group: await ask('POST', `${at}/entities/group`, { body: { groupBy: 'stage' } }),
    words: await ask('POST', '/v1/entities/top-search', { body: { text: 'Title', blueprints: [resource], limit: 50 } }),
    everywhere,
    blueprints: await ask('GET', '/v1/blueprints'),
  };
}

const ids = (body: { entities: { identifier: string; blueprint: string }[] }, resource: string) =>
  body.entities.flatMap(({ identifier, blueprint }) => (blueprint === resource ? [identifier] : [])).sort();

describe.each(models)('in an organization of model %s', (model) => {
  const rowsOf = table.map((row) => ({ ...row, name: `${row.role} of ${row.resource}` }));

  test.each(rowsOf)('$name reads what the table says and hears of nothing else', async ({ resource, role, seen }) => {
    const { roles, organization } = worlds.get(model) as NonNullable<ReturnType<typeof worlds.get>>;
    const ask = roles.get(role) as Request;
    const answers = await everyRead(ask, resource);
    const { blueprint, list, count, search, group } = answers;
    const within = [blueprint, list, count, search, group].map(({ status }) => status);
    expect(within).toEqual(Array(5).fill(seen ? 200 : 404));
    expect(ids(answers.everywhere.body, resource)).toEqual(seen ?? []);
    expect(ids(answers.words.body, resource)).toEqual(seen ?? []);
    if (seen) {
      expect([ids(list.body, resource), ids(search.body, resource)]).toEqual([seen, seen]);
      expect([count.body.count, group.body.total]).toEqual([seen.length, seen.length]);
    }
    const all = JSON.stringify(Object.values(answers).map(({ body }) => body));
    for (const identifier of ['mine', 'theirs']) {
      expect(all.includes(buildTitle(resource, identifier))).toBe(seen?.includes(identifier) ?? false);
      const point = await ask('GET', entityPath(resource, identifier));
      expect(point.status).toBe(seen?.includes(identifier) ? 200 : 404);
      if (addresses[role]) {
        const body = { user: addresses[role], operation: 'read', entity: identifier };
        const told = await organization.request('POST', `/v1/blueprints/${resource}/permissions/explain`, { body });
        expect(told.body, JSON.stringify(told.body)).toMatchObject({ allowed: seen?.includes(identifier) ?? false });
      }
    }
  });

  test.each(rowsOf)('$name does not tell what is hidden from what is not there', async ({ resource, role, seen }) => {
    const ask = worlds.get(model)?.roles.get(role) as Request;
    const plain = (answer: { status: number; body: object }, name: string) =>
      JSON.stringify([answer.status, answer.body]).replaceAll(name, 'NAME');
    for (const hidden of ['mine', 'theirs'].filter((identifier) => seen && !seen.includes(identifier))) {
      for (const method of ['GET', 'PATCH', 'DELETE', 'PUT'] as const) {
        const options = method === 'GET' || method === 'DELETE' ? {} : { body: { title: 'x' } };
        const there = await ask(method, entityPath(resource, hidden), options);
        const missing = await ask(method, entityPath(resource, 'nobody'), options);
        expect(plain(there, hidden), method).toBe(plain(missing, 'nobody'));
      }
    }
    if (seen) return;
    const missing = await ask('GET', '/v1/blueprints/nowhere');
    const there = await ask('GET', `/v1/blueprints/${resource}`);
    expect(plain(there, resource)).toBe(plain(missing, 'nowhere'));
  });

  test.each(rowsOf)('$name writes what the table says', async ({ resource, role, register, update, unregister }) => {
    const { roles, organization } = worlds.get(model) as NonNullable<ReturnType<typeof worlds.get>>;
    const ask = roles.get(role) as Request;
    const at = `/v1/blueprints/${resource}`;
    const posted = await ask('POST', `${at}/entities`, { body: { identifier: 'made' } });
    const patched = await ask('PATCH', entityPath(resource, 'mine'), { body: { icon: role } });
    const deleted = await ask('DELETE', entityPath(resource, 'theirs'));
    const there = await organization.request('GET', `${at}/entities-count`);
    if (posted.status === 201) await organization.request('DELETE', entityPath(resource, 'made'));
    if (deleted.status === 200) await makeEntity(organization.request, resource, model, 'theirs', 'others', 'shut');
    expect([posted.status, patched.status, deleted.status]).toEqual([register, update, unregister]);
    expect(there.body.count).toBe(2 + (register === 201 ? 1 : 0) - (unregister === 200 ? 1 : 0));
  });
});

describe('another organization', () => {
  let own: TestOrganization;
  let other: TestOrganization;
  beforeAll(async () => {
    own = (worlds.get('blueprints') as NonNullable<ReturnType<typeof worlds.get>>).organization;
    other = await app.createOrganization();
    await other.request('POST', '/v1/blueprints', { body: blueprintBody('plain') });
  });

  const plain = (answer: { status: number; body: object }, ...names: string[]) =>
    names.reduce((text, name) => text.replaceAll(name, 'NAME'), JSON.stringify([answer.status, answer.body]));

  test.each([
    ['its user', (name: string) => ({ user: name, operation: 'read', entity: 'mine' }), 'only.here@example.com'],
    ['its entity', (name: string) => ({ user: 'crew@example.com', operation: 'read', entity: name }), 'only-here'],
  ])('%s is as missing as one that never was, in explain', async (_what, bodyOf, there) => {
    const account = { status: 'Active', port_role: 'Member' };
    await other.request('POST', '/v1/blueprints/_user/entities?upsert=true', {
      body: { identifier: 'only.here@example.com', properties: account },
    });
    await other.request('POST', '/v1/blueprints/plain/entities?upsert=true', { body: { identifier: 'only-here' } });
    const path = '/v1/blueprints/plain/permissions/explain';
    const asked = await own.request('POST', path, { body: bodyOf(there) });
    const never = await own.request('POST', path, { body: bodyOf('never.was@example.com') });
    expect(asked.status).toBe(404);
    expect(plain(asked, there)).toBe(plain(never, 'never.was@example.com'));
  });

  test.each(['explain', 'simulate'])('its blueprint is as missing as one that never was, in %s', async (what) => {
    await other.request('POST', '/v1/blueprints', { body: blueprintBody('onlythere') });
    const body = { user: 'crew@example.com', operation: 'read', ...(what === 'explain' ? { entity: 'mine' } : {}) };
    const asked = await own.request('POST', `/v1/blueprints/onlythere/permissions/${what}`, { body });
    const never = await own.request('POST', `/v1/blueprints/neverwas/permissions/${what}`, { body });
    expect([asked.status, plain(asked, 'onlythere')]).toEqual([404, plain(never, 'neverwas')]);
  });

  test('its team is as unresolved as one that never was, in permissions', async () => {
    await other.request('POST', '/v1/blueprints/_team/entities?upsert=true', { body: { identifier: 'onlythere' } });
    const patch = (team: string) =>
      own.request('PATCH', '/v1/blueprints/ghost/permissions', { body: { entities: { read: { teams: [team] } } } });
    const [asked, never] = [await patch('onlythere'), await patch('neverwas')];
    await patch('ghost');
    expect(plain(asked, 'onlythere')).toBe(plain(never, 'neverwas'));
    expect(asked.headers['warning']).toContain('is not a team');
  });
});
