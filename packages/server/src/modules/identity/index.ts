export { createIdentity, type Identity } from './identity.module.ts';
export { findOrganization } from './organization.store.ts';
export { cutoverOf, type Organization, type Quotas, quotasOf } from './organization.ts';
export { putPerson, putTeam, removePerson, removeTeams, renameTeam } from './put-person.ts';
export { authorise, can, type EntityRights, type EntityVerb } from './rights.ts';
export { resolveTeams, type TeamReferences, teamResolver } from './team-references.ts';
