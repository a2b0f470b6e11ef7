export { moveAgentSchema } from './agent-schema.ts';
export { assertStays } from './assert-stays.ts';
export {
  blueprintStamp,
  findBlueprint,
  listBlueprintAuthors,
  listBlueprintRows,
  listOldAgentSchemas,
  listWithoutScorecardData,
  lockBlueprint,
  setBlueprintRights,
  setDeletion,
} from './blueprint.store.ts';
export {
  blueprintProperties,
  blueprintRelations,
  listDerivedKeys,
  ownershipPath,
  type StoredBlueprint,
} from './blueprint.ts';
export type { ActionListener, BlueprintListener, EntityListener, PageListener } from './blueprint-listener.ts';
export { keysOfPart, referencesIn } from './blueprint-permissions.ts';
export type { BlueprintsDeps } from './blueprints.deps.ts';
export { createBlueprints } from './blueprints.module.ts';
export { policyWarnings, proposedRights } from './change-permissions.ts';
export {
  type CheckProperties,
  type CheckValues,
  createPropertyChecker,
  createValueChecker,
} from './entity-validator.ts';
export { followKey, type KeyRename } from './follow-key.ts';
export { holdBlueprint, type ReadUnder, readUnderBlueprint } from './known-blueprints.ts';
export { policyIssues } from './policy-issues.ts';
export { removeTeamsFromRights } from './remove-teams.ts';
export { addResultTarget, findResultTarget, removeResultTarget } from './result-targets.ts';
export { isScorecardData, resultTargets, scorecardBlueprints } from './scorecard-blueprints.ts';
export { type AgentSchema, agentSchemaIn, listSystemBlueprints, systemBlueprint } from './system-blueprints.ts';
export {
  assertUnused,
  createBlueprintWithin,
  deleteBlueprintWithin,
  insertChecked,
  patchWithin,
} from './write-blueprint.ts';
