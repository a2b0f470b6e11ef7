import type { TableBlueprint } from '@portolan/tables';
import type { StoredBlueprint } from '../../blueprints/index.ts';

/** The blueprint as tables are read by it. */
export function tableBlueprint({ identifier, definition }: StoredBlueprint): TableBlueprint {
  const { schema, relations, title } = definition;
  return { identifier, schema, relations, ...(title ? { title } : {}) };
}
