// Bypasses rights; only for the migrations and the demo.
export { followTeamsInScorecards } from './follow-teams.ts';
export { createScorecardWithin, replaceScorecardWithin } from './write-scorecards.ts';
