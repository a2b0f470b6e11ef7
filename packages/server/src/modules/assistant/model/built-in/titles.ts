import { displayTitle } from './catalog.ts';
import type { Referred } from './cite.ts';
import type { OfferedTools, Plan } from './plan-steps.ts';
import { searchPage } from './search-page.ts';

/** A title and where it was read. */
export interface Titled extends Referred {
  readonly title: string;
}

const titlesMax = 100;

/** The titles of entities by identifier; those that the caller may not read keep their identifier. */
export function* readTitles(
  blueprint: string,
  identifiers: readonly string[],
  offered: OfferedTools,
): Plan<ReadonlyMap<string, Titled>> {
  if (identifiers.length === 0 || !offered.has('search_entities')) return new Map();
  const rules = [{ property: '$identifier', operator: 'in', value: identifiers.slice(0, titlesMax) }];
  const { entities } = yield* searchPage(
    { blueprint, query: { combinator: 'and', rules }, include: [], limit: titlesMax },
    offered,
  );
  return new Map(entities.map((entity) => [entity.identifier, { title: displayTitle(entity), _ref: entity._ref }]));
}

export function* teamTitles(teams: readonly string[], offered: OfferedTools): Plan<ReadonlyMap<string, Titled>> {
  return yield* readTitles('_team', teams, offered);
}
