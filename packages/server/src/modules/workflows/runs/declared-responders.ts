import type { Reader } from '../../../platform/db/database.ts';
import { findUsersByKey } from '../../accounts/index.ts';
import type { WorkflowNode } from '../definitions/workflow.ts';

interface Declared {
  readonly users?: readonly string[] | null;
  readonly roles?: readonly string[] | null;
  readonly teams?: readonly string[] | null;
  readonly usersQuery?: unknown;
}

/** Whom a step asks, as written. Where it names nobody and asks for nobody, administrators are meant. */
export function declaredResponders({ config }: WorkflowNode) {
  const { users, roles, teams, usersQuery } = (config['responders'] ?? {}) as Declared;
  const lists = { users: users ?? [], roles: roles ?? [], teams: teams ?? [] };
  return {
    ...lists,
    usersQuery,
    isNobody: !usersQuery && Object.values(lists).every((list) => list.length === 0),
    excludesRequester: config['excludeRequester'] === true,
  };
}

/** People are named by address, or by id. */
export async function findAddresses(
  { database }: { readonly database: Reader },
  orgId: string,
  users: readonly string[],
): Promise<string[]> {
  const found = await findUsersByKey(database, orgId, users);
  const byKey = new Map(found.map(({ key, identifier }) => [key, identifier]));
  return users.map((each) => (byKey.get(each) ?? each).toLowerCase());
}
