import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
  searchIn,
  unique,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const readTeam = async (blueprint: string, identifier: string) =>
  (await readEntity(app.request, blueprint, identifier)).team;
const makeTeam = async (title = unique('Team ')) => {
  const identifier = title.toLowerCase().replace(' ', '-');
  await createEntity(app.request, '_team', { identifier, title });
  return { identifier, title };
};
const member = { status: 'Active', port_role: 'Member' };

describe('team', () => {
  test('is written as one text or a list, and answered as a list', async () => {
    const owned = await createBlueprint(app.request, 'owned', { ownership: { type: 'Direct' } });
    const [one, two] = [await makeTeam(), await makeTeam()];
    const entity = await createEntity(app.request, owned, { identifier: 'a', team: one.identifier });
    expect(entity.team).toEqual([one.identifier]);
    await app.request('PATCH', entityPath(owned, 'a'), {
      body: { team: [two.identifier, one.identifier, two.identifier] },
    });
    expect(await readTeam(owned, 'a')).toEqual([two.identifier, one.identifier]);
    await app.request('PATCH', entityPath(owned, 'a'), { body: { team: [] } });
    expect(await readTeam(owned, 'a')).toEqual([]);
  });

  test('that no team has is kept, echoed and reported, and does not come alive', async () => {
    const owned = await createBlueprint(app.request, 'owned', { ownership: { type: 'Direct' } });
    const name = unique('Gho"st ');
    const body = { identifier: 'a', team: [name] };
    const answer = await app.request('POST', `/v1/blueprints/${owned}/entities`, { body });
    expect(answer.status).toBe(201);
    expect(answer.headers['warning']).toMatch(
      /^299 portolan "'Gho'st \d+' is not a team; it is kept and grants nothing"$/,
    );
    expect(answer.body.entity.team).toEqual([name]);
    const references = await app.database.rows<{ refs: string[] }>(sql`
      select own_team_refs as refs from entities where org_id = ${app.organization.id} and own_team_refs[1] = ${`?${name}`}`);
    expect(references).toHaveLength(1);
    const identifier = unique('late');
    await createEntity(app.request, '_team', { identifier, title: name });
    const user = `${identifier}@example.com`;
    await createEntity(app.request, '_user', { identifier: user, team: identifier, properties: member });
    const token = await app.organization.personToken(user);
    const mine = { query: { combinator: 'and', rules: [{ property: '$team', operator: 'in', value: ['My Teams'] }] } };
    const search = () => app.request('POST', `/v1/blueprints/${owned}/entities/search`, { body: mine, token });
    expect((await search()).body.entities).toEqual([]);
    // only a new write resolves it
    await app.request('PATCH', entityPath(owned, 'a'), { body: { team: [name] } });
    expect(await readTeam(owned, 'a')).toEqual([identifier]);
    expect((await search()).body.entities).toHaveLength(1);
  });

  test('that looks like a reference of the platform is a name like others', async () => {
    const owned = await createBlueprint(app.request, 'owned', { ownership: { type: 'Direct' } });
    const { identifier } = await makeTeam();
    const row = await app.database.first<{ key: string }>(
      sql`select key from teams where org_id = ${app.organization.id} and identifier = ${identifier}`,
    );
    const names = [row?.key ?? '', '?x', `?${identifier}`];
    const entity = await createEntity(app.request, owned, { identifier: 'a', team: names });
    expect(entity.team).toEqual(names);
    expect(await searchIn(app.request, owned, { property: '$team', operator: 'contains', value: identifier })).toEqual(
      [],
    );
  });

  test('is stored and echoed without ownership too', async () => {
    const blueprint = await createBlueprint(app.request, 'free');
    const { identifier } = await makeTeam();
    expect((await createEntity(app.request, blueprint, { identifier: 'a', team: identifier })).team).toEqual([
      identifier,
    ]);
  });

  test('that is deleted owns nothing any more: "has no owner" finds it', async () => {
    const owned = await createBlueprint(app.request, 'owned', { ownership: { type: 'Direct' } });
    const below = await createBlueprint(app.request, 'below', {
      relations: { up: { target: owned } },
      ownership: { type: 'Inherited', path: 'up' },
    });
    const [gone, kept] = [await makeTeam(), await makeTeam()];
    await createEntity(app.request, owned, { identifier: 'a', team: gone.identifier });
    await createEntity(app.request, owned, { identifier: 'b', team: [gone.identifier, kept.identifier] });
    await createEntity(app.request, below, { identifier: 'c', relations: { up: 'a' } });
    expect((await app.request('DELETE', entityPath('_team', gone.identifier))).status).toBe(200);
    const unowned = { property: '$team', operator: 'isEmpty' };
    expect(await searchIn(app.request, owned, unowned)).toEqual(['a']);
    expect(await searchIn(app.request, below, unowned)).toEqual(['c']);
    expect(await readTeam(owned, 'b')).toEqual([kept.identifier]);
  });

  test('that is renamed keeps what it owns and who belongs to it', async () => {
    const owned = await createBlueprint(app.request, 'owned', { ownership: { type: 'Direct' } });
    const { identifier } = await makeTeam();
    const user = `${identifier}@example.com`;
    await createEntity(app.request, '_user', { identifier: user, team: identifier, properties: member });
    await createEntity(app.request, owned, { identifier: 'a', team: identifier });
    const renamed = await app.request('PATCH', entityPath('_team', identifier), {
      body: { identifier: `${identifier}-2`, title: 'Two' },
    });
    expect(renamed.status).toBe(200);
    expect(await readTeam(owned, 'a')).toEqual([`${identifier}-2`]);
    expect(await readTeam('_user', user)).toEqual([`${identifier}-2`]);
    expect((await readEntity(app.request, '_team', `${identifier}-2`)).properties['size']).toBe(1);
    expect(await searchIn(app.request, owned, { property: '$team', operator: '=', value: `${identifier}-2` })).toEqual([
      'a',
    ]);
  });
});

describe('inherited ownership', () => {
  test('is left out of what is read without computed values, so that nobody writes it back', async () => {
    const owner = await createBlueprint(app.request, 'owner', { ownership: { type: 'Direct' } });
    const heir = await createBlueprint(app.request, 'heir', {
      relations: { up: { target: owner } },
      ownership: { type: 'Inherited', path: 'up' },
    });
    const { identifier } = await makeTeam();
    await createEntity(app.request, owner, { identifier: 'a', team: identifier });
    await createEntity(app.request, heir, { identifier: 'b', relations: { up: 'a' } });
    const read = async (path: string) =>
      (await app.request('GET', `${path}?exclude_calculated_properties=true`)).body.entity;
    expect(await read(entityPath(heir, 'b'))).not.toHaveProperty('team');
    expect((await read(entityPath(owner, 'a'))).team).toEqual([identifier]);
    expect(await readTeam(heir, 'b')).toEqual([identifier]);
  });

  test('follows its path over any number of hops, and every change on it', async () => {
    const top = await createBlueprint(app.request, 'top', { ownership: { type: 'Direct' } });
    const middle = await createBlueprint(app.request, 'middle', { relations: { top: { target: top } } });
    const low = await createBlueprint(app.request, 'low', {
      relations: { middle: { target: middle } },
      ownership: { type: 'Inherited', path: 'middle.top' },
    });
    const lowest = await createBlueprint(app.request, 'lowest', {
      relations: { low: { target: low } },
      ownership: { type: 'Inherited', path: 'low.$team' },
    });
    const [one, two] = [await makeTeam(), await makeTeam()];
    await createEntity(app.request, top, { identifier: 't1', team: one.identifier });
    await createEntity(app.request, top, { identifier: 't2', team: two.identifier });
    await createEntity(app.request, middle, { identifier: 'm', relations: { top: 't1' } });
    await createEntity(app.request, low, { identifier: 'l', relations: { middle: 'm' } });
    const made = await createEntity(app.request, lowest, { identifier: 'x', relations: { low: 'l' } });
    expect(made.team).toEqual([one.identifier]);
    await app.request('PATCH', entityPath(middle, 'm'), { body: { relations: { top: 't2' } } });
    expect([await readTeam(low, 'l'), await readTeam(lowest, 'x')]).toEqual([[two.identifier], [two.identifier]]);
    await app.request('PATCH', entityPath(top, 't2'), { body: { team: [one.identifier, two.identifier] } });
    expect(await readTeam(lowest, 'x')).toEqual([one.identifier, two.identifier]);
    await app.request('DELETE', entityPath(top, 't2'));
    expect(await readTeam(lowest, 'x')).toEqual([]);
    await app.request('PATCH', `/v1/blueprints/${low}`, { body: { ownership: { type: 'Direct' } } });
    await app.request('PATCH', entityPath(low, 'l'), { body: { team: one.identifier } });
    expect(await readTeam(lowest, 'x')).toEqual([one.identifier]);
  });

  test('ignores what is written, says so, and keeps nothing of it for later', async () => {
    const top = await createBlueprint(app.request, 'top', { ownership: { type: 'Direct' } });
    const low = await createBlueprint(app.request, 'low', {
      relations: { top: { target: top } },
      ownership: { type: 'Inherited', path: 'top' },
    });
    const [one, two] = [await makeTeam(), await makeTeam()];
    await createEntity(app.request, top, { identifier: 't', team: one.identifier });
    const body = { identifier: 'l', team: two.identifier, relations: { top: 't' } };
    const answer = await app.request('POST', `/v1/blueprints/${low}/entities?upsert=true`, { body });
    expect(answer.headers['warning']).toContain('team is inherited along');
    expect(answer.body.entity.team).toEqual([one.identifier]);
    const before = await app.organization.journal();
    await app.request('POST', `/v1/blueprints/${low}/entities?upsert=true`, { body });
    expect(await app.organization.journal()).toEqual(before);
    await app.request('PATCH', `/v1/blueprints/${low}`, { body: { ownership: { type: 'Direct' } } });
    expect(await readTeam(low, 'l')).toEqual([]);
  });

  test('must not end where it begins, over other blueprints either', async () => {
    const first = await createBlueprint(app.request, 'first');
    const second = await createBlueprint(app.request, 'second', {
      relations: { first: { target: first } },
      ownership: { type: 'Inherited', path: 'first' },
    });
    const answer = await app.request('PATCH', `/v1/blueprints/${first}`, {
      body: { relations: { second: { target: second } }, ownership: { type: 'Inherited', path: 'second' } },
    });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/ownership/path']]);
  });
});

describe('users and teams', () => {
  const users = (organization: TestOrganization) =>
    app.database.rows<Record<string, unknown>>(sql`
      select u.identifier, u.title, u.status, u.role, u.type, u.moderated_blueprints as moderated,
        array(select t.identifier from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
          where m.org_id = u.org_id and m.user_key = u.key order by t.identifier) as teams
      from users u where u.org_id = ${organization.id} order by u.identifier`);
  const teams = (organization: TestOrganization) =>
    app.database.rows<Record<string, unknown>>(sql`
      select identifier, title, description from teams where org_id = ${organization.id} order by identifier`);

  test('keep step with the entities that stand for them', async () => {
    const organization = await app.createOrganization();
    const { request } = organization;
    await createEntity(request, '_team', { identifier: 'one', title: 'One', properties: { description: 'first' } });
    await createEntity(request, '_team', { identifier: 'two' });
    expect(await teams(organization)).toEqual([
      { identifier: 'one', title: 'One', description: 'first' },
      { identifier: 'two', title: 'two', description: null },
    ]);
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: ['x'] };
    await createEntity(request, '_user', {
      identifier: 'jo+x@example.com',
      title: 'Jo',
      team: ['one', 'two', 'none'],
      properties,
    });
    expect(await users(organization)).toEqual([
      {
        identifier: 'jo+x@example.com',
        title: 'Jo',
        status: 'Active',
        role: 'Moderator',
        type: 'Standard',
        moderated: ['x'],
        teams: ['one', 'two'],
      },
    ]);
    expect((await readEntity(request, '_team', 'one')).properties['size']).toBe(1);
    const path = entityPath('_user', 'jo+x@example.com');
    await request('PATCH', path, { body: { team: ['two'], title: null, properties: { moderated_blueprints: null } } });
    expect(await users(organization)).toMatchObject([{ title: null, moderated: [], teams: ['two'] }]);
    expect((await readEntity(request, '_team', 'one')).properties['size']).toBe(0);
    await request('DELETE', entityPath('_team', 'two'));
    expect(await users(organization)).toMatchObject([{ teams: [] }]);
    expect((await readEntity(request, '_user', 'jo+x@example.com')).team).toEqual([]);
    await request('DELETE', path);
    expect(await users(organization)).toEqual([]);
    expect(await teams(organization)).toMatchObject([{ identifier: 'one' }]);
  });

  test('in the beta a membership is a relation, and the team of the user', async () => {
    const organization = await app.createOrganization({ model: 'beta' });
    const { request } = organization;
    await createEntity(request, '_team', { identifier: 'one', title: 'Team One' });
    await createEntity(request, '_user', {
      identifier: 'jo@example.com',
      properties: member,
      relations: { teams: ['one'] },
    });
    expect(await users(organization)).toMatchObject([{ teams: ['one'] }]);
    expect((await readEntity(request, '_user', 'jo@example.com')).team).toEqual(['Team One']);
    expect((await readEntity(request, '_team', 'one')).properties['size']).toBe(1);
    await request('PATCH', entityPath('_user', 'jo@example.com'), { body: { relations: { teams: [] } } });
    expect(await users(organization)).toMatchObject([{ teams: [] }]);
    expect((await readEntity(request, '_team', 'one')).properties['size']).toBe(0);
  });

  test('the address of a user cannot change', async () => {
    const { request } = app;
    const identifier = `${unique('jo')}@example.com`;
    await createEntity(request, '_user', { identifier, properties: member });
    const answer = await request('PATCH', entityPath('_user', identifier), { body: { identifier: 'new@example.com' } });
    expect([answer.status, answer.body.error, issuePaths(answer.body)]).toEqual([
      422,
      'managed_field',
      ['/identifier'],
    ]);
  });

  test('a write that is refused leaves both as they were', async () => {
    const before = await app.count('users');
    const properties = { ...member, status: 'Gone' };
    const answer = await app.request('POST', '/v1/blueprints/_user/entities', {
      body: { identifier: 'no@example.com', properties },
    });
    expect(answer.status).toBe(422);
    expect(await app.count('users')).toBe(before);
  });
});

describe.each([
  ['legacy', 'title'],
  ['beta', 'title'],
  ['blueprints', 'identifier'],
] as const)('in model %s', (model, form) => {
  test(`team shows the ${form}, and both forms are understood`, async () => {
    const { id, request } = await app.createOrganization({ model });
    if (model === 'legacy') {
      await app.database.transaction((tx) =>
        tx.execute(sql`
          insert into teams (org_id, key, identifier, title, created_at, updated_at)
          values (${id}, 't_1', 'one', 'Team One', now(), now()), (${id}, 't_2', 'Team One', 'Other', now(), now())`),
      );
    } else {
      await createEntity(request, '_team', { identifier: 'one', title: 'Team One' });
      await createEntity(request, '_team', { identifier: 'Team.One', title: 'Other' });
    }
    const owned = await createBlueprint(request, 'owned', { ownership: { type: 'Direct' } });
    const shown = { title: 'Team One', identifier: 'one' }[form];
    for (const team of ['one', 'Team One']) {
      const entity = await createEntity(request, owned, { identifier: 'a', team }, '?upsert=true');
      expect(entity.team).toEqual([shown]);
    }
    // in the beta, values are titles and rules hold identifiers (compatibility choices, People and teams)
    const sought = model === 'beta' ? 'one' : shown;
    expect(await searchIn(request, owned, { property: '$team', operator: 'contains', value: sought })).toEqual(['a']);
    expect(await searchIn(request, owned, { property: '$team', operator: '=', value: sought })).toEqual(['a']);
  });
});
