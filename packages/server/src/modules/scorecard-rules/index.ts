export { evaluateEntity, metaNames } from './evaluate-entity.ts';
export { evaluateAt, teamNamer } from './evaluate-scorecards.ts';
export { resultsDeclared, resultsRequest } from './results-request.ts';
export {
  deleteScorecardRow,
  dropOwnValues,
  dropScorecardRows,
  findScorecards,
  findScorecardsByBlueprint,
  insertScorecard,
  listDatedBlueprints,
  listScorecardAuthors,
  listScorecardRows,
  renameOwnValues,
  updateScorecardRow,
} from './scorecard.store.ts';
export {
  presentScorecard,
  type ScorecardDefinition,
  type StoredScorecard,
  scorecardConditions,
  scorecardLevels,
} from './scorecard.ts';
