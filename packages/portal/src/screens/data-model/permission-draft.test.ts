import { expect, test } from 'vitest';
import { type Permissions, permissionChange, readPermissions } from './permission-draft.ts';

const grant = { roles: ['Admin'], users: [], teams: [], ownedByTeam: false };
const rights: Permissions = {
  entities: {
    read: grant,
    register: grant,
    update: { ...grant, policy: { combinator: 'and', rules: [] } } as never,
    unregister: grant,
    updateProperties: { a: grant },
    updateRelations: {},
  },
};

test('only what changed is sent, and a policy that is gone is taken away', () => {
  expect(permissionChange(rights, rights)).toEqual({ entities: {} });
  const after = {
    entities: {
      ...rights.entities,
      update: grant,
      updateProperties: { a: { ...grant, ownedByTeam: true } },
    },
  };
  expect(permissionChange(rights, after)).toEqual({
    entities: { update: { ...grant, policy: null }, updateProperties: { a: { ...grant, ownedByTeam: true } } },
  });
});

test('a text that is no set of rights says why', () => {
  expect(readPermissions(JSON.stringify(rights))).toEqual({ permissions: rights });
  for (const text of ['{', '{}', '{"entities":{"read":{}}}']) expect('problem' in readPermissions(text)).toBe(true);
});
