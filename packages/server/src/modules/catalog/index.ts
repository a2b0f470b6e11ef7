export { createEntityKeeper } from './adapt-entities.ts';
export type { CatalogDeps } from './catalog.deps.ts';
export { type Catalog, createCatalog } from './catalog.module.ts';
export { deleteEntities, deleteEntitiesWithin } from './delete-entities.ts';
export { lockEntities } from './entity.store.ts';
export type { ReadEntity } from './entity.ts';
export { forgetTeamsWithin } from './forget-teams.ts';
export { forgetTexts } from './forget-texts.ts';
export { compareReach } from './policies/compare-reach.ts';
export { evaluateActionPolicy } from './policies/evaluate-action-policy.ts';
export { mayRegister } from './policies/may-register.ts';
export { jqOfPolicy } from './policies/policy-jq.ts';
export { presentEntity } from './present-entity.ts';
export { getEntity, readableBlueprint } from './read-entities.ts';
export { followTeamsInScorecards } from './scorecards/follow-teams.ts';
export { createScorecardWithin, replaceScorecardWithin } from './scorecards/write-scorecards.ts';
export { countByDatasource } from './search/datasource-search.ts';
export { searchBlueprint } from './search/search-entities.ts';
export { listAgentDocuments, listOwnedDocuments, listScorecardDocuments } from './team-ownership/documents.ts';
export { followOldRelations } from './team-ownership/follow-old-relations.ts';
export {
  type DueValues,
  dueAfterTeams,
  lockDerivation,
  markDue,
} from './team-ownership/follow-teams.ts';
export { giveBackTeams, listUnreturnable } from './team-ownership/give-back-teams.ts';
export { forgetOldRelations, rememberOldRelations } from './team-ownership/old-relations.store.ts';
export {
  countEntitiesWithTeams,
  listBlueprintsWithTeams,
  listUnresolvedUses,
  resolveName,
} from './team-ownership/owned-entities.store.ts';
export {
  dropEntitiesOf,
  insertTeamEntities,
  insertUserEntities,
} from './team-ownership/people-entities.store.ts';
export {
  clearRelation,
  type TeamRelation,
  takeOverMarked,
  takeOverTeams,
  takeOverWritten,
} from './team-ownership/take-over-teams.ts';
export { bulkUpsertEntities, upsertEntity } from './upsert-entities.ts';
export { visibleChanges } from './visible-changes.ts';
export { visibleIdentifiers } from './visible-identifiers.ts';
export { visibleRecords } from './visible-records.ts';
export { itemOf, writeEntities } from './write-entities.ts';
