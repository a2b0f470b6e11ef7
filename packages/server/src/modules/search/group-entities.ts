import type { SearchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { openScope, readCondition } from '../access/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { compileQuery, ofBlueprint } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { groupValues } from './chart-values.sql.ts';
import { countGroups, type Group } from './figures.store.ts';

/**
 * Counts the entities of a blueprint by value, largest group first. An entity with several values counts once for
 * each, one without a value for null; `total` counts entities.
 * @throws AppError `invalid_request` for a property that the blueprint does not have
 */
export async function groupBlueprint(
  deps: ReadDeps,
  actor: Actor,
  identifier: string,
  by: { readonly query?: SearchQuery | undefined; readonly groupBy: string; readonly limit: number },
): Promise<{ groups: Group[]; total: number }> {
  const blueprint = await readableBlueprint(deps, actor, identifier);
  const context = (await openScope(deps, actor, by.query)).contextOf(blueprint);
  const values = groupValues(by.groupBy, blueprint, context);
  if (!values) throw invalidRequest([{ path: '/groupBy', message: 'is not a property that can be grouped by' }]);
  const condition = allOf([
    ofBlueprint(blueprint.key),
    await readCondition(deps, actor, blueprint),
    ...(by.query ? [compileQuery(by.query, context)] : []),
  ]);
  const rows = await countGroups(deps.database.standby, actor.orgId, { values, condition, limit: by.limit });
  const total = rows[0]?.total ?? 0;
  return { groups: rows.map(({ value, count }) => ({ value, count })), total };
}
