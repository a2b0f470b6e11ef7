import { describe, expect, test } from 'vitest';
import type { Attacker } from './attacker.ts';
import { buildAuthority, covers, everyScope, findExcess, join, nothing, restrict } from './authority.ts';
import { createChance } from './chance.ts';
import { readHoldings } from './holdings.ts';
import { judge } from './judge.ts';
import type { Row, Rows } from './rows.ts';

const user = { key: 'u1', identifier: 'mia@example.com', role: 'Member', status: 'Active', moderated_blueprints: [] };
const app = {
  client_id: 'c1',
  secret_id: 's1',
  role: 'Admin',
  user_key: null,
  scopes: ['create:users'],
  revoked_at: null,
};
const start: Rows = {
  users: [user],
  teams: [{ key: 't1', identifier: 'owners', title: 'owners' }],
  team_members: [],
  blueprints: [{ key: 1, identifier: 'service', permissions: { unregister: { teams: ['t1'] } } }],
  actions: [{ key: 1, identifier: 'deploy', permissions: null, definition: {} }],
  pages: [],
  credentials: [app],
  api_tokens: [],
  password_links: [],
  sessions: [],
  user_passwords: [],
  sso_connections: [],
  action_runs: [],
  action_run_approvals: [],
};
const authority = buildAuthority(['Admin'], ['create:users']);
const attacker: Attacker = { token: 'nothing', authority, rows: start };
const judged = (change: Rows, held = authority) => judge({ ...attacker, authority: held }, { ...start, ...change });

describe('the order of authorities', () => {
  const chance = createChance(1);
  const some = () =>
    join(
      ...['Admin', 'Member', 'moderator:service', 'entities:service:update', 'person:mia@example.com']
        .filter(() => chance.happens(0.5))
        .map((privilege) =>
          buildAuthority(
            [privilege],
            everyScope.filter(() => chance.happens(0.2)),
          ),
        ),
    );

  test('is reflexive, has a least element, and what two allow together is above both and below any that is', () => {
    for (let round = 0; round < 200; round += 1) {
      const [one, other, third] = [some(), some(), some()] as const;
      expect(findExcess(one, one)).toEqual([]);
      expect(findExcess(nothing, one)).toEqual([]);
      expect([...findExcess(one, join(one, other)), ...findExcess(other, join(one, other))]).toEqual([]);
      const isAbove = findExcess(one, third).length === 0 && findExcess(other, third).length === 0;
      expect(findExcess(join(one, other), third).length === 0).toBe(isAbove);
    }
  });

  test('is transitive', () => {
    for (let round = 0; round < 200; round += 1) {
      const one = some();
      const other = join(one, some());
      expect(findExcess(one, join(other, some()))).toEqual([]);
    }
  });

  test('an administrator may what everybody may, under the same scope only', () => {
    expect(covers(authority, 'entities:service:update', 'create:users')).toBe(true);
    expect(covers(authority, 'Member', 'read:users')).toBe(false);
    expect(findExcess(buildAuthority(['Admin']), authority)).toEqual([expect.stringContaining('Admin under')]);
    expect(findExcess(restrict(buildAuthority(['Admin']), ['create:users']), authority)).toEqual([]);
  });
});

describe('what gives somebody more is seen:', () => {
  const link = { id: 'l1', user_key: 'u1' };
  const more: readonly (readonly [string, Rows])[] = [
    ['a role', { users: [{ ...user, role: 'Admin' }] }],
    ['a moderated blueprint', { users: [{ ...user, role: 'Moderator', moderated_blueprints: ['service'] }] }],
    ['a team that carries rights', { team_members: [{ team_key: 't1', user_key: 'u1' }] }],
    [
      'a right by name',
      { blueprints: [{ ...first('blueprints'), permissions: { update: { users: [user.identifier] } } }] },
    ],
    ['a right by role', { actions: [{ ...first('actions'), permissions: { approve: { roles: ['Member'] } } }] }],
    [
      'another policy',
      { blueprints: [{ ...first('blueprints'), permissions: { update: { policy: { rules: [] } } } }] },
    ],
    ['fewer restrictions', { credentials: [{ ...app, scopes: null }] }],
    ['another secret', { credentials: [{ ...app, scopes: ['read:users'], secret_id: 's2' }] }],
    ['an API token', { api_tokens: [{ id: 'k1', secret_id: 's', user_key: 'u1', scopes: null, revoked_at: null }] }],
    ['a link', { password_links: [link] }],
    ['a session', { sessions: [link] }],
    ['a password', { user_passwords: [{ user_key: 'u1', hash: 'another hash' }] }],
    ['an identity provider', { sso_connections: [{ issuer: 'https://x', client_id: 'x', group_teams: [] }] }],
  ];
  test.each(more)('%s', (_name, change) => {
    expect(judged(change)).not.toEqual([]);
    expect(judged(change, buildAuthority(['Admin']))).toEqual([]);
  });

  test('a newcomer may be an ordinary member, and nothing beyond', () => {
    const newcomer = { ...user, key: 'u2', identifier: 'new@example.com' };
    expect(judged({ users: [user, newcomer] })).toEqual([]);
    expect(judged({ users: [user, newcomer], password_links: [{ id: 'l2', user_key: 'u2' }] })).toEqual([]);
    const raised = { ...newcomer, role: 'Admin' };
    expect(judged({ users: [user, raised], password_links: [{ id: 'l2', user_key: 'u2' }] })).toHaveLength(2);
    expect(judged({ users: [user, newcomer] }, buildAuthority(['Admin'], ['create:teams']))).not.toEqual([]);
    expect(judged({ users: [user, { ...newcomer, role: 'Admin' }] })).not.toEqual([]);
  });

  test('a newcomer under the address of somebody who was removed, if it is more than an ordinary member', () => {
    const again = { ...user, key: 'u2' };
    expect(judged({ users: [again], password_links: [{ id: 'l2', user_key: 'u2' }] })).toEqual([]);
    expect(judged({ users: [{ ...again, role: 'Admin' }] })).not.toEqual([]);
    expect(judged({ users: [again] }, buildAuthority(['Admin'], ['delete:users']))).not.toEqual([]);
  });

  test('an approval of the own run', () => {
    const run = { id: 'r1', created_by: user.identifier, action_identifier: 'deploy' };
    const approval = { run_id: 'r1', user_id: user.identifier, gate: 'APPROVAL', state: 'APPROVED' };
    const everything = buildAuthority(['Admin']);
    expect(judged({ action_runs: [run], action_run_approvals: [approval] }, everything)).toHaveLength(1);
    const ofAnother = { ...approval, user_id: 'max@example.com' };
    expect(judged({ action_runs: [run], action_run_approvals: [ofAnother] }, everything)).toEqual([]);
  });
});

describe('what gives nobody more is not:', () => {
  test('another name of a blueprint', () => {
    const blueprint = first('blueprints');
    const moderator = { ...user, role: 'Moderator', moderated_blueprints: ['service'] };
    const before = { ...start, users: [moderator] };
    const after = {
      ...before,
      blueprints: [{ ...blueprint, identifier: 'renamed' }],
      users: [{ ...moderator, moderated_blueprints: ['renamed'] }],
    };
    const scopes = ['update:blueprints'];
    expect(judge({ ...attacker, authority: buildAuthority(['Admin'], scopes), rows: before }, after)).toEqual([]);
  });

  test('rights of nobody', () => {
    expect(
      readHoldings({ ...start, users: [{ ...user, status: 'Disabled', role: 'Admin' }] }).get(
        `user ${user.identifier}`,
      ),
    ).toEqual(nothing);
  });
});

function first(table: string): Row {
  return start[table]?.[0] ?? {};
}
