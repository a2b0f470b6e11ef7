import * as analytics from '@portolan/contract/analytics';
import * as entities from '@portolan/contract/entities';
import * as related from '@portolan/contract/entity-timeline';
import * as contract from '@portolan/contract/search';
import { JsonStreamAnswer } from '../../platform/http/json-stream.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { createPresenter, type PastDeps, shownParts } from '../entities/index.ts';
import { aggregateEntities } from './aggregate-entities.ts';
import { aggregateOverTime } from './aggregate-over-time.ts';
import { countEachValue } from './count-each-value.ts';
import { countRelated } from './count-related.ts';
import { countValues } from './count-values.ts';
import { type DatasourceDeps, searchByDatasource } from './datasource-search.ts';
import { groupBlueprint } from './group-entities.ts';
import { propertiesHistory } from './properties-history.ts';
import { countBlueprint } from './search-entities.ts';
import { searchPast } from './search-past.ts';
import { searchPresented } from './search-presented.ts';
import { streamSearch } from './stream-search.ts';
import { readTimeline, type TimelineDeps } from './timeline/read-timeline.ts';
import { topSearch } from './top-search.ts';

export function searchRoutes(deps: DatasourceDeps & TimelineDeps & PastDeps): Route[] {
  return [
    route(contract.searchEntities, async ({ query, body }, { actor, log }) => {
      const { allow_partial_results: isPartialAllowed, ...options } = query;
      const search = await streamSearch(deps, actor, body, options, isPartialAllowed, log);
      return new JsonStreamAnswer('entities', search.parts, { tail: search.tail });
    }),
    route(contract.searchBlueprintEntities, ({ params, body: { as_of: asOf, ...search } }, { actor }) =>
      asOf === undefined
        ? searchPresented(deps, actor, params.blueprint_identifier, search)
        : searchPast(deps, actor, params.blueprint_identifier, asOf, search),
    ),
    route(entities.countEntities, async ({ params }, { actor }) => {
      return { count: await countBlueprint(deps, actor, params.blueprint_identifier) };
    }),
    route(related.getEntityTimeline, ({ params, query }, { actor }) =>
      readTimeline(deps, actor, params.blueprint_identifier, params.entity_identifier, query),
    ),
    route(related.countRelated, async ({ params }, { actor }) => ({
      counts: await countRelated(deps, actor, params.blueprint_identifier, params.entity_identifier),
    })),
    route(contract.searchByDatasource, async ({ query, body }, { actor }) => {
      const { datasource_prefix: prefix, datasource_suffix: suffix, ...page } = body;
      const { parts, blueprints, next } = await searchByDatasource(deps, actor, { prefix, suffix, ...page });
      const present = await createPresenter(deps, actor, blueprints, query);
      return new JsonStreamAnswer('entities', shownParts(parts, present), { tail: () => (next ? { next } : {}) });
    }),
    route(contract.topSearch, async ({ body }, { actor }) => {
      const { entities, blueprints } = await topSearch(deps, actor, body);
      const found = entities.map(({ identifier, title, icon, team, blueprintKey }) => {
        const blueprint = blueprints.get(blueprintKey)?.identifier ?? '';
        return { identifier, title, icon, blueprint, team: [...team] };
      });
      return { entities: found };
    }),
    route(contract.groupBlueprintEntities, async ({ params, body }, { actor }) => {
      const { groups, total } = await groupBlueprint(deps, actor, params.blueprint_identifier, body);
      return { groups: groups as { value: string; count: number }[], total };
    }),
    route(contract.countBlueprintValues, async ({ params, body }, { actor }) => {
      const { counts, total } = await countEachValue(deps, actor, params.blueprint_identifier, body);
      return {
        counts: counts.map(({ groups, ...each }) => ({
          ...each,
          groups: groups as { value: string; count: number }[],
        })),
        total,
      };
    }),
    route(analytics.aggregateEntities, async ({ body }, { actor }) => {
      if (body.func !== 'countValues') return { result: { value: await aggregateEntities(deps, actor, body) } };
      const { groups, ...numbers } = await countValues(deps, actor, body);
      return { result: { groups: groups as { value: string; count: number }[], ...numbers } };
    }),
    route(analytics.aggregateOverTime, async ({ body }, { actor }) => ({
      result: await aggregateOverTime(deps, actor, body),
    })),
    route(analytics.getPropertiesHistory, async ({ body }, { actor }) => ({
      result: await propertiesHistory(deps, actor, body),
    })),
  ];
}
