import type { BlueprintBody, BlueprintPatch } from '@portolan/contract/blueprints';
import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from './blueprint.ts';

type Current = Pick<StoredBlueprint, 'definition'> | undefined;

/**
 * Interprets writers from before the migration of users and teams, which send `teamInheritance` and no `ownership`:
 * omitting that removes nothing, and `teamInheritance` has no effect.
 */
export function withoutOldInheritance<Body extends BlueprintBody | BlueprintPatch>(
  { model }: Pick<Actor, 'model'>,
  current: Current,
  body: Body,
): Body {
  if (model !== 'blueprints' || body.teamInheritance === undefined) return body;
  const { teamInheritance: _old, ...rest } = body;
  const ownership = body.ownership === undefined ? current?.definition.ownership : undefined;
  return { ...rest, ...(ownership ? { ownership } : {}) } as Body;
}

/**
 * Ineffective fields that were sent, for the answer: clients compare it with what they wrote. They are not stored, so
 * reads omit them; the Terraform provider then keeps what it knows.
 */
export function echoInheritance(
  { model }: Pick<Actor, 'model'>,
  { teamInheritance }: BlueprintBody | BlueprintPatch,
): Pick<BlueprintBody, 'teamInheritance'> {
  return model === 'blueprints' && teamInheritance ? { teamInheritance } : {};
}

/** Warnings about the teams of a definition. */
export function ownershipWarnings(
  { model }: Pick<Actor, 'model'>,
  current: Current,
  body: BlueprintBody | BlueprintPatch,
  { definition }: Pick<StoredBlueprint, 'definition'>,
): string[] {
  if (model !== 'blueprints') return [];
  const had = current?.definition.ownership !== undefined;
  if (body.teamInheritance) {
    const kept = body.ownership !== undefined ? '' : had ? '; the ownership of the blueprint stays as it was' : '';
    return [`teamInheritance has no effect since users and teams are blueprints${kept}. Write ownership instead`];
  }
  // null means it; omitting it may come from a file older than the migration
  if (!had || definition.ownership !== undefined || body.ownership === null) return [];
  return [
    'The blueprint has no ownership any more, since a PUT says everything, and inherits no teams. Write ownership to give it back',
  ];
}
