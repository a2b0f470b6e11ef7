export {
  findBlueprint,
  holdBlueprint,
  listBlueprintRows,
  lockBlueprint,
  setBlueprintRights,
} from './blueprint.store.ts';
export {
  derivedKeysOf,
  ownershipPathOf,
  presentBlueprint,
  propertiesOf,
  relationsOf,
  type StoredBlueprint,
} from './blueprint.ts';
export { type Blueprints, type BlueprintsDeps, createBlueprints } from './blueprints.module.ts';
export type { EntityKeeper } from './entity-keeper.ts';
export { type CheckProperties, type CompilePattern, createPropertyChecker } from './entity-validator.ts';
export { followQuery, type KeyRename } from './follow-key.ts';
export { systemBlueprint, systemBlueprintsOf } from './system-blueprints.ts';
export {
  assertUnused,
  createBlueprint,
  deleteBlueprintWithin,
  insertChecked,
  patchWithin,
} from './write-blueprint.ts';
