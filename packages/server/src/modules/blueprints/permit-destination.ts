import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../platform/actor.ts';
import { requireEntities } from '../../platform/scopes.ts';
import type { BlueprintDefinition } from './blueprint.ts';

type WithDestination = Pick<BlueprintDefinition, 'changelogDestination'>;

/**
 * Whoever sets a destination reads the changes sent there.
 * @throws AppError `insufficient_scope` for a new destination and a token that may not read entities
 */
export function permitDestination(actor: Actor, before: WithDestination | undefined, after: WithDestination): void {
  const { changelogDestination } = after;
  if (!changelogDestination || isDeepStrictEqual(changelogDestination, before?.changelogDestination)) return;
  requireEntities(actor);
}
