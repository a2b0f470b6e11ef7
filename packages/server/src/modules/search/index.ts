export { countByDatasource, entitiesOfSource } from './datasource-search.ts';
export { saveUses, scheduleIndexMaintenance, searchIndexJobs } from './indexes/search-index.jobs.ts';
export { createUseCounter, type UseCounter } from './indexes/use-counter.ts';
export { groupSame } from './read-parts.sql.ts';
export { searchRoutes } from './search.routes.ts';
export { catalogTools } from './search.tools.ts';
export { searchBlueprint } from './search-entities.ts';
export { streamSearch } from './stream-search.ts';
export type { TimelineDeps } from './timeline/read-timeline.ts';
