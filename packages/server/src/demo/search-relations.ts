import type { DemoEntity, DemoOrganization, RelationValue, SearchQuery } from './types.ts';

/**
 * The entities with every search in a relation replaced by the identifier it finds, or by null. For writers that take
 * identifiers only; the API resolves such searches itself.
 */
export function withPlainRelations({ entities, users }: DemoOrganization): DemoEntity[] {
  const known = new Set([...users, ...entities].map((one) => one.identifier));
  return entities.map((entity) => ({
    ...entity,
    relations: Object.fromEntries(
      Object.entries(entity.relations).map(([key, value]) => [
        key,
        isSearch(value) ? soughtIdentifier(value, known) : value,
      ]),
    ),
  }));
}

export function isSearch(value: RelationValue): value is SearchQuery {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The demo's searches all have the form `$identifier = x`. */
function soughtIdentifier(query: SearchQuery, known: ReadonlySet<string>): string | null {
  const [rule] = query.rules;
  if (rule === undefined || !('value' in rule) || typeof rule.value !== 'string') return null;
  return known.has(rule.value) ? rule.value : null;
}
