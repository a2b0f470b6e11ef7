import { expect, test } from 'vitest';
import { freshPolicies, freshRights, rightsChange } from './rights.ts';

test('only what was changed is sent, and a policy that is gone is sent as null', () => {
  expect(rightsChange(freshRights, { ...freshRights })).toBeUndefined();
  const withPolicy = { ...freshRights, execute: { ...freshRights.execute, policy: freshPolicies.execute } };
  expect(rightsChange(freshRights, withPolicy)).toEqual({ execute: withPolicy.execute });
  expect(rightsChange(withPolicy, freshRights)).toMatchObject({ execute: { policy: null } });
});
