import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { findBlueprint, listBlueprintRows, type StoredBlueprint } from '../../blueprints/index.ts';
import { presentEntity } from '../../entities/index.ts';
import { ofBlueprint } from '../../entity-query/index.ts';
import { selectEntities, teamForm } from '../../entity-rows/index.ts';
import { listScorecardRows, presentScorecard } from '../../scorecard-rules/index.ts';
import { withTeams } from './owned-entities.store.ts';

export async function listScorecardDocuments(reader: Reader, orgId: string): Promise<object[]> {
  const names = new Map((await listBlueprintRows(reader, orgId)).map(({ key, identifier }) => [key, identifier]));
  const rows = await listScorecardRows(reader, orgId);
  return rows.map((scorecard) => presentScorecard(scorecard, names.get(scorecard.blueprintKey) ?? ''));
}

const agentsMax = 1_000;

export async function listAgentDocuments(reader: Reader, orgId: string, model: Actor['model']): Promise<object[]> {
  const blueprint = await findBlueprint(reader, orgId, '_ai_agent');
  if (!blueprint) return [];
  const agents = await selectEntities(reader, orgId, ofBlueprint(blueprint.key), { limit: agentsMax }, teamForm(model));
  return agents.map((agent) => presentEntity(agent, blueprint));
}

export async function listOwnedDocuments(
  reader: Reader,
  blueprint: StoredBlueprint,
  model: Actor['model'],
  limit: number,
): Promise<object[]> {
  const owned = await selectEntities(reader, blueprint.orgId, withTeams(blueprint.key), { limit }, teamForm(model));
  return owned.map((entity) => presentEntity(entity, blueprint));
}
