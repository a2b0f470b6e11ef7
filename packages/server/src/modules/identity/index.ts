export { createIdentity, type Identity } from './identity.module.ts';
export { findOrganization, listOrganizationRows } from './organization.store.ts';
export { cutoverOf, type Organization, type Quotas, quotasOf } from './organization.ts';
export { type Person, putPerson, putTeam, removePerson, removeTeams, renameTeam } from './put-person.ts';
export { authorise, can, type EntityRights, type EntityVerb } from './rights.ts';
export { resolveTeams, type TeamReferences, teamNames, teamResolver } from './team-references.ts';
