export { moveAgentSchema } from './agent-schema.ts';
export { assertStays } from './assert-stays.ts';
export {
  findBlueprint,
  listBlueprintRows,
  listOldAgentSchemas,
  listWithoutScorecardData,
  lockBlueprint,
  setBlueprintRights,
  setDeletion,
  stampOf,
} from './blueprint.store.ts';
export { derivedKeysOf, ownershipPathOf, propertiesOf, relationsOf, type StoredBlueprint } from './blueprint.ts';
export { keysOfPart, referencesIn } from './blueprint-permissions.ts';
export { type BlueprintsDeps, createBlueprints } from './blueprints.module.ts';
export { policyWarnings, proposedRights } from './change-permissions.ts';
export type { ActionKeeper, BlueprintKeeper, EntityKeeper, PageKeeper } from './entity-keeper.ts';
export {
  type CheckProperties,
  type CheckValues,
  createPropertyChecker,
  createValueChecker,
} from './entity-validator.ts';
export type { KeyRename } from './follow-key.ts';
export { forgetTeamsInRights } from './forget-teams.ts';
export { holdBlueprint, type ReadUnder, readUnderBlueprint } from './known-blueprints.ts';
export { policyIssues } from './policy-issues.ts';
export { addResultTarget, forgetResultTarget, resultTargetOf } from './result-targets.ts';
export { isScorecardData, resultTargets, scorecardBlueprints } from './scorecard-blueprints.ts';
export { type AgentSchema, agentSchemaIn, systemBlueprint, systemBlueprintsOf } from './system-blueprints.ts';
export { assertUnused, deleteBlueprintWithin, insertChecked } from './write-blueprint.ts';
