import type { CountValuesBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { blueprintRelations } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { listScorecardRows } from '../scorecard-rules/index.ts';
import { chartValues, levels, ruleOutcomes } from './chart-values.sql.ts';
import { countItems, type Group } from './figures.store.ts';
import { type MatchingBlueprint, matchingBlueprints } from './matching-blueprints.ts';
import { eachValue, selectParts } from './read-parts.sql.ts';

/** Most groups in an answer: a chart shows fourteen, a list of choices a few hundred. */
const groupsMax = 1000;

export interface ValueCounts {
  readonly groups: readonly Group[];
  readonly groupsLeftOut: number;
  readonly total: number;
}

/**
 * Counts the matching entities the caller may read by value, largest group first; entities without a value count for
 * null. Entities of blueprints without the property, or outside the scorecard's filter, are not counted.
 * @throws AppError `invalid_request` if blueprints match and none has the property
 */
export async function countValues(deps: ReadDeps, actor: Actor, body: CountValuesBody): Promise<ValueCounts> {
  const { matching } = await matchingBlueprints(deps, actor, body.query);
  const readable = await withValues(deps, actor, body, matching);
  const items = selectParts(
    actor.orgId,
    readable.map(({ values, ...each }) => ({
      ...each,
      ...eachValue(values),
    })),
  );
  if (!items) return { groups: [], groupsLeftOut: 0, total: 0 };
  const rows = await countItems(deps.database.standby, items, groupsMax);
  const [first] = rows;
  return {
    groups: rows.map(({ value, count }) => ({ value, count })),
    groupsLeftOut: (first?.groups ?? 0) - rows.length,
    total: first?.total ?? 0,
  };
}

type WithValues = MatchingBlueprint & { readonly values: Sql };

async function withValues(
  { database }: ReadDeps,
  { orgId }: Actor,
  { property, relation, scorecard, rule }: CountValuesBody,
  matching: readonly MatchingBlueprint[],
): Promise<WithValues[]> {
  if (scorecard !== undefined) {
    const ofName = (await listScorecardRows(database, orgId)).filter(({ identifier }) => identifier === scorecard);
    const having = matching.filter(({ blueprint }) =>
      ofName.some(({ blueprintKey }) => blueprintKey === blueprint.key),
    );
    refuseIfNone(matching, having, 'scorecard', 'is not a scorecard of what the query matches');
    if (rule === undefined) return having.map((each) => ({ ...each, values: levels(scorecard) }));
    const withRule = having.filter(({ blueprint }) =>
      ofName.some(
        ({ blueprintKey, definition }) =>
          blueprintKey === blueprint.key && definition.rules.some(({ identifier }) => identifier === rule),
      ),
    );
    refuseIfNone(having, withRule, 'rule', 'is not a rule of the scorecard');
    return withRule.map((each) => ({ ...each, values: ruleOutcomes(scorecard, rule) }));
  }
  const name = relation ?? property ?? '';
  const having = matching.flatMap((each): WithValues[] => {
    const isAsked =
      relation === undefined || relation === '$team' || ownValue(blueprintRelations(each.blueprint), relation);
    const values = isAsked ? chartValues(name, each.blueprint, each.context) : undefined;
    return values ? [{ ...each, values }] : [];
  });
  const [field, what] = relation === undefined ? ['property', 'property to count by'] : ['relation', 'relation'];
  refuseIfNone(matching, having, field as string, `is not a ${what} of what the query matches`);
  return having;
}

function refuseIfNone(of: readonly unknown[], having: readonly unknown[], field: string, message: string): void {
  const issues: Issue[] = [{ path: `/${field}`, message }];
  if (of.length > 0 && having.length === 0) throw invalidRequest(issues);
}
