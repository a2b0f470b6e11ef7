// Past the rights of callers: for the migrations and the demo alone.
export {
  countServiceAccounts,
  countUsers,
  listAllTeams,
  listPersonStandings,
  type PersonStanding,
  setTeamIdentifiers,
} from './all-teams.store.ts';
