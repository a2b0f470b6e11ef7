import { scopes } from '@portolan/contract/scopes';
import { expect, test } from 'vitest';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { callerScopes } from './caller-scopes.ts';

const caller = (role: string, restricted?: readonly string[]): Actor => ({
  ...systemActor('org-1'),
  roles: [role],
  ...(restricted && { scopes: restricted }),
});

test('an administrator may everything that the token is not kept from', () => {
  expect(callerScopes(caller('Admin'))).toEqual(scopes);
  expect(callerScopes(caller('Admin', ['read:users', 'update:*']))).toEqual(
    ['read:users', ...scopes.filter((scope) => scope.startsWith('update:'))].sort(
      (one, other) => scopes.indexOf(one) - scopes.indexOf(other),
    ),
  );
});

test('a member may what is not for administrators alone', () => {
  const own = callerScopes(caller('Member'));
  expect(own).toEqual(expect.arrayContaining(['read:entities', 'create:entities', 'execute:actions', 'invoke:ai']));
  for (const scope of ['delete:secrets', 'create:apps', 'update:webhooks']) expect(own).not.toContain(scope);
  expect(callerScopes(caller('Member', ['read:entities', 'create:apps']))).toEqual(['read:entities']);
});
