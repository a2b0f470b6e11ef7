export { completePerson } from './complete-person.ts';
export { followModerators, forgetModerators } from './follow-moderators.ts';
export { permitPeople } from './people-rules.ts';
export { forgetTeamsWithin } from './remove-teams.ts';
export { type AccountCredentials, accountFor, openAccount } from './service-account.ts';
export { forgetPeople, syncPeople } from './sync-people.ts';
