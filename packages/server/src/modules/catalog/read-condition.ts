import sql, { type Sql } from 'sql-template-tag';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { reachOf } from '../identity/index.ts';
import type { StoredEntity } from './entity.ts';

/**
 * Which entities of a blueprint the caller may read: all, those owned by the caller's teams, or none. Prompts are
 * personal: of invocations, people see their own and those of agents their teams own; administrators and moderators see
 * all (decisions, Invocations).
 */
export function readCondition(actor: Actor, blueprint: StoredBlueprint): Sql {
  if (isPersonal(actor, blueprint)) {
    const asked = actor.userId === undefined ? sql`false` : sql`e.relations ->> 'asked_by' = ${actor.userId}`;
    return sql`(${asked} or e.created_by = ${actor.id} or e.team_refs && ${actor.teamKeys}::text[])`;
  }
  const reach = reachOf(actor, 'read', blueprint);
  if (reach === 'all') return sql`true`;
  return reach === 'none' ? sql`false` : sql`e.team_refs && ${actor.teamKeys}::text[]`;
}

/** Whether the caller may read one entity: what `readCondition` says of it. */
export function isVisible(actor: Actor, blueprint: StoredBlueprint, entity: StoredEntity): boolean {
  const isOwned = entity.teamRefs.some((team) => actor.teamKeys.includes(team));
  if (isPersonal(actor, blueprint)) {
    const isAsker = actor.userId !== undefined && entity.relations['asked_by'] === actor.userId;
    return isAsker || entity.createdBy === actor.id || isOwned;
  }
  const reach = reachOf(actor, 'read', blueprint);
  return reach === 'all' || (reach === 'owned' && isOwned);
}

/** Whether the caller may read only some entities of the blueprint, or none. */
export function isNarrowed(actor: Actor, blueprint: StoredBlueprint): boolean {
  return isPersonal(actor, blueprint) || reachOf(actor, 'read', blueprint) !== 'all';
}

function isPersonal(actor: Actor, blueprint: StoredBlueprint): boolean {
  return (
    blueprint.identifier === '_ai_invocations' && !isAdmin(actor) && !actor.roles.includes('_ai_invocations-moderator')
  );
}
