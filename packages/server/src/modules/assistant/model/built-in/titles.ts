import { displayTitle } from './catalog.ts';
import type { OfferedTools, Plan } from './plan-steps.ts';
import { searchPage } from './search-page.ts';

const titlesMax = 100;

/** The titles of entities by identifier; those that the caller may not read keep their identifier. */
export function* readTitles(
  blueprint: string,
  identifiers: readonly string[],
  offered: OfferedTools,
): Plan<ReadonlyMap<string, string>> {
  if (identifiers.length === 0 || !offered.has('search_entities')) return new Map();
  const rules = [{ property: '$identifier', operator: 'in', value: identifiers.slice(0, titlesMax) }];
  const { entities } = yield* searchPage(
    { blueprint, query: { combinator: 'and', rules }, include: [], limit: titlesMax },
    offered,
  );
  return new Map(entities.map((entity) => [entity.identifier, displayTitle(entity)]));
}

export function* teamTitles(teams: readonly string[], offered: OfferedTools): Plan<ReadonlyMap<string, string>> {
  return yield* readTitles('_team', teams, offered);
}
