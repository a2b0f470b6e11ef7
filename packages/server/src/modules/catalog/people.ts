import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { putPerson, putTeam, removePerson, removeTeam } from '../identity/index.ts';
import type { StoredEntity } from './entity.ts';

/** Users and teams of `identity` follow the entities that stand for them, in the same transaction. */
export async function syncPeople(
  work: Work,
  blueprint: StoredBlueprint,
  written: readonly StoredEntity[],
): Promise<void> {
  if (blueprint.identifier === '_team') {
    for (const { identifier, title, properties } of written) {
      await putTeam(work, { identifier, title, description: textOf(properties['description']) });
    }
  }
  if (blueprint.identifier === '_user') {
    for (const { identifier, title, properties, ownTeamRefs } of written) {
      await putPerson(work, {
        identifier,
        title,
        status: textOf(properties['status']) ?? 'Staged',
        role: textOf(properties['port_role']) ?? 'Member',
        type: textOf(properties['port_type']) ?? 'Standard',
        moderatedBlueprints: (properties['moderated_blueprints'] as string[] | undefined) ?? [],
        teamKeys: ownTeamRefs,
      });
    }
  }
}

/** Users and teams whose entities are gone are gone. */
export async function forgetPeople(work: Work, blueprint: string, identifiers: readonly string[]): Promise<void> {
  for (const identifier of identifiers) {
    if (blueprint === '_team') await removeTeam(work, identifier);
    if (blueprint === '_user') await removePerson(work, identifier);
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
