export { assertReadableValues, assertRegistrable } from './assert-readable-values.ts';
export { checkScorecard } from './check-scorecard.ts';
export { deleteScorecardsOfEntities } from './follow-deletion.ts';
export { checkScorecardWrites } from './follow-entities.ts';
export { reevaluate, reevaluateIfScored, scorecardJobs } from './reevaluate.ts';
export { addScorecard, changeScorecard, dropScorecard, scorecardTaken } from './scorecard-changes.ts';
export { addSubjects, findSubjects, removeSubjects, type Subject } from './scorecard-entities.store.ts';
export { ruleDraft, scorecardDraft } from './scorecard-values.ts';
