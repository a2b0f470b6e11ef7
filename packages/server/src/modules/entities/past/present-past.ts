import type { UnknownPart } from '@portolan/contract/as-of';
import type { Entity, EntityReadQuery } from '@portolan/contract/entities';
import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../platform/actor.ts';
import { presentEntities } from '../present-entities.ts';
import type { ReadDeps } from '../read-entities.ts';
import type { PastBlueprint, PastEntity } from './past.types.ts';

/** Entities of one blueprint as the API answers them, without what is unknown. */
export async function presentPast(
  deps: ReadDeps,
  actor: Actor,
  { blueprint }: PastBlueprint,
  entities: readonly PastEntity[],
  { include, exclude }: Partial<Pick<EntityReadQuery, 'include' | 'exclude'>> = {},
): Promise<Partial<Entity>[]> {
  const shown = await presentEntities(
    deps,
    actor,
    blueprint,
    entities.map(({ entity }) => entity),
    { include, exclude, exclude_calculated_properties: true },
  );
  return shown.map((entity, index) => withoutUnknown(entity, entities[index]?.unknown ?? []));
}

function withoutUnknown(entity: Partial<Entity>, unknown: readonly UnknownPart[]): Partial<Entity> {
  const left: Record<string, unknown> = { ...entity };
  for (const { path } of unknown) {
    const [head = '', ...rest] = path.split('.');
    const within = left[head];
    if (rest.length === 0) delete left[head];
    else if (isRecord(within)) {
      const { [rest.join('.')]: _unknown, ...others } = within;
      left[head] = others;
    }
  }
  return left;
}
