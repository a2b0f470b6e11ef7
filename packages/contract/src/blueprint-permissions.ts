import { z } from 'zod';
import { blueprintParams } from './blueprints.ts';
import { operation } from './operation.ts';
import { searchQuery } from './search.ts';

const names = z.array(z.string().min(1).max(1000)).max(1000);

/**
 * Who may do one thing. Null or absent lists keep what is stored, because one client prints nulls. Null removes the
 * policy, and so does a grant that says something else but no policy: the same client leaves it out.
 */
const grantBody = z.strictObject({
  roles: names.nullish(),
  users: names.nullish(),
  teams: names.nullish(),
  ownedByTeam: z.boolean().nullish(),
  policy: searchQuery.nullish(),
});
export type GrantBody = z.output<typeof grantBody>;

/** `updateProperties` may name the meta-properties too. */
const grantsByKey = z.record(z.string().min(1).max(101), grantBody);

/** A PATCH of the rights on a blueprint's entities (api contract §3.7.1): merges block by block. */
export const blueprintPermissionsBody = z.strictObject({
  entities: z.strictObject({
    read: grantBody.nullish(),
    register: grantBody.nullish(),
    update: grantBody.nullish(),
    unregister: grantBody.nullish(),
    updateProperties: grantsByKey.nullish(),
    updateRelations: grantsByKey.nullish(),
  }),
});
export type BlueprintPermissionsBody = z.output<typeof blueprintPermissionsBody>;

const grant = z.strictObject({
  users: z.array(z.string()),
  teams: z.array(z.string()),
  roles: z.array(z.string()),
  ownedByTeam: z.boolean(),
  policy: searchQuery.optional(),
});

/** The rights in force, defaults written out; lists are sorted and `ownedByTeam` is never null. */
const blueprintPermissions = z.object({
  entities: z.object({
    read: grant,
    register: grant,
    update: grant,
    unregister: grant,
    updateProperties: z.record(z.string(), grant),
    updateRelations: z.record(z.string(), grant),
  }),
});
export type BlueprintPermissions = z.output<typeof blueprintPermissions>;

const onePermissions = z.object({ ok: z.literal(true), permissions: blueprintPermissions });

export const getBlueprintPermissions = operation({
  id: 'getBlueprintPermissions',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/permissions',
  tag: 'Blueprints',
  summary: 'Read who may read, register, update and unregister the entities of a blueprint',
  access: 'token',
  params: blueprintParams,
  answer: onePermissions,
  errors: ['not_found'],
});

export const patchBlueprintPermissions = operation({
  id: 'patchBlueprintPermissions',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}/permissions',
  tag: 'Blueprints',
  summary: 'Change who may do what with the entities of a blueprint; blocks that are left out stay',
  description:
    'Inside a block, lists that are left out stay too, and a `policy` that is left out is removed: write it along to keep it. A block of nulls alone changes nothing.',
  access: 'admin',
  params: blueprintParams,
  body: blueprintPermissionsBody,
  unknownFields: 'closed',
  answer: onePermissions,
  errors: ['not_found'],
});

export const blueprintPermissionOperations = [getBlueprintPermissions, patchBlueprintPermissions] as const;
