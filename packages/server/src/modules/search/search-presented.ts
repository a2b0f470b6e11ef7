import type { Entity } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import { presentEntities, type ReadDeps } from '../entities/index.ts';
import { type SearchInput, searchBlueprint } from './search-entities.ts';

interface Presented extends SearchInput {
  readonly include?: string[] | undefined;
  readonly exclude?: string[] | undefined;
}

/** One page of matching entities as the caller sees them. @throws AppError as `searchBlueprint` */
export async function searchPresented(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  { include, exclude, ...input }: Presented,
): Promise<{ entities: Partial<Entity>[]; next?: string }> {
  const { blueprint, entities, next } = await searchBlueprint(deps, actor, blueprintIdentifier, input);
  const narrowing = { include: dotted(include, blueprint), exclude: dotted(exclude, blueprint) };
  const presented = await presentEntities(deps, actor, blueprint, entities, narrowing);
  return { entities: presented, ...(next ? { next } : {}) };
}

function hasProperty(blueprint: StoredBlueprint, key: string): boolean {
  return Object.hasOwn(blueprintProperties(blueprint), key) || listDerivedKeys(blueprint).includes(key);
}

/** Bare property and relation keys, and `$meta` names, as the dotted names of the entity's JSON. */
export function dotted(names: readonly string[] | undefined, blueprint: StoredBlueprint): string[] | undefined {
  return names?.flatMap((name) => {
    if (name.startsWith('$')) return name.slice(1);
    if (name.startsWith('relations.')) return name;
    if (!Object.hasOwn(blueprintRelations(blueprint), name)) return `properties.${name}`;
    return hasProperty(blueprint, name) ? [`relations.${name}`, `properties.${name}`] : `relations.${name}`;
  });
}
