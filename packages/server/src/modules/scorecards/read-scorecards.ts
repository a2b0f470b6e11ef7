import type { Scorecard } from '@portolan/contract/scorecards';
import type { Actor } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { type ReadDeps, readableBlueprint } from '../entities/index.ts';
import { can } from '../rights/index.ts';
import { findScorecards, listScorecardRows, presentScorecard } from '../scorecard-rules/index.ts';

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
