export {
  allOf,
  countEntityRows,
  deleteEntityRows,
  findEntitiesByKey,
  findEntitiesByName,
  findEntity,
  listKeysAfter,
  lockEntities,
  lockEntitiesByKey,
  lockToDelete,
  selectEntities,
  selectSorted,
  storedColumns,
  storedEntity,
  teamForm,
  teamForms,
  updateDerived,
} from './entity.store.ts';
export type { Properties, ReadEntity, Relations, ScorecardResults, StoredEntity } from './entity.ts';
export { entityMissing, identifierTaken, relationMissing } from './errors.ts';
export { assertVersion, type ExpectedVersion, entityTag, parseExpectedVersion } from './expected-version.ts';
export {
  addEdges,
  type Dependent,
  dropOtherEdges,
  type Edge,
  holdTargets,
  listEdges,
  lockDependents,
  rewriteRelationValues,
  type TargetRow,
} from './relation.store.ts';
export {
  type EntityRow,
  insertEntities,
  insertKeyed,
  keyEntities,
  touchEntities,
  updateEntities,
} from './write-entity-rows.store.ts';
