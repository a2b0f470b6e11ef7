import * as contract from '@portolan/contract/scorecards';
import { type Route, route } from '../../platform/http/route.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { previewScorecard } from './preview-scorecard.ts';
import { getScorecard, getScorecardResults, listAllScorecards, listScorecards } from './read-scorecards.ts';
import { createScorecard, deleteScorecard, replaceScorecard, replaceScorecards } from './write-scorecards.ts';

export function scorecardRoutes(deps: CatalogDeps): Route[] {
  return [
    route(contract.listAllScorecards, async (_input, { actor }) => ({
      scorecards: await listAllScorecards(deps, actor),
    })),
    route(contract.listScorecards, async ({ params }, { actor }) => ({
      scorecards: await listScorecards(deps, actor, params.blueprint_identifier),
    })),
    route(contract.getScorecard, async ({ params }, { actor }) => ({
      scorecard: await getScorecard(deps, actor, params.blueprint_identifier, params.scorecard_identifier),
    })),
    route(contract.getScorecardResults, ({ params }, { actor }) =>
      getScorecardResults(deps, actor, params.blueprint_identifier, params.scorecard_identifier),
    ),
    route(contract.createScorecard, async ({ params, body }, { actor }) => ({
      scorecard: await createScorecard(deps, actor, params.blueprint_identifier, body),
    })),
    route(contract.previewScorecard, ({ params, body }, { actor }) =>
      previewScorecard(deps, actor, params.blueprint_identifier, body),
    ),
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
