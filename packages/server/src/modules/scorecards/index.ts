export { backfillScorecardEntities } from './data/backfill-scorecard-entities.ts';
export { checkScorecardData } from './data/check-scorecard-data.ts';
export { ruleResultJobs } from './data/refresh-results.ts';
export { reflectScorecards } from './data/sync-scorecard-entities.ts';
export { scorecardRoutes } from './scorecards.routes.ts';
export { scorecardTools } from './scorecards.tools.ts';
export { deleteScorecardWithin, registerScorecardWithin } from './write-scorecards.ts';
