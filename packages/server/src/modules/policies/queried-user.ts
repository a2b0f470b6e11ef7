import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { findUserActor, teamNames } from '../accounts/index.ts';
import { findBlueprint, type StoredBlueprint } from '../blueprints/index.ts';

/** Whom a question about rights is about, and about which blueprint. */
export interface PermissionQuestion {
  readonly blueprint: StoredBlueprint;
  readonly actor: Actor;
  readonly isDisabled: boolean;
  /** How an answer shows the user. */
  readonly user: { readonly identifier: string; readonly roles: string[]; readonly teams: string[] };
}

/** @throws AppError `not_found` for a blueprint or user that the organization does not have */
export async function findQueriedUser(
  reader: Reader,
  asking: Actor,
  blueprintName: string,
  user: string,
): Promise<PermissionQuestion> {
  const blueprint = await findBlueprint(reader, asking.orgId, blueprintName);
  if (!blueprint) throw notFound('Blueprint', blueprintName);
  const found = await findUserActor(reader, asking, user);
  if (!found) throw notFound('User', user);
  const { actor, isDisabled } = found;
  const names = await teamNames(reader, actor.orgId, actor.model, actor.teamKeys);
  const teams = [...names.values()].sort();
  return { blueprint, actor, isDisabled, user: { identifier: user, roles: [...actor.roles], teams } };
}
