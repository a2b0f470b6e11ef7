import type { Scorecard } from '@portolan/contract/scorecards';
import type { Actor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { readCondition } from '../access/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { ofBlueprint } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { findScorecards, listScorecardRows, presentScorecard } from '../scorecard-rules/index.ts';
import { countResults } from './results.store.ts';

/** The scorecards of the blueprints whose entities the caller may read. */
export async function listAllScorecards({ database }: ReadDeps, actor: Actor): Promise<Scorecard[]> {
  const blueprints = await listBlueprintRows(database, actor.orgId);
  const readable = new Map(blueprints.filter((each) => can(actor, 'read', each)).map((each) => [each.key, each]));
  return (await listScorecardRows(database, actor.orgId)).flatMap((scorecard) => {
    const blueprint = readable.get(scorecard.blueprintKey);
    return blueprint ? [presentScorecard(scorecard, blueprint.identifier)] : [];
  });
}

/** @throws AppError `not_found` for a blueprint that the caller may not read */
export async function listScorecards(deps: ReadDeps, actor: Actor, blueprintIdentifier: string): Promise<Scorecard[]> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const scorecards = await findScorecards(deps.database, actor.orgId, blueprint.key);
  return scorecards.map((scorecard) => presentScorecard(scorecard, blueprint.identifier));
}

/** @throws AppError `not_found` */
export async function getScorecard(
  deps: ReadDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
): Promise<Scorecard> {
  const all = await listScorecards(deps, actor, blueprint);
  const scorecard = all.find((each) => each.identifier === identifier);
  if (!scorecard) throw notFound('Scorecard', identifier);
  return scorecard;
}

/** What is stored of a scorecard on the entities that the caller may read, counted. @throws AppError `not_found` */
export async function getScorecardResults(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
) {
  const { levels, rules } = await getScorecard(deps, actor, blueprintIdentifier, identifier);
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const condition = allOf([ofBlueprint(blueprint.key), await readCondition(deps, actor, blueprint)]);
  const rows = await countResults(deps.database, actor.orgId, condition, identifier);
  const countOf = (rule: string | null, found: string) =>
    rows.find((each) => each.rule === rule && each.found === found)?.count ?? 0;
  return {
    total: rows.reduce((sum, { rule, count }) => (rule === null ? sum + count : sum), 0),
    levels: levels.map(({ title }) => ({ title, count: countOf(null, title) })),
    rules: rules.map(({ identifier: rule }) => ({
      identifier: rule,
      passed: countOf(rule, 'SUCCESS'),
      failed: countOf(rule, 'FAILURE'),
    })),
  };
}
