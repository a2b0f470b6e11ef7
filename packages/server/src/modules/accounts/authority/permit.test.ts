import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Grant } from '../../rights/index.ts';
import { permitScopes, permitSecret, permitToken, permitWhole } from './credentials.ts';
import { permitEntityRights, permitGrants } from './grants.ts';
import { everything, type Gain, permit } from './permit.ts';

type Answer = 'allowed' | 'insufficient_scope' | 'missing_permissions';

const member: Actor = {
  orgId: 'org_1',
  model: 'blueprints',
  kind: 'person',
  id: 'jo@example.com',
  userId: 'jo@example.com',
  roles: ['Member'],
  teamKeys: ['t_own'],
  datasource: '',
  origin: 'API',
};
const { userId: _userId, ...machine } = member;
const admin: Actor = { ...machine, kind: 'machine', roles: ['Admin'], teamKeys: [] };
const moderator: Actor = { ...member, roles: ['Member', 'service-moderator'] };
const restricted = (actor: Actor, ...scopes: string[]): Actor => ({ ...actor, scopes });

function readAnswer(ask: () => unknown): Answer {
  try {
    ask();
    return 'allowed';
  } catch (error) {
    if (error instanceof AppError) return error.code as Answer;
    throw error;
  }
}

describe('the secret of credentials', () => {
  test.each<[string, Actor, { role: string; scopes?: string[] | null }, Answer]>([
    ['an administrator, of anything', admin, { role: 'Admin' }, 'allowed'],
    ['an administrator, of restricted ones', admin, { role: 'Admin', scopes: ['read:*'] }, 'allowed'],
    [
      'a token, of the same scopes',
      restricted(admin, 'create:apps'),
      { role: 'Admin', scopes: ['create:apps'] },
      'allowed',
    ],
    [
      'a wildcard, of what it covers',
      restricted(admin, 'read:*'),
      { role: 'Admin', scopes: ['read:users'] },
      'allowed',
    ],
    [
      'a token, of one scope more',
      restricted(admin, 'create:apps'),
      { role: 'Admin', scopes: ['create:apps', 'read:users'] },
      'insufficient_scope',
    ],
    ['a token, without restriction', restricted(admin, 'create:apps'), { role: 'Admin' }, 'insufficient_scope'],
    [
      'a token, of a member without restriction',
      restricted(admin, 'create:apps'),
      { role: 'Member' },
      'insufficient_scope',
    ],
    ['a member, of an administrator', member, { role: 'Admin', scopes: ['read:users'] }, 'missing_permissions'],
    ['a moderator, of an administrator', moderator, { role: 'Admin' }, 'missing_permissions'],
    ['a restricted member, of an administrator', restricted(member, '*'), { role: 'Admin' }, 'missing_permissions'],
    ['a member, of a member', member, { role: 'Member' }, 'allowed'],
  ])('%s', (_name, actor, credential, expected) => {
    expect(readAnswer(() => permitSecret(actor, {}, credential))).toBe(expected);
  });
});

describe('scopes of credentials', () => {
  const all = { role: 'Admin', scopes: null };
  const some = { role: 'Admin', scopes: ['read:users', 'update:users'] };
  const fewer = { role: 'Admin', scopes: ['read:users'] };
  test.each<[string, Actor, typeof all | typeof some, typeof all | typeof some, Answer]>([
    ['are lifted by an administrator', admin, some, all, 'allowed'],
    ['are lifted by nobody else', restricted(admin, 'update:apps'), some, all, 'insufficient_scope'],
    ['are taken away by whoever may change them', restricted(admin, 'update:apps'), some, fewer, 'allowed'],
    ['are taken from credentials without restriction', restricted(admin, 'update:apps'), all, some, 'allowed'],
    ['are added by whoever has them', restricted(admin, 'update:*'), fewer, some, 'insufficient_scope'],
    ['are added by whoever has all of them', restricted(admin, 'update:*', 'read:*'), fewer, some, 'allowed'],
  ])('%s', (_name, actor, before, after, expected) => {
    expect(readAnswer(() => permitScopes(actor, {}, before, after))).toBe(expected);
  });
});

test.each<[string, Actor, string[] | null, Answer]>([
  ['everybody makes tokens of their own', member, null, 'allowed'],
  ['a restricted token makes one with as much', restricted(member, 'read:users'), ['read:users'], 'allowed'],
  ['a restricted token makes none with more', restricted(member, 'read:users'), ['read:*'], 'insufficient_scope'],
  ['a restricted token makes none without restriction', restricted(member, 'read:users'), null, 'insufficient_scope'],
])('%s', (_name, actor, scopes, expected) => {
  expect(readAnswer(() => permitToken(actor, {}, { roles: ['Member'], teamKeys: ['t_own'] }, scopes))).toBe(expected);
});

test.each<[string, Actor, Answer]>([
  ['an administrator', admin, 'allowed'],
  [
    'an administrator with every scope by name',
    restricted(admin, 'read:*', 'create:*', 'update:*', 'delete:*'),
    'insufficient_scope',
  ],
  ['a moderator', moderator, 'missing_permissions'],
  ['a member', member, 'missing_permissions'],
])('what admits people later is set by administrators without restriction: %s', (_name, actor, expected) => {
  expect(readAnswer(() => permitWhole(actor, {}, 'setting single sign-on'))).toBe(expected);
});

describe('rights on entities', () => {
  const update = (grant: Grant) => ({ identifier: 'service', rights: { update: grant } });
  const editor = restricted(admin, 'update:blueprints', 'update:entities', 'read:entities');
  const schema = restricted(admin, 'update:blueprints', 'read:*');
  const writers = { roles: ['Admin'] };
  const policy = (value: string) => ({ combinator: 'and', rules: [{ property: 'tier', operator: '=', value }] });
  test.each<[string, Grant, Grant, Actor, Answer]>([
    ['of a role', writers, { roles: ['Admin', 'Member'] }, schema, 'insufficient_scope'],
    ['of a role, by who has it', writers, { roles: ['Admin', 'Member'] }, editor, 'allowed'],
    ['of a user', writers, { ...writers, users: ['jo@example.com'] }, schema, 'insufficient_scope'],
    ['of a team', writers, { ...writers, teams: ['t_own'] }, schema, 'insufficient_scope'],
    ['of owners', writers, { ...writers, ownedByTeam: true }, schema, 'insufficient_scope'],
    ['of a policy', writers, { ...writers, policy: policy('1') }, schema, 'insufficient_scope'],
    [
      'of another policy',
      { ...writers, policy: policy('1') },
      { ...writers, policy: policy('2') },
      schema,
      'insufficient_scope',
    ],
    [
      'of a policy that was out of force',
      { ...writers, ownedByTeam: true, policy: policy('1') },
      { ...writers, ownedByTeam: false, policy: policy('1') },
      schema,
      'insufficient_scope',
    ],
    [
      'that are taken away',
      { roles: ['Admin', 'Member'], teams: ['t'], ownedByTeam: true },
      writers,
      schema,
      'allowed',
    ],
    ['whose policy is taken away', { ...writers, policy: policy('1') }, writers, schema, 'allowed'],
    ['of owners that stay', { ...writers, ownedByTeam: true }, { ...writers, ownedByTeam: true }, schema, 'allowed'],
    ['that stay', { ...writers, policy: policy('1') }, { ...writers, policy: policy('1') }, schema, 'allowed'],
    ['by a member', writers, { roles: ['Admin', 'Member'] }, member, 'missing_permissions'],
    ['by a moderator', writers, { roles: ['Admin', 'Member'] }, moderator, 'missing_permissions'],
    ['by an administrator', writers, { roles: ['Admin', 'Member'] }, admin, 'allowed'],
  ])('%s', (_name, before, after, actor, expected) => {
    expect(readAnswer(() => permitEntityRights(actor, update(before), update(after).rights))).toBe(expected);
  });

  test.each<[string, object, string[], Answer]>([
    ['register', { register: { roles: ['Member'] } }, ['create:entities', 'read:entities'], 'allowed'],
    [
      'register without the scope',
      { register: { roles: ['Member'] } },
      ['update:entities', 'read:entities'],
      'insufficient_scope',
    ],
    ['unregister', { unregister: { roles: ['Member'] } }, ['delete:entities', 'read:entities'], 'allowed'],
    [
      'unregister without the scope',
      { unregister: { roles: ['Member'] } },
      ['update:*', 'read:*'],
      'insufficient_scope',
    ],
    ['read', { read: { users: ['jo@example.com'] } }, ['read:entities'], 'allowed'],
    ['read without the scope', { read: { users: ['jo@example.com'] } }, ['update:*'], 'insufficient_scope'],
    [
      'reading as a member does by default',
      { read: { roles: ['Admin', 'service-moderator', 'Member'] } },
      ['update:blueprints'],
      'allowed',
    ],
    [
      'a property',
      { updateProperties: { tier: { roles: ['Member'] } } },
      ['update:entities', 'read:entities'],
      'allowed',
    ],
    [
      'a property without the scope',
      { updateProperties: { tier: { roles: ['Member'] } } },
      ['update:blueprints', 'read:*'],
      'insufficient_scope',
    ],
    [
      'a relation without reading',
      { updateRelations: { runs: { teams: ['t'] } } },
      ['update:entities'],
      'insufficient_scope',
    ],
  ])('that were never set: %s', (_name, rights, scopes, expected) => {
    const blueprint = { identifier: 'service', rights: null };
    expect(readAnswer(() => permitEntityRights(restricted(admin, ...scopes), blueprint, rights))).toBe(expected);
  });
});

describe('a grant whose policy restricts its lists', () => {
  const named = { roles: ['Admin', 'Member'] };
  const policy = { conditions: ['.user.email == "jo@example.com"'] };
  test.each<[string, Grant, Grant, Answer]>([
    ['gives by losing the policy', { ...named, policy }, named, 'insufficient_scope'],
    [
      'may give by another policy',
      { ...named, policy },
      { ...named, policy: { conditions: ['true'] } },
      'insufficient_scope',
    ],
    ['may give by its first policy', named, { ...named, policy }, 'insufficient_scope'],
    ['gives nothing by staying', { ...named, policy }, { ...named, policy }, 'allowed'],
    ['gives nothing by naming fewer', { ...named, policy }, { roles: ['Admin'], policy }, 'allowed'],
  ])('%s', (_name, before, after, expected) => {
    const change = { before, after, what: 'run it', scopes: ['execute:actions'], isNarrowed: true };
    const actor = restricted(admin, 'update:actions');
    expect(readAnswer(() => permitGrants(actor, after, [change]))).toBe(expected);
  });
});

describe('a refusal of what is in a request', () => {
  const held = { roles: ['Admin'], teamKeys: [], scopes: [] };
  const gain = (change: string, path?: string) => ({ change, authority: everything, ...(path ? { path } : {}) });
  const refusalOf = (gains: readonly Gain[]): AppError => {
    try {
      permit(held, {}, gains);
    } catch (error) {
      return error as AppError;
    }
    throw new Error('nothing was refused');
  };

  test('names every place', () => {
    const { message, details } = refusalOf([gain('making it', '/a'), gain('giving it', '/b'), gain('anything else')]);
    expect(message).toBe('The token is restricted to nothing. Making it needs a token without restriction');
    expect(details).toEqual([
      { path: '/a', message: 'making it is refused' },
      { path: '/b', message: 'giving it is refused' },
    ]);
  });

  test('has no details where there is no place', () => {
    expect(refusalOf([gain('making it')]).details).toBeUndefined();
  });
});

test('a refusal says what is missing and what helps', () => {
  const messageOf = (actor: Actor): string => {
    try {
      permitSecret(actor, {}, { role: 'Admin', scopes: ['create:apps', 'read:users'] });
    } catch (error) {
      return (error as AppError).message;
    }
    return 'nothing was refused';
  };
  expect(messageOf(restricted(admin, 'create:apps'))).toBe(
    'The token is restricted to create:apps. Giving out the secret of credentials also needs read:users',
  );
  expect(messageOf(member)).toBe(
    'Giving out the secret of credentials takes rights that you do not have; ask an administrator to do it',
  );
});
