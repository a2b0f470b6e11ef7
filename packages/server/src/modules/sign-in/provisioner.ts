import { type Actor, systemActor } from '../../platform/actor.ts';

/**
 * Acts where a sign-in or the identity provider changes users and teams: with an administrator's rights and bound by the
 * rules of users (seats, the last administrator), which the platform itself is not.
 */
export function provisionerOf({ orgId, model }: Pick<Actor, 'orgId' | 'model'>, reason: 'sign-in' | 'sso'): Actor {
  return {
    ...systemActor(orgId, model),
    kind: 'machine',
    datasource: `portolan-${reason}`,
    ...(reason === 'sso' ? { provisioner: 'sso' } : {}),
  };
}
