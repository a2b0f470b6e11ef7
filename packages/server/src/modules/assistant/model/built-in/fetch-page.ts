import { type BlueprintInfo, type EntityInfo, type EntityPage, namesIn, readPage, type SearchRule } from './catalog.ts';
import { failure, missing, type OfferedTools, type Plan } from './plan-steps.ts';

export interface PageRequest {
  readonly blueprint: BlueprintInfo | undefined;
  readonly rules: readonly SearchRule[];
  /** Only entities linked to this one. */
  readonly related: EntityInfo | undefined;
  readonly limit: number;
}

export interface FetchedPage {
  readonly page: EntityPage;
  readonly notes: readonly string[];
}

/** Entities scanned when no offered tool can filter. */
const scannedMax = 200;

/** One page by any tool that delivers one: a list, a search, or a list filtered here. A sentence if none does. */
export function* fetchPage(request: PageRequest, offered: OfferedTools): Plan<FetchedPage | string> {
  const { blueprint, rules, related, limit } = request;
  const type = blueprint ? { blueprint: blueprint.identifier } : {};
  if (blueprint && rules.length === 0 && !related && offered.has('list_entities')) {
    const reply = yield { name: 'list_entities', args: { ...type, limit } };
    return reply.isError ? failure('list_entities', reply) : { page: readPage(reply.content), notes: [] };
  }
  if (offered.has('search_entities')) {
    const linked = related ? [linkRule(related)] : [];
    const query = { combinator: 'and', rules: [...rules, ...linked] };
    const reply = yield { name: 'search_entities', args: { ...type, query, limit: related ? 100 : limit } };
    if (!reply.isError) return directOnly(readPage(reply.content), request);
    if (!related) return failure('search_entities', reply);
    const wider = yield { name: 'search_entities', args: { ...type, query: { combinator: 'and', rules }, limit: 100 } };
    return wider.isError ? failure('search_entities', wider) : directOnly(readPage(wider.content), request);
  }
  if (!blueprint) return missing('search_entities');
  const reply = yield { name: 'list_entities', args: { ...type, limit: scannedMax } };
  if (reply.isError) return failure('list_entities', reply);
  const all = readPage(reply.content);
  const entities = all.entities.filter((entity) => rules.every((rule) => holds(entity, rule)));
  const isPart = all.total > all.entities.length;
  const notes = isPart
    ? [`I looked at ${all.entities.length} of ${all.total}; \`search_entities\` is not on offer.`]
    : [];
  return { page: { total: entities.length, entities }, notes };
}

function linkRule(entity: EntityInfo): SearchRule {
  return { operator: 'relatedTo', blueprint: entity.blueprint ?? '', value: entity.identifier };
}

/** The search follows relations of any length; if the type has a direct relation to the entity, only that is meant. */
function directOnly(page: EntityPage, { blueprint, related }: PageRequest): FetchedPage {
  if (!related || !blueprint) return { page, notes: [] };
  const keys = Object.entries(blueprint.relations ?? {})
    .filter(([, { target }]) => target === related.blueprint)
    .map(([key]) => key);
  if (keys.length === 0) return { page, notes: [] };
  const names = [related.identifier, related.title ?? ''];
  const entities = page.entities.filter((entity) =>
    keys.some((key) => namesIn(entity.relations?.[key]).some((name) => names.includes(name))),
  );
  const isPart = page.total > page.entities.length;
  return {
    page: { total: entities.length, entities },
    notes: isPart ? [`I looked at ${page.entities.length} of ${page.total}.`] : [],
  };
}

function holds(entity: EntityInfo, { property, operator, value }: SearchRule): boolean {
  if (property === '$team') {
    const teams = namesIn(entity.team);
    if (operator === 'isEmpty') return teams.length === 0;
    return Array.isArray(value) && teams.some((team) => value.includes(team));
  }
  const actual = entity.properties?.[property ?? ''] ?? entity.relations?.[property ?? ''] ?? null;
  switch (operator) {
    case 'isEmpty':
      return actual === null;
    case '=':
      return actual === value;
    case 'in':
      return Array.isArray(value) && value.includes(actual);
    case 'containsAny':
      return Array.isArray(actual) && Array.isArray(value) && value.some((item) => actual.includes(item));
    case '>':
      return typeof actual === 'number' && actual > Number(value);
    case '<':
      return typeof actual === 'number' && actual < Number(value);
    case '>=':
      return typeof actual === 'number' && actual >= Number(value);
    case '<=':
      return typeof actual === 'number' && actual <= Number(value);
    default:
      return true;
  }
}
