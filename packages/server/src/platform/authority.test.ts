import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemActor } from './actor.ts';
import {
  type Authority,
  actorAuthority,
  commonAuthority,
  coversAuthority,
  fullAuthority,
  limitTo,
} from './authority.ts';

const roles = fc.subarray(['Admin', 'Member', 'service-moderator', 'Team-Moderator']);
const teamKeys = fc.subarray(['t1', 't2', 't3']);
const scopes = fc.subarray(['*', 'read:*', 'read:users', 'create:users', 'update:*', 'execute:actions']);
const authority: fc.Arbitrary<Authority> = fc.oneof(
  fc.record({ roles, teamKeys }),
  fc.record({ roles, teamKeys, scopes }),
);

describe('authorities', () => {
  test('what two allow together is within each of them', () => {
    fc.assert(
      fc.property(authority, authority, (one, other) => {
        const both = commonAuthority(one, other);
        expect(coversAuthority(one, both)).toBe(true);
        expect(coversAuthority(other, both)).toBe(true);
      }),
    );
  });

  test('what is within two is within what they allow together', () => {
    fc.assert(
      fc.property(authority, authority, authority, (one, other, third) => {
        fc.pre(coversAuthority(one, third) && coversAuthority(other, third));
        expect(coversAuthority(commonAuthority(one, other), third)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('moderators of two blueprints have in common what a member may', () => {
    const moderatorOf = (blueprint: string): Authority => ({ roles: [`${blueprint}-moderator`], teamKeys: [] });
    expect(commonAuthority(moderatorOf('service'), moderatorOf('team')).roles).toEqual(['Member']);
    expect(commonAuthority(moderatorOf('service'), moderatorOf('service')).roles).toEqual([
      'service-moderator',
      'Member',
    ]);
  });

  test.each<[string, Authority, Authority, boolean]>([
    [
      'an administrator covers any role and team',
      { roles: ['Admin'], teamKeys: [] },
      { roles: ['a-moderator'], teamKeys: ['t'] },
      true,
    ],
    [
      'a moderator covers a member',
      { roles: ['a-moderator'], teamKeys: [] },
      { roles: ['Member'], teamKeys: [] },
      true,
    ],
    [
      'a member covers no moderator',
      { roles: ['Member'], teamKeys: [] },
      { roles: ['a-moderator'], teamKeys: [] },
      false,
    ],
    [
      'a moderator covers no other',
      { roles: ['a-moderator'], teamKeys: [] },
      { roles: ['b-moderator'], teamKeys: [] },
      false,
    ],
    ['a team is not another', { roles: ['Member'], teamKeys: ['t1'] }, { roles: ['Member'], teamKeys: ['t2'] }, false],
    [
      'restricted covers no unrestricted',
      { roles: ['Admin'], teamKeys: [], scopes: ['create:users'] },
      { roles: ['Member'], teamKeys: [] },
      false,
    ],
    [
      'a restriction to everything is none',
      { roles: ['Admin'], teamKeys: [], scopes: ['*'] },
      { roles: ['Admin'], teamKeys: [] },
      true,
    ],
    [
      'a wildcard covers its verb',
      { roles: ['Admin'], teamKeys: [], scopes: ['read:*'] },
      { roles: ['Admin'], teamKeys: [], scopes: ['read:users'] },
      true,
    ],
    ['nobody covers a member', { roles: [], teamKeys: [] }, { roles: ['Member'], teamKeys: [] }, false],
    [
      'a role of another name covers no member',
      { roles: ['Guest'], teamKeys: [] },
      { roles: ['Member'], teamKeys: [] },
      false,
    ],
    [
      'a moderator is one however the blueprint is written',
      { roles: ['Service-Moderator'], teamKeys: [] },
      { roles: ['service-moderator', 'SERVICE-MODERATOR', 'Member'], teamKeys: [] },
      true,
    ],
    ['another role is not', { roles: ['admin'], teamKeys: [] }, { roles: ['Admin'], teamKeys: [] }, false],
    ['a moderator is no administrator', { roles: ['service-moderator'], teamKeys: [] }, fullAuthority, false],
    ['a member is no administrator', { roles: ['Member'], teamKeys: [] }, fullAuthority, false],
    [
      'a restricted administrator is not all',
      { roles: ['Admin'], teamKeys: [], scopes: ['read:*'] },
      fullAuthority,
      false,
    ],
    ['an administrator is all', { roles: ['Admin'], teamKeys: [] }, fullAuthority, true],
  ])('%s', (_what, holder, other, expected) => {
    expect(coversAuthority(holder, other)).toBe(expected);
  });

  test('without restriction there are no scopes, not even an empty list of them', () => {
    const { scopes: _none, ...actor } = systemActor('org_1');
    expect(actorAuthority(actor)).toStrictEqual({ roles: actor.roles, teamKeys: actor.teamKeys });
    expect(actorAuthority({ ...actor, scopes: [] }).scopes).toEqual([]);
  });

  test('an actor is limited, and stays who they are', () => {
    const actor = systemActor('org_1');
    const limited = limitTo(actor, { roles: ['Member'], teamKeys: ['t1'], scopes: ['read:entities'] });
    expect(actorAuthority(limited)).toEqual({ roles: ['Member'], teamKeys: ['t1'], scopes: ['read:entities'] });
    expect([limited.id, limited.orgId]).toEqual([actor.id, actor.orgId]);
  });
});
