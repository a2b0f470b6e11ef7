// Past the rights of callers: for the migrations and the demo alone.
export { deleteBlueprintRow, lockBlueprintsInOrder, restoreBlueprint } from './blueprint.store.ts';
export { presentBlueprint } from './blueprint.ts';
export { mapGrants, presentPermissions } from './blueprint-permissions.ts';
export { changePermissionsWithin } from './change-permissions.ts';
export {
  type ChangeDeps as ChangeBlueprintDeps,
  changeWithin as changeBlueprintWithin,
} from './write-blueprint.ts';
