/** Finds what in an organization refers to teams, and suggests replacements. Pure: documents in, findings out. */
export type * from './documents.ts';
export { resourceKinds } from './documents.ts';
export { documentsByResource, resourceKey } from './documents-by-resource.ts';
export { type EditedPlace, editedPlaces, editsBack, holdsEdited } from './edited-places.ts';
export { findFileItems } from './find-file-items.ts';
export { findManualItems } from './find-manual-items.ts';
export { applyEdits, parsePointer, valueAt } from './json-pointer.ts';
export type * from './plan.ts';
export { manualAreas } from './plan.ts';
export { planAutomatic } from './plan-automatic.ts';
export { recheck } from './recheck.ts';
export type { ReferenceOptions } from './reference-context.ts';
export {
  addSamples,
  compareExpressions,
  type ExpressionDifference,
  type SampleData,
  sampledItems,
} from './samples.ts';
export { assignTeamIdentifiers, teamIdentifierStem } from './team-identifier.ts';
