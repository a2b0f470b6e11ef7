import type { EntityInfo } from './catalog.ts';
import type { Field } from './schema.ts';

/** What an entity has in a field, as its tool answered it. */
export function fieldValue(entity: EntityInfo, { key, kind }: Field): unknown {
  if (key === '$createdAt') return entity.createdAt;
  if (key === '$updatedAt') return entity.updatedAt;
  return kind === 'relation' ? entity.relations?.[key] : entity.properties?.[key];
}
