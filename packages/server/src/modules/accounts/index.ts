export { findPersonFacts, listNamedUsers } from './actor.store.ts';
export { permitBecoming } from './authority/become.ts';
export { carriesRights } from './authority/carried-rights.ts';
export { permitScopes, permitSecret, permitToken, permitWhole } from './authority/credentials.ts';
export { permitDecidingChange } from './authority/deciding-data.ts';
export { type GrantChange, grantedScopes, permitEntityRights, permitGrants } from './authority/grants.ts';
export { permitPerson } from './authority/people.ts';
export { type Permitted, unchanged } from './authority/permit.ts';
export { permitBinding, permitTeam } from './authority/teams.ts';
export { findActor } from './find-actor.ts';
export { listNameAuthors, noteTeamNames } from './name-authors.store.ts';
export { nameKey } from './name-key.ts';
export {
  findTeamsByIdentifier,
  findTeamsByKey,
  findUser,
  findUsersByKey,
  lockPeople,
  lockPerson,
  lockTeam,
  orderMembers,
  type PersonNames,
  removeModeratedBlueprint,
  renameModerated,
  setNames,
} from './people.store.ts';
export type { NamedTeam, Person, PersonState } from './person.types.ts';
export { personRules } from './person-rules.ts';
export { putPerson, removePerson } from './put-person.ts';
export { permitTeamRename, putTeam, removeTeams, renameTeam } from './put-team.ts';
export {
  actWith,
  authorityLeft,
  authorityToday,
  authorityWhenRewritten,
  authorityWhenSaved,
  findSavedAuthority,
  type SavedAuthority,
  saveAuthority,
  warnOfAuthority,
} from './saved-authority.ts';
export { severalTeams, teamMeantBy } from './team-meaning.ts';
export {
  findTeamKeys,
  type ResolveTeams,
  ruleTeamForm,
  teamNames,
  teamResolver,
  writtenTeams,
} from './team-references.ts';
export { teamRules } from './team-rules.ts';
export { findUserActor, toRoles } from './user-actor.ts';
