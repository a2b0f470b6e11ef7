export { issueAccount, type PreparedAccount, prepareAccount } from './account-credentials.ts';
export {
  countServiceAccounts,
  countUsers,
  listAllTeams,
  listPersonStandings,
  type PersonStanding,
  setTeamIdentifiers,
} from './all-teams.store.ts';
export {
  type AttemptLimits,
  createAttemptLimits,
  createLimiter,
  type Limiter,
} from './attempt-limits.ts';
export { actorOf, isFresh } from './authenticate.ts';
export { permitBecoming } from './authority/become.ts';
export { carriesRights } from './authority/carried-rights.ts';
export { permitWhole } from './authority/credentials.ts';
export { permitDecidingChange } from './authority/deciding-data.ts';
export { type GrantChange, grantedScopes, permitEntityRights, permitGrants } from './authority/grants.ts';
export { type Person, permitPerson } from './authority/people.ts';
export { type Permitted, unchanged } from './authority/permit.ts';
export { type NamedTeam, permitBinding, permitTeam } from './authority/teams.ts';
export { checkMasterKey } from './check-master-key.ts';
export type { Standing } from './credential.store.ts';
export { findActor, findPersonFacts, listNamedUsers } from './find-actor.ts';
export { mergeLists, presentLists } from './grant-lists.ts';
export { createIdentity, type Identity } from './identity.module.ts';
export { nameKey } from './name-key.ts';
export { forgetOldWriters, listOldWriters, noteOldWriter, type OldWriter } from './old-writers.store.ts';
export { findOrganization, listOrganizationRows } from './organization.store.ts';
export {
  type CutoverStage,
  cutoverOf,
  cutoverStart,
  type Organization,
  type Quotas,
  quotasOf,
} from './organization.ts';
export {
  lockModel,
  setMigrationPhase,
  setModel,
} from './organization-model.ts';
export { requestersMayApprove } from './organization-settings.ts';
export {
  findTeamsByIdentifier,
  findTeamsByKey,
  findUser,
  forgetModerated,
  lockPeople,
  lockPerson,
  lockTeam,
  orderMembers,
  type PersonNames,
  type PersonState,
  renameModerated,
  setNames,
} from './people.store.ts';
export { personRules } from './person-rules.ts';
export { putPerson, removePerson } from './put-person.ts';
export { putTeam, removeTeams, renameTeam } from './put-team.ts';
export {
  allows,
  authorise,
  can,
  canOn,
  canUpdatePart,
  canUpdateSome,
  type EntityPart,
  type EntityRights,
  type EntityVerb,
  forbidden,
  type Grant,
  type GrantName,
  type GrantRule,
  grantOf,
  grantRules,
  grantsBehind,
  grantsBehindPart,
  isNamedIn,
  type NamedGrant,
  partGrantOf,
  policiesOf,
  policyOf,
  reachOf,
  type Subject,
  storedGrants,
} from './rights.ts';
export {
  actWith,
  authorityLeft,
  authorityToday,
  authorityWhenRewritten,
  authorityWhenSaved,
  type SavedAuthority,
  saveAuthority,
  savedAuthorityOf,
  warnOfAuthority,
} from './saved-authority.ts';
export { hashSecret, isChosenSecret } from './secret-hash.ts';
export { createSealer, type Sealer } from './secrets/sealer.ts';
export { severalTeams, teamMeantBy } from './team-meaning.ts';
export {
  type ResolveTeams,
  ruleTeamForm,
  teamNames,
  teamResolver,
  writtenTeams,
} from './team-references.ts';
export { teamRules } from './team-rules.ts';
export type { CutoverMove, FollowCutover } from './update-organization.ts';
export { findUserActor, rolesOf } from './user-actor.ts';
