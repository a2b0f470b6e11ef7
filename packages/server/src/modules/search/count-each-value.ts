import type { SearchQuery } from '@portolan/contract/search-query';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { openScope, readCondition } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { type CompileContext, compileQuery, ofBlueprint } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { findScorecards } from '../scorecard-rules/index.ts';
import { groupValues, levels, noValues } from './chart-values.sql.ts';
import { countEach, type Group } from './figures.store.ts';

interface CountedValues {
  readonly property: string;
  readonly groups: readonly Group[];
  readonly groupsLeftOut: number;
}

/**
 * Counts the matching entities of a blueprint that the caller may read by the values of several properties, in one
 * statement. What the blueprint does not have, or hides from the caller, has no values: one column does not fail the others.
 * @throws AppError `not_found`
 */
export async function countEachValue(
  deps: ReadDeps,
  actor: Actor,
  identifier: string,
  by: { readonly query?: SearchQuery | undefined; readonly properties: readonly string[]; readonly limit: number },
): Promise<{ counts: CountedValues[]; total: number }> {
  const blueprint = await readableBlueprint(deps, actor, identifier);
  const context = (await openScope(deps, actor, by.query)).contextOf(blueprint);
  const properties = await valuesOfEach(deps, actor, by.properties, blueprint, context);
  const condition = allOf([
    ofBlueprint(blueprint.key),
    await readCondition(deps, actor, blueprint),
    ...(by.query ? [compileQuery(by.query, context)] : []),
  ]);
  const { counted, total } = await countEach(deps.database.standby, actor.orgId, {
    properties,
    condition,
    limit: by.limit,
  });
  return {
    counts: counted.map(({ groups, groupsFound }, index) => ({
      property: by.properties[index] ?? '',
      groups,
      groupsLeftOut: groupsFound - groups.length,
    })),
    total,
  };
}

const ofScorecard = /^scorecard#(.+)$/s;

async function valuesOfEach(
  { database }: ReadDeps,
  { orgId }: Actor,
  names: readonly string[],
  blueprint: StoredBlueprint,
  context: CompileContext,
): Promise<Sql[]> {
  const scorecards = names.some((name) => ofScorecard.test(name))
    ? new Set((await findScorecards(database, orgId, blueprint.key)).map((each) => each.identifier))
    : new Set<string>();
  return names.map((name) => {
    const scorecard = ofScorecard.exec(name)?.[1];
    if (scorecard === undefined) return groupValues(name, blueprint, context) ?? noValues;
    return scorecards.has(scorecard) ? levels(scorecard) : noValues;
  });
}
