export { createCatalogue } from './catalogue/catalogue.ts';
export { installRoutes } from './installs/installs.routes.ts';
export { sourceSealedColumns } from './sealed-columns.ts';
export type { SourceType } from './source-type.ts';
export { createSources } from './sources.module.ts';
