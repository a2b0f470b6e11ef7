import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { ruleTeamForm, teamNames } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { ScorecardResults, StoredEntity } from '../entity-rows/index.ts';
import { findOrganization } from '../organizations/index.ts';
import { evaluateEntity } from './evaluate-entity.ts';
import { resultsRequest } from './results-request.ts';
import { findScorecards, updateResults } from './scorecard.store.ts';
import { type StoredScorecard, scorecardConditions } from './scorecard.ts';

/**
 * Evaluates entities of one blueprint whose derived values are settled, and stores what differs. The entities must be
 * locked by the transaction: scorecards are read after that, so that of a write and a change of a scorecard that meet,
 * the later sees the other. Answers the results by the entity's key; a few statements whatever their number. Where
 * results differ, or are shown anew since the entity's name or teams are others, they follow as data (decision 0048).
 */
export async function evaluateAt(
  { tx, actor, now, enqueue }: Work,
  blueprint: StoredBlueprint,
  entities: readonly StoredEntity[],
  isShownAnew: (key: number) => boolean = () => false,
): Promise<ReadonlyMap<number, ScorecardResults>> {
  if (entities.length === 0) return new Map();
  const { orgId } = actor;
  const scorecards = await findScorecards(tx, orgId, blueprint.key);
  const namesOf = await teamNamer(tx, orgId, scorecards, entities);
  const results = new Map(
    entities.map((entity) => [
      entity.key,
      evaluateEntity({ entity, blueprint: blueprint.identifier, teams: namesOf(entity) }, scorecards, now),
    ]),
  );
  const differing = entities.flatMap(({ key, scorecards: before }) => {
    const found = results.get(key) ?? {};
    return isDeepStrictEqual(found, before) ? [] : [{ key, scorecards: found }];
  });
  const others = entities.flatMap(({ key, scorecards: before }) => {
    if (!isShownAnew(key) || Object.keys(before).length === 0 || differing.some((each) => each.key === key)) return [];
    return [key];
  });
  await updateResults(tx, orgId, differing, others);
  if (differing.length + others.length > 0) await enqueue(resultsRequest, {});
  return results;
}

/** Team names are looked up only where a condition compares them. */
export async function teamNamer(
  reader: Reader,
  orgId: string,
  scorecards: readonly Pick<StoredScorecard, 'definition'>[],
  entities: readonly Pick<StoredEntity, 'teamRefs'>[],
): Promise<(entity: Pick<StoredEntity, 'teamRefs'>) => string[]> {
  const isNeeded = scorecards.some(({ definition }) =>
    scorecardConditions(definition).some(
      ({ property, operator }) => property === '$team' && !operator.endsWith('mpty'),
    ),
  );
  if (!isNeeded) return () => [];
  const model = (await findOrganization(reader, orgId))?.model ?? 'blueprints';
  const references = [...new Set(entities.flatMap(({ teamRefs }) => teamRefs))];
  const names = await teamNames(reader, orgId, model, references, ruleTeamForm(model));
  return ({ teamRefs }) => teamRefs.flatMap((reference) => names.get(reference) ?? []);
}
