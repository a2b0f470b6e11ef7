import type { BlueprintBody } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from './blueprint.ts';

/**
 * What a writer of before the migration of users and teams means by a whole blueprint. It says `teamInheritance` and knows
 * nothing of `ownership`: leaving that out takes nothing away, and what it says of teams has no effect any more.
 */
export function withoutOldInheritance(
  { model }: Pick<Actor, 'model'>,
  current: Pick<StoredBlueprint, 'definition'>,
  body: BlueprintBody,
): BlueprintBody {
  if (model !== 'blueprints' || body.teamInheritance === undefined) return body;
  const { teamInheritance: _old, ...rest } = body;
  const { ownership } = current.definition;
  return { ...rest, ...(rest.ownership === undefined && ownership ? { ownership } : {}) };
}

/** What its author should know of an old definition that was written. */
export function oldInheritanceWarnings(
  body: Pick<BlueprintBody, 'teamInheritance' | 'ownership'>,
  { definition }: Pick<StoredBlueprint, 'definition'>,
): string[] {
  if (!body.teamInheritance || definition.teamInheritance !== undefined) return [];
  const kept = body.ownership === undefined ? '; the ownership of the blueprint stays as it was' : '';
  return [`teamInheritance has no effect since users and teams are blueprints${kept}. Write ownership instead`];
}
