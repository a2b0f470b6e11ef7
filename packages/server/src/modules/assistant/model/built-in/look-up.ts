import { byLikeness, type EntityInfo, isNamed, readPage } from './catalog.ts';
import { failure, missing, type Offered, type Plan } from './plan-steps.ts';

/** What bears a name, or part of it; `name` is the part that was found. */
export interface Found {
  readonly entities: readonly EntityInfo[];
  readonly name: string;
}

/** Everything but invocations: their titles are what people asked, so a question would find itself. */
const notAsked = {
  combinator: 'and',
  rules: [{ property: '$blueprint', operator: '!=', value: '_ai_invocations' }],
};

/** The one thing that was meant: the only one found, or the first with exactly the name. */
export function theOne({ entities, name }: Found): EntityInfo | undefined {
  const [first] = entities;
  return first && (entities.length === 1 || isNamed(first, name)) ? first : undefined;
}

/**
 * Entities by name, the likeliest first; a sentence if they cannot be looked up. A name of several words is tried
 * again without its last and its first, which are often the type ("the billing-api service").
 */
export function* lookUp(name: string, offered: Offered, blueprint?: string): Plan<Found | string> {
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

/** All with exactly that name, else the few that are like it. */
function namedOr(entities: readonly EntityInfo[], name: string): readonly EntityInfo[] {
  const exact = entities.filter((entity) => isNamed(entity, name));
  return exact.length > 0 ? exact : entities.slice(0, 5);
}
