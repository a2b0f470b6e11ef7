import { type Actor, systemActor } from '../../platform/actor.ts';

/**
 * Actor of changes by a sign-in or the identity provider: an administrator's rights, but bound by the rules of users
 * (seats, the last administrator), unlike the platform itself.
 */
export function provisioningActor({ orgId, model }: Pick<Actor, 'orgId' | 'model'>, reason: 'sign-in' | 'sso'): Actor {
  return {
    ...systemActor(orgId, model),
    kind: 'machine',
    datasource: `portolan-${reason}`,
    ...(reason === 'sso' ? { provisioner: 'sso' } : {}),
  };
}
