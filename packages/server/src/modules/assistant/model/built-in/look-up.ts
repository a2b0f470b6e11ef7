import { byLikeness, type EntityInfo, isNamed, readPage } from './catalog.ts';
import { failure, missing, type Offered, type Plan } from './plan-steps.ts';

/**
 * Entities by name, the likeliest first; a sentence if they cannot be looked up. A name of several words is tried
 * again without its last and its first, which are often the type ("the billing-api service").
 */
export function* lookUp(name: string, offered: Offered, blueprint?: string): Plan<EntityInfo[] | string> {
  if (!offered.has('search_entities')) return missing('search_entities');
  const words = name.split(' ');
  const tries = words.length > 1 ? [name, words.slice(0, -1).join(' '), words.slice(1).join(' ')] : [name];
  for (const text of tries) {
    const args = { ...(blueprint ? { blueprint } : {}), query: { combinator: 'and', rules: [] }, text, limit: 10 };
    const reply = yield { name: 'search_entities', args };
    if (reply.isError) return failure('search_entities', reply);
    const { entities } = readPage(reply.content);
    if (entities.length > 0) return byLikeness(entities, text);
  }
  return [];
}

/** The entities that bear a name: all with exactly that name, else the few that are like it. */
export function namedOr(entities: readonly EntityInfo[], name: string): readonly EntityInfo[] {
  const exact = entities.filter((entity) => isNamed(entity, name));
  return exact.length > 0 ? exact : entities.slice(0, 5);
}
