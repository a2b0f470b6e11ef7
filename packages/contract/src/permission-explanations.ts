import { z } from 'zod';
import { blueprintPermissionsBody } from './blueprint-permissions.ts';
import { blueprintParams } from './blueprints.ts';
import { entityBody } from './entities.ts';
import { operation } from './operation.ts';
import { propertyName, text } from './search-values.ts';
import { entityIdentifier } from './wire.ts';

const entityOperation = z.enum(['read', 'register', 'update', 'unregister']);

/** Changes in the form of a PATCH, tried without saving. */
const unsaved = { permissions: blueprintPermissionsBody.optional() };

const asked = { user: text.min(1).max(1000), operation: entityOperation };

/** `role` includes administrators; `personal` is the rule for invocations; `account` refuses disabled users. */
const ruleName = z.enum(['role', 'ownedByTeam', 'team', 'user', 'policy', 'personal', 'account']);

/** The rule of the grant that decided; null if none allowed it. */
const decided = {
  allowed: z.boolean(),
  rule: ruleName.nullable(),
  grant: z.string().nullable(),
  why: z.string(),
};

const check = z.object({
  grant: z.string(),
  rule: ruleName,
  /** `ignored`: a policy beside `ownedByTeam`; `broken`: a policy that names what is not there. */
  outcome: z.enum(['granted', 'not_granted', 'not_set', 'ignored', 'broken']),
  why: z.string(),
});
export type PermissionCheck = z.output<typeof check>;

const subjectUser = z.object({ identifier: z.string(), roles: z.array(z.string()), teams: z.array(z.string()) });

/** Whether the caller may do something: always, depending on the entity, or never. */
const reach = z.enum(['always', 'depends', 'never']);

/** What the caller may do, and whom the right is given to. Addresses of people are not among it. */
const ownRight = z.object({
  allowed: reach,
  needs: z.object({
    roles: z.array(z.string()),
    teams: z.array(z.string()),
    /** Whether people are named one by one. */
    people: z.boolean(),
    ownedByTeam: z.boolean(),
    /** Whether a rule about the entity decides. */
    policy: z.boolean(),
  }),
});
export type OwnRight = z.output<typeof ownRight>;

export const getOwnRights = operation({
  id: 'getOwnRights',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/permissions/own',
  tag: 'Blueprints',
  summary: 'Read what you may do with the entities of a blueprint, or with one of them, and what it needs',
  description:
    'With `entity` nothing depends on the entity any more. `edit` says whether anything of it may be changed, `update` whether everything.',
  access: 'token',
  params: blueprintParams,
  query: z.object({ entity: entityIdentifier.optional() }),
  answer: z.object({
    ok: z.literal(true),
    rights: z.object({
      register: ownRight,
      edit: ownRight,
      update: ownRight,
      unregister: ownRight,
      migrate: ownRight.meta({ description: 'Mapping its entities anew, within the blueprint' }),
      updateProperties: z.record(z.string(), ownRight),
      updateRelations: z.record(z.string(), ownRight),
    }),
  }),
  errors: ['not_found'],
});

export const explainPermission = operation({
  id: 'explainPermission',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/permissions/explain',
  tag: 'Blueprints',
  summary: 'Explain whether a user may do something with an entity, and by which rule',
  description:
    'The rules are asked in the order role, owned by team, team list, user list, policy. `entity` is an identifier, or the draft of an entity that is judged as a new one. `property` or `relation` asks about that part alone. `permissions` tries changes that are not saved. Of `update` and `register`, `parts` tells what may be set.',
  access: 'admin',
  params: blueprintParams,
  body: z.strictObject({
    ...asked,
    entity: z.union([entityIdentifier, entityBody.strict()]),
    property: propertyName.optional(),
    relation: propertyName.optional(),
    ...unsaved,
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    ...decided,
    user: subjectUser,
    checks: z.array(check),
    parts: z.array(z.object({ part: z.string(), key: z.string(), ...decided })).optional(),
    warnings: z.array(z.string()),
  }),
  errors: ['not_found'],
});

export const simulatePermissions = operation({
  id: 'simulatePermissions',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/permissions/simulate',
  tag: 'Blueprints',
  summary: 'List the entities on which a user may do something, with changes of rights that are not saved',
  description:
    '`show` is `allowed` (the default), `refused`, `changed` by the unsaved permissions, or `all`. Of `register`, the entities that there are stand for new ones with their teams and values. `counts` comes with the first page.',
  access: 'admin',
  params: blueprintParams,
  body: z.strictObject({
    ...asked,
    ...unsaved,
    show: z.enum(['allowed', 'refused', 'changed', 'all']).default('allowed'),
    limit: z.number().int().min(1).max(1000).default(100),
    from: z.string().nullable().optional(),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    user: subjectUser,
    entities: z.array(
      z.object({
        identifier: z.string(),
        title: z.string().nullable(),
        ...decided,
        /** The result without the unsaved changes. */
        allowedBefore: z.boolean(),
      }),
    ),
    counts: z.object({ total: z.number(), allowed: z.number(), allowedBefore: z.number() }).optional(),
    next: z.string().optional(),
    warnings: z.array(z.string()),
  }),
  errors: ['not_found'],
});

export const permissionExplanationOperations = [getOwnRights, explainPermission, simulatePermissions] as const;
