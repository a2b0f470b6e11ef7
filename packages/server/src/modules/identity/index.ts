export { issueAccount, type PreparedAccount, prepareAccount } from './account-credentials.ts';
export { findActor, findPersonFacts, listNamedUsers, type PersonFacts } from './find-actor.ts';
export { createIdentity, type Identity } from './identity.module.ts';
export { nameKey } from './name-key.ts';
export { findOrganization, listOrganizationRows } from './organization.store.ts';
export { cutoverOf, type Organization, type Quotas, quotasOf } from './organization.ts';
export {
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
  grantOf,
  isNamedIn,
  partGrantOf,
  reachOf,
} from './rights.ts';
export { resolveTeams, ruleTeamForm, type TeamReferences, teamNames, teamResolver } from './team-references.ts';
export { teamRules } from './team-rules.ts';
