import * as contract from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { can } from '../../identity/index.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { type ReadDeps, readableBlueprint } from '../read-entities.ts';
import { findScorecards, listScorecardRows } from './scorecard.store.ts';
import { presentScorecard } from './scorecard.ts';
import { createScorecard, deleteScorecard, replaceScorecard, replaceScorecards } from './write-scorecards.ts';

export function scorecardRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.listAllScorecards, async (_input, { actor }) => ({ scorecards: await listAll(deps, actor) })),
    route(contract.listScorecards, async ({ params }, { actor }) => ({
      scorecards: await listOf(deps, actor, params.blueprint_identifier),
    })),
    route(contract.getScorecard, async ({ params }, { actor }) => {
      const all = await listOf(deps, actor, params.blueprint_identifier);
      const scorecard = all.find(({ identifier }) => identifier === params.scorecard_identifier);
      if (!scorecard) throw notFound('Scorecard', params.scorecard_identifier);
      return { scorecard };
    }),
    route(contract.createScorecard, async ({ params, body }, { actor }) => ({
      scorecard: await createScorecard(deps, actor, params.blueprint_identifier, body),
    })),
    route(contract.replaceScorecards, async ({ params, body }, { actor }) => ({
      scorecards: await replaceScorecards(deps, actor, params.blueprint_identifier, body),
    })),
    route(contract.replaceScorecard, async ({ params, body }, { actor }) => {
      const { blueprint_identifier: blueprint, scorecard_identifier: identifier } = params;
      return { scorecard: await replaceScorecard(deps, actor, blueprint, identifier, body) };
    }),
    route(contract.deleteScorecard, async ({ params }, { actor }) => {
      await deleteScorecard(deps, actor, params.blueprint_identifier, params.scorecard_identifier);
      return {};
    }),
  ];
}

/** The scorecards of the blueprints whose entities the caller may read. */
async function listAll({ database }: ReadDeps, actor: Actor): Promise<contract.Scorecard[]> {
  const blueprints = await listBlueprintRows(database, actor.orgId);
  const readable = new Map(blueprints.filter((each) => can(actor, 'read', each)).map((each) => [each.key, each]));
  return (await listScorecardRows(database, actor.orgId)).flatMap((scorecard) => {
    const blueprint = readable.get(scorecard.blueprintKey);
    return blueprint ? [presentScorecard(scorecard, blueprint.identifier)] : [];
  });
}

async function listOf(deps: ReadDeps, actor: Actor, blueprintIdentifier: string): Promise<contract.Scorecard[]> {
  const blueprint = await readableBlueprint(deps, actor, blueprintIdentifier);
  const scorecards = await findScorecards(deps.database, actor.orgId, blueprint.key);
  return scorecards.map((scorecard) => presentScorecard(scorecard, blueprint.identifier));
}
