import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, queryList, timestamp, userAddress } from './wire.ts';

/** It becomes a path segment, which limits its characters (api contract §1.9). */
const teamName = z
  .string()
  .max(255)
  .regex(/^[^;#/?\s][^;#/?]*[^;#/?\s]$/u, 'must have two characters or more, none of ; # / ? and no blank at its ends');
const addresses = z.array(z.string().min(1).max(1000)).max(10_000);
const names = z.array(z.string().min(1).max(10_000)).max(1000);
const description = z.string().max(10_000).nullable();
/** Some clients send null for what is not set. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const teamMember = z.object({
  email: z.string(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  picture: z.string().optional(),
  status: z.string(),
});

const teamCore = {
  id: z.string(),
  /** The key of the resource: the title of the team's entity, if teams are entities. */
  name: z.string(),
  /** The value in `$team` and permissions, if teams are entities. */
  identifier: z.string(),
  /** The origin of the team; `port` for our own. */
  provider: z.string(),
  description: z.string().optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** A team as it is read, its members as objects (api contract §3.9). */
const teamSchema = z.object({ ...teamCore, users: z.array(teamMember.partial()) });
/** A team as a write answers it: one client decodes the members as texts. */
const writtenTeam = z.object({ ...teamCore, users: z.array(z.string()) });
const oneTeam = z.object({ ok: z.literal(true), team: writtenTeam });

const teamParams = z.object({ team_name: z.string().min(1).max(30_000) });
const fields = z.object({ fields: queryList() });
const tag = 'Users and teams';

export const listTeams = operation({
  id: 'listTeams',
  method: 'GET',
  path: '/v1/teams',
  tag,
  summary: 'List teams with their members',
  access: 'token',
  query: fields,
  answer: z.object({ ok: z.literal(true), teams: z.array(teamSchema.partial()) }),
  errors: [],
});

export const createTeam = operation({
  id: 'createTeam',
  method: 'POST',
  path: '/v1/teams',
  tag,
  summary: 'Create a team',
  description: 'Where teams are entities, the entity of `_team` comes into being in the same transaction.',
  access: 'admin',
  body: z.object({ name: teamName, users: optional(addresses), description: optional(description) }),
  unknownFields: 'open',
  answer: oneTeam,
  errors: ['identifier_taken'],
});

export const getTeam = operation({
  id: 'getTeam',
  method: 'GET',
  path: '/v1/teams/{team_name}',
  tag,
  summary: 'Read a team by its name, or by its identifier where no name fits',
  access: 'token',
  params: teamParams,
  query: fields,
  answer: z.object({ ok: z.literal(true), team: teamSchema.partial() }),
  errors: ['not_found'],
});

export const replaceTeam = operation({
  id: 'replaceTeam',
  method: 'PUT',
  path: '/v1/teams/{team_name}',
  tag,
  summary: 'Replace a team; another name renames it, keys left out are cleared',
  access: 'admin',
  params: teamParams,
  body: z.object({ name: teamName, users: optional(addresses), description: optional(description) }),
  unknownFields: 'open',
  answer: oneTeam,
  errors: ['not_found', 'identifier_taken', 'managed_field'],
});

export const patchTeam = operation({
  id: 'patchTeam',
  method: 'PATCH',
  path: '/v1/teams/{team_name}',
  tag,
  summary: 'Change parts of a team; a list of users replaces the members',
  access: 'admin',
  params: teamParams,
  body: z.object({ name: optional(teamName), users: optional(addresses), description: description.optional() }),
  unknownFields: 'open',
  answer: oneTeam,
  errors: ['not_found', 'identifier_taken', 'managed_field'],
});

export const deleteTeam = operation({
  id: 'deleteTeam',
  method: 'DELETE',
  path: '/v1/teams/{team_name}',
  tag,
  summary: 'Delete a team and every reference to it',
  description:
    'Ownership, memberships and permissions lose the team in the same transaction; the answer counts them. An entity with a required relation to the team refuses the deletion.',
  access: 'admin',
  params: teamParams,
  answer: z.object({
    ok: z.literal(true),
    removedReferences: z.object({
      /** Entities with this team as their own, without users. */
      ownedEntities: z.number(),
      blueprintPermissions: z.number(),
      members: z.number(),
    }),
  }),
  errors: ['not_found', 'has_dependents'],
});

const roleName = z.object({ name: z.string() });

/** A user (api contract §3.10). */
const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  picture: z.string().optional(),
  status: z.enum(['Staged', 'Invited', 'Active', 'Disabled']),
  type: z.enum(['Standard', 'Service Account']),
  providers: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
  orgs: z.array(z.object({ id: z.string() })),
  /** Names of teams. */
  teams: z.array(z.string()),
  /** `Admin`, `Member`, or `<blueprint>-moderator` for each moderated blueprint. */
  roles: z.array(roleName),
  orgMembers: z.array(z.object({ orgId: z.string(), status: z.string(), lastLoginAt: timestamp.nullable() }).partial()),
  termsAccepted: z.null(),
});
const wholeUser = userSchema.extend({ teamsIdentifiers: z.array(z.string()) });

const userParams = z.object({ user_email: z.string().min(1).max(3000) });

export const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/v1/users',
  tag,
  summary: 'List users',
  access: 'token',
  query: fields,
  answer: z.object({ ok: z.literal(true), users: z.array(userSchema.partial()) }),
  errors: [],
});

export const inviteUser = operation({
  id: 'inviteUser',
  method: 'POST',
  path: '/v1/users/invite',
  tag,
  summary: 'Invite a user; with `notify=false` the user is staged and told nothing',
  description:
    'The link goes by e-mail, if the installation has a mail server. `POST /v1/invitations` also answers one to hand over.',
  access: 'admin',
  query: z.object({ notify: queryBoolean(true) }),
  body: z.object({
    invitee: z.strictObject({ email: userAddress, roles: optional(names), teams: optional(names) }),
  }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true) }),
  errors: ['identifier_taken', 'managed_field', 'user_limit_reached', 'too_many_requests'],
});

export const getUser = operation({
  id: 'getUser',
  method: 'GET',
  path: '/v1/users/{user_email}',
  tag,
  summary: 'Read a user',
  access: 'token',
  params: userParams,
  query: fields,
  answer: z.object({ ok: z.literal(true), user: wholeUser.partial() }),
  errors: ['not_found'],
});

export const patchUser = operation({
  id: 'patchUser',
  method: 'PATCH',
  path: '/v1/users/{user_email}',
  tag,
  summary: 'Set the roles and teams of a user',
  description: 'Roles are `Admin`, `Member` and `<blueprint>-moderator`; teams are names or identifiers.',
  access: 'admin',
  params: userParams,
  body: z.object({
    roles: optional(names.min(1)),
    teams: optional(names),
    /** The Terraform provider always sends it; sessions end by the installation's settings, so it cannot be set. */
    inactivityTimeout: z.null({ error: 'cannot be set for a user; leave it out or null' }).optional(),
  }),
  unknownFields: 'closed',
  answer: wholeUser.extend({ ok: z.literal(true) }),
  errors: ['not_found', 'managed_field', 'last_administrator'],
});

export const deleteUser = operation({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/v1/users/{user_email}',
  tag,
  summary: 'Remove a user from the organization; what the user may sign in with ends within a second',
  access: 'admin',
  params: userParams,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'has_dependents', 'last_administrator'],
});

export const peopleOperations = [
  listTeams,
  createTeam,
  getTeam,
  replaceTeam,
  patchTeam,
  deleteTeam,
  listUsers,
  inviteUser,
  getUser,
  patchUser,
  deleteUser,
] as const;
