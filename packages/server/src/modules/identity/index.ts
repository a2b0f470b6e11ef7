export { createIdentity, type Identity } from './identity.module.ts';
export { findOrganization, listOrganizationRows } from './organization.store.ts';
export { cutoverOf, type Organization, type Quotas, quotasOf } from './organization.ts';
export { renameModerated } from './people.store.ts';
export { putPerson, putTeam, removePerson, removeTeams, renameTeam } from './put-person.ts';
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
  partGrantOf,
  reachOf,
} from './rights.ts';
export { resolveTeams, type TeamReferences, teamNames, teamResolver } from './team-references.ts';
