import { byLikeness, type EntityInfo, isNamed, readPage } from './catalog.ts';
import { failure, missing, type OfferedTools, type Plan } from './plan-steps.ts';

/** Matches of a name or a part of it; `name` is the part found. */
export interface FoundEntities {
  readonly entities: readonly EntityInfo[];
  readonly name: string;
}

/** Excludes invocations: their titles are questions, so a question would match itself. */
const notAsked = {
  combinator: 'and',
  rules: [{ property: '$blueprint', operator: '!=', value: '_ai_invocations' }],
};

/** The only match, or the first whose name is exactly equal. */
export function theOne({ entities, name }: FoundEntities): EntityInfo | undefined {
  const [first] = entities;
  return first && (entities.length === 1 || isNamed(first, name)) ? first : undefined;
}

/**
 * Entities by name, best first; a sentence if lookup is impossible. A name of several words is retried without its last
 * and its first word, which are often the type ("the billing-api service").
 */
export function* lookUp(name: string, offered: OfferedTools, blueprint?: string): Plan<FoundEntities | string> {
  if (!offered.has('search_entities')) return missing('search_entities');
  const words = name.split(' ');
  const tries = words.length > 1 ? [name, words.slice(0, -1).join(' '), words.slice(1).join(' ')] : [name];
  for (const text of tries) {
    const args = {
      ...(blueprint ? { blueprint } : {}),
      query: blueprint ? { combinator: 'and', rules: [] } : notAsked,
      text: text.slice(0, 200),
      limit: 50,
    };
    const reply = yield { name: 'search_entities', args };
    if (reply.isError) return failure('search_entities', reply);
    const { entities } = readPage(reply.content);
    if (entities.length > 0) return { entities: namedOr(byLikeness(entities, text), text), name: text };
  }
  return { entities: [], name };
}

/** All entities with exactly that name, else the few most similar. */
function namedOr(entities: readonly EntityInfo[], name: string): readonly EntityInfo[] {
  const exact = entities.filter((entity) => isNamed(entity, name));
  return exact.length > 0 ? exact : entities.slice(0, 5);
}
