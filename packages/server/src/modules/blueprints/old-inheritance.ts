import type { BlueprintBody, BlueprintPatch } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from './blueprint.ts';

type Current = Pick<StoredBlueprint, 'definition'> | undefined;

/**
 * What a writer of before the migration of users and teams means. It says `teamInheritance` and knows nothing of `ownership`:
 * leaving that out takes nothing away, and what it says of teams has no effect any more.
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
 * What was sent and has no effect, for the answer to whoever sent it: clients compare the answer with what they wrote. It is not
 * kept, so reads do not show it; the Terraform provider keeps what it knows where a read says nothing.
 */
export function echoOf(
  { model }: Pick<Actor, 'model'>,
  { teamInheritance }: BlueprintBody | BlueprintPatch,
): Pick<BlueprintBody, 'teamInheritance'> {
  return model === 'blueprints' && teamInheritance ? { teamInheritance } : {};
}

/** What the author of a definition should know of what became of its teams. */
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
  // null says it; leaving it out may be a file of before the migration
  if (!had || definition.ownership !== undefined || body.ownership === null) return [];
  return [
    'The blueprint has no ownership any more, since a PUT says everything, and inherits no teams. Write ownership to give it back',
  ];
}
