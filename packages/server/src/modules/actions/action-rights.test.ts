import { expect, test } from 'vitest';
import { type Actor, systemActor } from '../../platform/actor.ts';
import type { ActionGrant } from './action.ts';
import { mightBeGranted } from './action-rights.ts';

const member: Actor = { ...systemActor('org_1'), kind: 'person', id: 'kim', roles: ['Member'], teamKeys: ['crew'] };
const policy = {} as NonNullable<ActionGrant['policy']>;

test.each<[string, ActionGrant, Partial<Actor>, boolean]>([
  ['a role of the actor', { roles: ['Member'] }, {}, true],
  ['another role', { roles: ['Moderator'] }, {}, false],
  ['nobody', {}, {}, false],
  ['nobody, to an administrator', {}, { roles: ['Admin'] }, true],
  ['whom a policy names', { policy }, {}, true],
  ['owners, to somebody with a team', { ownedByTeam: true }, {}, true],
  ['owners, to somebody without', { ownedByTeam: true }, { teamKeys: [] }, false],
])('a grant to %s', async (_name, grant, more, isPossible) => {
  const action = { rights: { execute: grant, approve: {} } };
  expect(mightBeGranted({ ...member, ...more }, action, 'execute')).toBe(isPossible);
});
