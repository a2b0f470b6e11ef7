// Past the rights of callers: for the migrations and the demo alone.
export { type DueValues, dueAfterTeams, lockDerivation, markDue } from './due-after-teams.ts';
