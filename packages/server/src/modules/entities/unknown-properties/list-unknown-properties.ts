import type { UnknownBlueprintProperty } from '@portolan/contract/unknown-properties';
import type { Actor } from '../../../platform/actor.ts';
import { blueprintProperties, listDerivedKeys, type StoredBlueprint } from '../../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../read-entities.ts';
import { listUnknownRows, type UnknownProperty } from './unknown-property.store.ts';

/** Properties that integrations and webhooks sent and the blueprint lacks, most recent first. */
export async function listUnknownProperties(
  deps: ReadDeps,
  actor: Actor,
  identifier: string,
): Promise<UnknownBlueprintProperty[]> {
  const blueprint = await readableBlueprint(deps, actor, identifier);
  const missing = (await listUnknownRows(deps.database, blueprint)).filter((row) => isMissing(blueprint, row));
  const byName = new Map<string, UnknownProperty[]>();
  for (const row of missing) byName.set(row.property, [...(byName.get(row.property) ?? []), row]);
  return [...byName].map(([property, rows]) => ({
    property,
    guess: (rows[0] as UnknownProperty).guess,
    sources: rows.map(({ datasource, firstSeen, lastSeen }) => ({
      datasource,
      firstSeen: firstSeen.toISOString(),
      lastSeen: lastSeen.toISOString(),
    })),
  }));
}

/** Whether it is still missing. */
function isMissing(blueprint: StoredBlueprint, { property }: UnknownProperty): boolean {
  return !Object.hasOwn(blueprintProperties(blueprint), property) && !listDerivedKeys(blueprint).includes(property);
}
