// Past the rights of callers: for the migrations and the demo alone.
export { followTeamsInScorecards } from './follow-teams.ts';
export { createScorecardWithin, replaceScorecardWithin } from './write-scorecards.ts';
