// Bypasses rights of callers: only for the migrations and the demo.
export { dueAfterTeams, lockDerivation, markDue } from './due-after-teams.ts';
