import sql, { type Sql } from 'sql-template-tag';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';

/**
 * Which entities of a readable blueprint the caller may read. Prompts are personal: of invocations, people see their
 * own and those of agents their teams own; administrators and moderators see all (decisions, Invocations).
 */
export function readCondition(actor: Actor, blueprint: StoredBlueprint): Sql {
  if (!isNarrowed(actor, blueprint)) return sql`true`;
  const asked = actor.userId === undefined ? sql`false` : sql`e.relations ->> 'asked_by' = ${actor.userId}`;
  return sql`(${asked} or e.created_by = ${actor.id} or e.team_refs && ${actor.teamKeys}::text[])`;
}

/** Whether the caller may read only some entities of the blueprint. */
export function isNarrowed(actor: Actor, blueprint: StoredBlueprint): boolean {
  return (
    blueprint.identifier === '_ai_invocations' && !isAdmin(actor) && !actor.roles.includes('_ai_invocations-moderator')
  );
}
