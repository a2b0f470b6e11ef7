import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  answerTo,
  createGainsWorld,
  type GainsWorld,
  member,
  type PersonChange,
  rightsOfTeams,
  takesRights,
  token,
} from '../../../../test/gains-world.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Person } from '../person.types.ts';
import { permitBecoming } from './become.ts';
import { carriesRights, carryingTeams, rightsOfAddress } from './carried-rights.ts';
import { type DecidingChange, permitDecidingChange } from './deciding-data.ts';
import { permitBinding, permitTeam } from './teams.ts';

let world: GainsWorld;
beforeAll(async () => {
  world = await createGainsWorld();
});
afterAll(() => world.app.close());

describe('what teams carry', () => {
  test('are the scopes of every grant that names them, and of those that owners have', async () => {
    const teams = await carryingTeams(world.app.database, world.app.organization.id, Object.values(world.keys));
    expect(teams.map(({ title, scopes }) => [title, [...scopes].sort()])).toEqual(Object.entries(rightsOfTeams));
    expect(teams.filter(({ isProvided }) => isProvided).map(({ title }) => title)).toEqual(['provided']);
    expect(await carryingTeams(world.app.database, world.strict.id, Object.values(world.keys))).toEqual([]);
    const [ops] = await carryingTeams(world.app.database, world.app.organization.id, [world.keys['ops'] as string]);
    expect(ops?.title).toBe('ops');
  });

  test('is asked of one team', async () => {
    const carries = (title: string) =>
      carriesRights(world.app.database, world.app.organization.id, world.keys[title] as string);
    expect([await carries('ops'), await carries('plain')]).toEqual([true, false]);
  });

  test('may be anything where a policy asks for teams', async () => {
    const [row] = await world.app.database.rows<{ key: string }>(
      sql`select key from teams where org_id = ${world.strict.id}`,
    );
    const teams = await carryingTeams(world.app.database, world.strict.id, [row?.key ?? '']);
    expect(teams.map(({ title, scopes }) => [title, [...scopes].sort()])).toEqual([
      ['any', ['delete:entities', 'read:entities']],
    ]);
  });

  test('and what addresses carry', async () => {
    const of = async (address: string) =>
      (await rightsOfAddress(world.app.database, world.app.organization.id, address)).sort();
    expect(await of('named@acme.dev')).toEqual(['read:entities', 'update:entities']);
    expect(await of('jo@acme.dev')).toEqual([]);
  });
});

describe('a way to act as', () => {
  const ask = (actor: Actor, who: Person, isUnused: boolean) =>
    answerTo(async () => {
      const { roles, teamKeys, scopes } = actor;
      const authority = { roles, teamKeys, ...(scopes ? { scopes } : {}) };
      const maker = { orgId: world.app.organization.id, userId: actor.userId, authority };
      await permitBecoming(world.app.database, maker, {}, { person: who, isUnused });
    });
  const creates = token('create:users');
  const all = (who: string) => `insufficient_scope | Making a way to act as "${who}" needs a token without restriction`;
  test.each<[string, Actor, string, PersonChange, boolean, string]>([
    ['a new plain member', creates, 'jo@acme.dev', {}, true, 'allowed'],
    ['a new member of a plain team', creates, 'jo@acme.dev', { teams: ['plain'] }, true, 'allowed'],
    [
      'a new member takes create:users',
      token('update:users'),
      'jo@acme.dev',
      {},
      true,
      'insufficient_scope | Making a way to act as "jo@acme.dev" also needs create:users',
    ],
    [
      'a new member takes an administrator',
      member,
      'jo@acme.dev',
      {},
      true,
      `missing_permissions | Making a way to act as "jo@acme.dev" ${takesRights}`,
    ],
    ['a member who was here', creates, 'jo@acme.dev', {}, false, all('jo@acme.dev')],
    ['a member who was here, by an administrator', admin, 'jo@acme.dev', {}, false, 'allowed'],
    ['a new member of a team with rights', creates, 'jo@acme.dev', { teams: ['ops'] }, true, all('jo@acme.dev')],
    ['a new administrator', creates, 'jo@acme.dev', { role: 'Admin' }, true, all('jo@acme.dev')],
    [
      'a new moderator',
      creates,
      'jo@acme.dev',
      { role: 'Moderator', moderatedBlueprints: ['service'] },
      true,
      all('jo@acme.dev'),
    ],
    ['a new account of a service', creates, 'jo@acme.dev', { type: 'Service Account' }, true, all('jo@acme.dev')],
    ['a new member whom a grant names', creates, 'named@acme.dev', {}, true, all('named@acme.dev')],
    ['oneself', member, 'me@acme.dev', {}, false, 'allowed'],
    [
      'oneself with a restricted token',
      { ...member, scopes: ['create:users'] },
      'me@acme.dev',
      {},
      false,
      all('me@acme.dev'),
    ],
  ])('%s', async (_what, actor, identifier, change, isUnused, expected) => {
    expect(await ask(actor, world.person(identifier, change), isUnused)).toBe(expected);
  });
});

describe('a team', () => {
  const named = (identifier: string, title = identifier, description: string | null = null) => ({
    identifier,
    title,
    description,
  });
  const renames = (actor: Actor, team: ReturnType<typeof named>, from?: string, teams: readonly string[] = []) =>
    answerTo(() =>
      world.app.database.transaction((tx) => permitTeam({ tx, actor: world.actorOf(actor, teams) }, team, from)),
    );
  const refusal =
    'insufficient_scope | Renaming the team "ops", which has rights, also needs update:entities, read:entities';
  const updates = token('update:teams');

  test('that carries rights is renamed by who has these', async () => {
    expect(await renames(updates, named('ops', 'All'))).toBe(refusal);
    expect(await renames(updates, named('all', 'ops'), 'ops')).toBe(refusal);
    expect(await renames(token('update:entities', 'read:entities'), named('ops', 'All'))).toBe('allowed');
    expect(await renames(member, named('ops', 'All'), undefined, ['ops'])).toBe('allowed');
    expect(await renames({ ...member, roles: [] }, named('ops', 'All'), undefined, ['ops'])).toContain('missing');
    expect(await renames(admin, named('ops', 'All'))).toBe('allowed');
  });

  test('is otherwise written by whoever may write teams', async () => {
    expect(await renames(updates, named('ops', 'ops', 'Described'))).toBe('allowed');
    expect(await renames(updates, named('plain', 'Plain'))).toBe('allowed');
    expect(await renames(updates, named('new'))).toBe('allowed');
  });

  test('that carries rights is left to the provider by who has these', async () => {
    const bind = (actor: Actor, title: string) =>
      answerTo(() =>
        world.app.database.transaction((tx) =>
          permitBinding({ tx, actor: world.actorOf(actor) }, {}, world.keys[title] as string),
        ),
      );
    expect(await bind(updates, 'ops')).toContain('Leaving to the identity provider who is in the team "ops"');
    expect(await bind(updates, 'plain')).toBe('allowed');
    expect(await bind(admin, 'ops')).toBe('allowed');
  });
});

describe('what rights are decided by', () => {
  const change = (actor: Actor, orgId: string, { isOwnership = false, isComputed = false }: Partial<DecidingChange>) =>
    answerTo(() =>
      world.app.database.transaction((tx) =>
        permitDecidingChange(
          { tx, actor: { ...actor, orgId } },
          {},
          { identifier: 'service', isOwnership, isComputed },
        ),
      ),
    );
  const schema = token('update:blueprints');
  const needs = (scopes: string) =>
    `insufficient_scope | Changing what rights are decided by in the blueprint "service" also needs ${scopes}`;

  test('is changed by who has what grants to owners and policies give', async () => {
    const { id } = world.app.organization;
    expect(await change(schema, id, { isOwnership: true })).toBe(
      needs('create:entities, read:entities, delete:entities'),
    );
    expect(await change(schema, id, { isComputed: true })).toBe(needs('delete:entities, read:entities'));
    expect(await change(token('delete:entities', 'read:entities'), id, { isComputed: true })).toBe('allowed');
    expect(await change(schema, id, {})).toBe('allowed');
    expect(await change(member, id, {})).toBe('allowed');
    expect(await change(member, id, { isComputed: true })).toContain('missing_permissions');
    expect(await change(admin, id, { isOwnership: true, isComputed: true })).toBe('allowed');
  });

  test('decides nothing where nothing is granted by it', async () => {
    const { id } = await world.app.createOrganization();
    expect(await change(member, id, { isOwnership: true, isComputed: true })).toBe('allowed');
  });
});
