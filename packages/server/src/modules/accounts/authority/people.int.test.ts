import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  answerTo,
  createGainsWorld,
  type GainsWorld,
  member,
  type PersonChange,
  takesRights,
  token,
} from '../../../../test/gains-world.ts';
import type { Actor } from '../../../platform/actor.ts';
import { permitPerson } from './people.ts';

let world: GainsWorld;
beforeAll(async () => {
  world = await createGainsWorld();
});
afterAll(() => world.app.close());

describe('users', () => {
  const asks = (actor: Actor, identifier: string, change: PersonChange, teams: readonly string[] = []) =>
    answerTo(() =>
      world.app.database.transaction((tx) =>
        permitPerson({ tx, actor: world.actorOf(actor, teams) }, world.person(identifier, change)),
      ),
    );
  const [creates, updates] = [token('create:users'), token('update:users')];
  const promoted = { role: 'Admin' };
  const lacking = (change: string, needs: string, ...paths: string[]) =>
    ['insufficient_scope', `${change} also needs ${needs}`, ...paths].join(' | ');

  test.each<[string, Actor, string, PersonChange, string]>([
    ['is admitted as a plain member', creates, 'new@acme.dev', {}, 'allowed'],
    [
      'is not admitted by an update',
      updates,
      'new@acme.dev',
      {},
      lacking('Setting status of "new@acme.dev"', 'create:users', '/properties/status'),
    ],
    [
      'is entered without standing by whoever may write entities',
      token('create:entities'),
      'new@acme.dev',
      { status: 'Staged' },
      'allowed',
    ],
    [
      'gets no status from a token for entities',
      token('create:entities'),
      'new@acme.dev',
      {},
      lacking('Setting status of "new@acme.dev"', 'create:users', '/properties/status'),
    ],
    [
      'gets no type from a token for entities',
      token('update:entities'),
      'jo@acme.dev',
      { type: 'Service Account' },
      lacking('Setting port_type of "jo@acme.dev"', 'update:users', '/properties/port_type'),
    ],
    ['is disabled by a token for users', updates, 'jo@acme.dev', { status: 'Disabled' }, 'allowed'],
    [
      'is not disabled by a token that creates',
      creates,
      'jo@acme.dev',
      { status: 'Disabled' },
      lacking('Setting status of "jo@acme.dev"', 'update:users', '/properties/status'),
    ],
    [
      'is not disabled by a member',
      member,
      'jo@acme.dev',
      { status: 'Disabled' },
      `missing_permissions | Setting status of "jo@acme.dev" ${takesRights} | /properties/status`,
    ],
    ['is entered without standing by a member', member, 'new@acme.dev', { status: 'Staged' }, 'allowed'],
    [
      'named in rights is not entered by a member',
      member,
      'named@acme.dev',
      { status: 'Staged' },
      `missing_permissions | Admitting "named@acme.dev", who is named in rights already, ${takesRights}`,
    ],
    ['stays as it is by anybody', member, 'jo@acme.dev', { title: 'Jo' }, 'allowed'],
    [
      'is made administrator without restriction alone',
      updates,
      'jo@acme.dev',
      promoted,
      'insufficient_scope | Making "jo@acme.dev" an administrator needs a token without restriction | /properties/port_role',
    ],
    ['is made administrator by one', admin, 'jo@acme.dev', promoted, 'allowed'],
    [
      'is not made administrator by a member',
      member,
      'jo@acme.dev',
      promoted,
      `missing_permissions | Setting port_role of "jo@acme.dev" ${takesRights} | /properties/port_role | /properties/port_role`,
    ],
    [
      'is made moderator without restriction alone',
      updates,
      'jo@acme.dev',
      { role: 'Moderator', moderatedBlueprints: ['service'] },
      'insufficient_scope | Giving "jo@acme.dev" the role service-moderator needs a token without restriction | /properties/moderated_blueprints',
    ],
    ['loses the role by a token for users', updates, 'boss@acme.dev', {}, 'allowed'],
    [
      'becomes less than it was by a token for users',
      updates,
      'boss@acme.dev',
      { role: 'Moderator', moderatedBlueprints: ['service'] },
      'allowed',
    ],
    ['keeps the role', updates, 'boss@acme.dev', promoted, 'allowed'],
    [
      'has nothing as long as it is disabled',
      creates,
      'new@acme.dev',
      { status: 'Disabled', role: 'Admin' },
      'allowed',
    ],
    ['who is disabled may get a role', updates, 'gone@acme.dev', { ...promoted, status: 'Disabled' }, 'allowed'],
    [
      'gets back what it had when it is enabled',
      updates,
      'gone@acme.dev',
      promoted,
      'insufficient_scope | Making "gone@acme.dev" an administrator needs a token without restriction | /properties/port_role',
    ],
    [
      'named in rights is not admitted without them',
      creates,
      'named@acme.dev',
      {},
      lacking('Admitting "named@acme.dev", who is named in rights already,', 'read:entities, update:entities'),
    ],
    ['named in rights is entered as disabled', creates, 'named@acme.dev', { status: 'Disabled' }, 'allowed'],
    [
      'named in rights is admitted with them',
      token('create:users', '*:entities', 'update:entities', 'read:entities'),
      'named@acme.dev',
      {},
      'allowed',
    ],
  ])('%s', async (_what, actor, identifier, change, expected) => {
    const found = await asks(actor, identifier, change);
    expect(found.replace('update:entities, read:entities', 'read:entities, update:entities')).toBe(expected);
  });

  const joining = (title: string, who = 'jo@acme.dev') =>
    `Putting "${who}" into the team "${title}", which has rights,`;
  const refused = (title: string, who?: string) =>
    lacking(joining(title, who), 'update:entities, read:entities', '/team');
  const may = token('update:users', 'update:entities', 'read:entities');
  const provisioner: Actor = { ...updates, provisioner: 'scim' };
  const nobody: Actor = { ...member, roles: [] };
  test.each<[string, Actor, string, PersonChange, string, string[]?]>([
    ['with rights needs these', updates, 'jo@acme.dev', { teams: ['plain', 'ops'] }, refused('ops')],
    ['with rights is for who has these', may, 'jo@acme.dev', { teams: ['ops'] }, 'allowed'],
    ['with rights is for who is in it', member, 'jo@acme.dev', { teams: ['ops'] }, 'allowed', ['ops']],
    [
      'with rights is not for who is in another',
      member,
      'jo@acme.dev',
      { teams: ['ops'] },
      `missing_permissions | ${joining('ops')} ${takesRights} | /team`,
      ['plain'],
    ],
    [
      'with rights is not for who has no role',
      nobody,
      'jo@acme.dev',
      { teams: ['ops'] },
      `missing_permissions | ${joining('ops')} ${takesRights} | /team`,
      ['ops'],
    ],
    ['without rights is free', updates, 'jo@acme.dev', { teams: ['plain'] }, 'allowed'],
    ['stays', updates, 'opsy@acme.dev', { teams: ['ops'] }, 'allowed'],
    ['is left', updates, 'opsy@acme.dev', {}, 'allowed'],
    [
      'gives nothing while somebody is disabled',
      updates,
      'opsy@acme.dev',
      { status: 'Disabled', teams: ['runners'] },
      'allowed',
    ],
    [
      'gives again once somebody is enabled',
      updates,
      'idle@acme.dev',
      { teams: ['ops'] },
      refused('ops', 'idle@acme.dev'),
    ],
    ['of the provider is the provider’s', provisioner, 'jo@acme.dev', { teams: ['provided'] }, 'allowed'],
    ['of the provider is nobody else’s', updates, 'jo@acme.dev', { teams: ['provided'] }, refused('provided')],
    ['made by hand is not the provider’s', provisioner, 'jo@acme.dev', { teams: ['ops', 'provided'] }, refused('ops')],
  ])('a team %s', async (_what, actor, identifier, change, expected, teams) => {
    expect(await asks(actor, identifier, change, teams)).toBe(expected);
  });

  test('named in rights is enabled by who has them', async () => {
    const set = async (users: string[]) => {
      const body = { entities: { update: { roles: ['Admin'], teams: ['ops', 'provided'], users } } };
      const answer = await world.app.request('PATCH', '/v1/blueprints/service/permissions', { body });
      expect(answer.status).toBe(200);
    };
    await set(['named@acme.dev', 'idle@acme.dev', 'jo@acme.dev']);
    expect(await asks(updates, 'idle@acme.dev', {})).toContain('Admitting "idle@acme.dev"');
    expect(await asks(updates, 'jo@acme.dev', { title: 'Jo' })).toBe('allowed');
    expect(await asks({ ...member, scopes: ['*'] }, 'idle@acme.dev', {})).toContain('missing_permissions');
    await set(['named@acme.dev']);
  });
});
