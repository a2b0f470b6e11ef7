import type { Entity } from '@portolan/contract/entities';
import { type Target, targetKey } from './settle-targets.ts';

/** Searches the entities of a blueprint; the portal and the command line bring their own client. */
export type SearchEntities = (
  blueprint: string,
  body: { readonly query: Readonly<Record<string, unknown>>; readonly limit: number },
) => Promise<readonly Entity[]>;

const identifiersMax = 100;

/** The entities among these that are in the catalog, by their keys. Those of blueprints that are not there are not. */
export async function readKnown(
  search: SearchEntities,
  targets: readonly Target[],
  blueprints: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Entity>> {
  const byBlueprint = new Map<string, Set<string>>();
  for (const { blueprint, identifier } of targets) {
    if (!blueprints.has(blueprint)) continue;
    byBlueprint.set(blueprint, (byBlueprint.get(blueprint) ?? new Set()).add(identifier));
  }
  const found = new Map<string, Entity>();
  for (const [blueprint, identifiers] of byBlueprint) {
    const all = [...identifiers];
    for (let from = 0; from < all.length; from += identifiersMax) {
      const value = all.slice(from, from + identifiersMax);
      const rules = [{ property: '$identifier', operator: 'in', value }];
      const entities = await search(blueprint, { query: { combinator: 'and', rules }, limit: identifiersMax });
      for (const entity of entities) found.set(targetKey({ blueprint, identifier: entity.identifier }), entity);
    }
  }
  return found;
}
