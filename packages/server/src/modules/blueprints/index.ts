export { moveAgentSchema } from './agent-schema.ts';
export { assertStays } from './assert-stays.ts';
export {
  findBlueprint,
  listBlueprintRows,
  listOldAgentSchemas,
  lockBlueprint,
  lockBlueprintsInOrder,
  setBlueprintRights,
  setDeletion,
} from './blueprint.store.ts';
export {
  derivedKeysOf,
  ownershipPathOf,
  presentBlueprint,
  propertiesOf,
  relationsOf,
  type StoredBlueprint,
} from './blueprint.ts';
export { keysOfPart, mapGrants, presentPermissions, referencesIn } from './blueprint-permissions.ts';
export { type BlueprintsDeps, createBlueprints } from './blueprints.module.ts';
export { changePermissionsWithin, policyWarnings, proposedRights } from './change-permissions.ts';
export type { ActionKeeper, BlueprintKeeper, EntityKeeper, PageKeeper } from './entity-keeper.ts';
export {
  type CheckProperties,
  type CheckValues,
  createPropertyChecker,
  createValueChecker,
} from './entity-validator.ts';
export type { KeyRename } from './follow-key.ts';
export { forgetTeamsInRights } from './forget-teams.ts';
export { holdBlueprint, type ReadUnder, readUnderBlueprint, stampOf } from './known-blueprints.ts';
export { policyIssues } from './policy-issues.ts';
export { removeSystemBlueprint, restoreBlueprint } from './restore-blueprint.ts';
export {
  addResultTarget,
  forgetResultTarget,
  listWithoutScorecardData,
  resultTargetOf,
} from './result-targets.ts';
export { isScorecardData, resultTargets, scorecardBlueprints } from './scorecard-blueprints.ts';
export { type AgentSchema, agentSchemaIn, systemBlueprint, systemBlueprintsOf } from './system-blueprints.ts';
export {
  assertUnused,
  type ChangeDeps as ChangeBlueprintDeps,
  changeWithin as changeBlueprintWithin,
  deleteBlueprintWithin,
  insertChecked,
  patchWithin,
} from './write-blueprint.ts';
