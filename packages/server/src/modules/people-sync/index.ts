export { completePerson } from './complete-person.ts';
export { followModerators, removeModerators } from './follow-moderators.ts';
export { userAndTeamRules } from './people-rules.ts';
export { removeTeamReferencesWithin } from './remove-teams.ts';
export { type AccountCredentials, accountFor, openAccount } from './service-account.ts';
export { removeUsersAndTeams, syncPeople } from './sync-people.ts';
