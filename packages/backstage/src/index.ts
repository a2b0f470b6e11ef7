export { exportedBlueprints } from './bare-document.ts';
export { type BlueprintDefinition, blueprintsFor } from './blueprints.ts';
export { defaultBlueprints, defaultMapping } from './default-mapping.ts';
export { checkDocument, type Document, type FoundDocument, toReference } from './document.ts';
export { type ExportResult, exportDocuments } from './export-documents.ts';
export type { ExportedEntity } from './exported-entity.ts';
export { canonicalJson, type Json, type JsonObject } from './json.ts';
export { type Draft, type Mapped, mapDocuments, ownerFromCodeowners } from './map-documents.ts';
export { parseDocuments } from './parse-documents.ts';
export { type CatalogPlan, planCatalog } from './plan-catalog.ts';
export type { PlannedEntity } from './plan-drafts.ts';
export { printDocuments } from './print-documents.ts';
export { type Place, type Problem, placeText } from './problem.ts';
export { type CatalogFiles, type ReadCatalog, readCatalog } from './read-catalog.ts';
export type { SearchEntities } from './read-known.ts';
export {
  BackstageBusy,
  BackstageRefusal,
  type BackstageServer,
  ownersElsewhere,
  readAddresses,
  readServerPage,
  type ServerPage,
} from './read-server.ts';
export { fileBytesMax, readYaml } from './read-yaml.ts';
export { parseReference, printReference, type Reference } from './reference.ts';
export { missingTargets, settleTargets, type Target, targetKey } from './settle-targets.ts';
