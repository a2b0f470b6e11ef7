export { preparePolicies } from './compile-policies.ts';
export { satisfiedNames } from './entity-conditions.sql.ts';
export type {
  Draft,
  DraftWithTeams,
  EntityWrite,
  Link,
  PendingWrite,
  PermittedWrite,
  ResolvedWrite,
  WriteMode,
  WriteOptions,
  WriteOutcome,
} from './entity-write.types.ts';
export { reachConditions } from './grant-condition.ts';
export { hiddenTargets } from './hidden-targets.ts';
export { hiddenValues } from './hidden-values.ts';
export {
  loadEntityWriteGate,
  mayRegister,
  openEntityDeletion,
  openEntityWrite,
  type Part,
  partsOfNew,
  permitEntityDeletion,
  refusalToRegister,
  visibleAmong,
} from './permit-entity-write.ts';
export { isNarrowed, isPersonal, isVisible, readCondition, readConditions } from './read-condition.ts';
export { satisfiedGrants, satisfiedGrantsOfDrafts } from './satisfied-grants.ts';
export { openScope } from './search-scope.ts';
