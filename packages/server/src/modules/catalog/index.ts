export { createEntityKeeper } from './adapt-entities.ts';
export type { CatalogDeps } from './catalog.deps.ts';
export { type Catalog, createCatalog } from './catalog.module.ts';
export { getEntity } from './read-entities.ts';
export { createScorecardWithin } from './scorecards/write-scorecards.ts';
export {} from './search/search-entities.ts';
export { visibleRecords } from './visible-records.ts';
export { itemOf, writeEntities } from './write-entities.ts';
