import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity } from '../../../test/catalog-fixtures.ts';
import { findActor } from '../accounts/index.ts';
import { readCallerValues } from '../entity-query/index.ts';

const pat = 'pat@example.com';
const nothingHidden = () => false;

let app: TestApp;
/** Where users and teams are no entities. */
let old: { readonly id: string; readonly request: Request };
beforeAll(async () => {
  app = await createTestApp();
  old = await app.createOrganization({ model: 'legacy' });
  await seedEntities(app.request, 3);
  // somebody of the same address, and teams of the same names, with other values
  await seedEntities((await app.createOrganization()).request, 7);
  for (const name of ['Crew', 'desk']) await old.request('POST', '/v1/teams', { body: { name } });
  await old.request('POST', '/v1/users/invite', { body: { invitee: { email: pat, teams: ['Crew', 'desk'] } } });
});
afterAll(() => app.close());

async function seedEntities(request: Request, level: number): Promise<void> {
  const properties = {
    level: { type: 'number' },
    keen: { type: 'boolean' },
    skills: { type: 'array' },
    address: { type: 'object' },
  };
  const calculationProperties = { double: { title: 'Double', type: 'number', calculation: '.properties.level * 2' } };
  const patch = (name: string, body: unknown) => request('PATCH', `/v1/blueprints/${name}`, { body });
  expect((await patch('_user', { schema: { properties }, calculationProperties })).status).toBe(200);
  expect((await patch('_team', { schema: { properties: { area: { type: 'string' } } } })).status).toBe(200);
  for (const [identifier, area] of [
    ['desk', 'south'],
    ['crew', `north ${level}`],
    ['idle', 'west'],
  ] as const) {
    await createEntity(request, '_team', { identifier, title: `The ${identifier}`, properties: { area } });
  }
  const states = { status: 'Active', port_role: 'Member' };
  const values = { level, keen: true, skills: ['go', 1, null, ['deep']], address: { city: 'x' } };
  // what has the same identifier elsewhere is somebody else
  const other = await createBlueprint(request, 'other');
  await createEntity(request, other, { identifier: pat, title: 'Another' });
  await createEntity(request, '_user', {
    identifier: pat,
    title: `Pat ${level}`,
    team: ['crew', 'desk'],
    properties: { ...states, ...values },
  });
  await createEntity(request, '_user', { identifier: 'sam@example.com', title: 'Sam', properties: states });
}

async function readValues(
  isHidden: (blueprint: string, property: string) => boolean = nothingHidden,
  teamForm: 'identifier' | 'title' = 'identifier',
  orgId = app.organization.id,
) {
  const actor = await findActor(app.database, orgId, { kind: 'person', id: pat });
  const values = actor && (await readCallerValues(app.database, actor, teamForm, isHidden));
  if (!values) throw new Error(`${pat} has no values`);
  return {
    user: (property: string) => values({ context: 'user', property }),
    teams: (property: string) => values({ context: 'userTeams', property }),
  };
}

describe('rules may say of the caller', () => {
  test.each<[string, unknown[]]>([
    ['$identifier', [pat]],
    ['$title', ['Pat 3']],
    ['$team', ['crew', 'desk']],
    ['level', [3]],
    ['keen', [true]],
    ['double', [6]],
    ['skills', ['go', 1]],
    ['address', []],
    ['constructor', []],
    ['nothing', []],
  ])('%s', async (property, expected) => {
    expect((await readValues()).user(property)).toEqual(expected);
  });

  test('the teams by their titles', async () => {
    expect((await readValues(nothingHidden, 'title')).user('$team')).toEqual(['The crew', 'The desk']);
  });

  test.each<[string, unknown[]]>([
    ['$identifier', ['crew', 'desk']],
    ['$title', ['The crew', 'The desk']],
    ['$team', []],
    ['area', ['north 3', 'south']],
  ])('%s of the teams', async (property, expected) => {
    expect((await readValues()).teams(property)).toEqual(expected);
  });

  test('nothing that is hidden of users, and that only', async () => {
    const { user, teams } = await readValues((blueprint, property) => blueprint === '_user' && property === 'level');
    expect([user('level'), user('keen'), teams('level')]).toEqual([undefined, [true], []]);
  });

  test('nothing that is hidden of teams, and that only', async () => {
    const { user, teams } = await readValues((blueprint, property) => blueprint === '_team' && property === 'area');
    expect([teams('area'), teams('$title'), user('area')]).toEqual([undefined, ['The crew', 'The desk'], []]);
  });

  test('names where users and teams are no entities', async () => {
    const { user, teams } = await readValues(nothingHidden, 'title', old.id);
    expect([user('$identifier'), user('$team'), user('level')]).toEqual([[pat], ['Crew', 'desk'], []]);
    expect([teams('$title'), teams('area')]).toEqual([['Crew', 'desk'], []]);
    const named = await readValues(nothingHidden, 'identifier', old.id);
    const rows = await app.database.rows<{ identifier: string }>(
      sql`select identifier from teams where org_id = ${old.id} order by identifier`,
    );
    expect(named.user('$team')).toEqual(rows.map(({ identifier }) => identifier));
  });

  test('no team where they are in none', async () => {
    const sam = await findActor(app.database, app.organization.id, { kind: 'person', id: 'sam@example.com' });
    const values = sam && (await readCallerValues(app.database, sam, 'identifier', nothingHidden));
    expect(values?.({ context: 'user', property: '$title' })).toEqual(['Sam']);
    expect(values?.({ context: 'user', property: '$team' })).toEqual([]);
    expect(values?.({ context: 'userTeams', property: '$identifier' })).toEqual([]);
  });

  test('nothing of a program', async () => {
    const who = { kind: 'machine', id: app.organization.clientId } as const;
    const machine = await findActor(app.database, app.organization.id, who);
    expect(machine && (await readCallerValues(app.database, machine, 'title', nothingHidden))).toBeUndefined();
  });
});
