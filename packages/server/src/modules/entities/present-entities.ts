import type { Entity, EntityReadQuery } from '@portolan/contract/entities';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { hiddenValues } from '../access/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';
import { attachTitleMirrors } from './attach-title-mirrors.ts';
import { attachTitles } from './attach-titles.ts';
import { noteEntityTexts } from './note-texts.ts';
import { presentEntity } from './present-entity.ts';

/** Presents entities to one caller; those of other blueprints are left out. */
export type Presenter = (entities: readonly ReadEntity[]) => Promise<Partial<Entity>[]>;

/** Presents entities with the options' parts. What the caller may not see is decided once per blueprint. */
export async function createPresenter(
  deps: SearchDeps,
  actor: Actor,
  blueprints: ReadonlyMap<number, StoredBlueprint>,
  options: Partial<EntityReadQuery> = {},
): Promise<Presenter> {
  const hiddenOf = await hiddenFor(deps, actor, [...blueprints.values()], options);
  return async (entities) => {
    const known = entities.flatMap((entity) => {
      const blueprint = blueprints.get(entity.blueprintKey);
      return blueprint ? [{ entity, blueprint }] : [];
    });
    await noteEntityTexts(
      deps.database,
      actor,
      blueprints.values(),
      known.map(({ entity }) => entity),
    );
    let shown: Record<string, unknown>[] = known.map(({ entity, blueprint }) =>
      presentEntity(hiding(entity, hiddenOf(blueprint)), blueprint, options),
    );
    const shownOf = known.map(({ entity }) => entity);
    if (options.attach_identifier_to_title_mirror_properties) {
      shown = await attachTitleMirrors(deps, actor, known, shown, hiddenOf);
    }
    if (options.attach_title_to_relation) shown = await attachTitles(deps, actor, shownOf, shown);
    return shown as Partial<Entity>[];
  };
}

/** The same for entities of one blueprint. */
export async function presentEntities(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  entities: readonly ReadEntity[],
  options: Partial<EntityReadQuery> = {},
): Promise<Partial<Entity>[]> {
  const present = await createPresenter(deps, actor, new Map([[blueprint.key, blueprint]]), options);
  return present(entities);
}

type HiddenKeysReader = (blueprint: StoredBlueprint) => ReadonlySet<string>;

const nothing: ReadonlySet<string> = new Set();

async function hiddenFor(
  { database }: SearchDeps,
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
  { exclude_calculated_properties: withoutComputed }: Partial<EntityReadQuery>,
): Promise<HiddenKeysReader> {
  const computes = blueprints.some(
    ({ definition }) => definition.mirrorProperties ?? definition.aggregationProperties ?? undefined,
  );
  if (isUnlimited(actor) || withoutComputed || !computes) return () => nothing;
  return hiddenValues(actor, await listBlueprintRows(database, actor.orgId));
}

function hiding(entity: ReadEntity, hidden: ReadonlySet<string>): ReadEntity {
  if (hidden.size === 0) return entity;
  const derived = Object.fromEntries(Object.entries(entity.derived).filter(([key]) => !hidden.has(key)));
  return { ...entity, derived };
}
