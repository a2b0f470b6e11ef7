import { z } from 'zod';
import { operation } from './operation.ts';
import { absentIfNull, blueprintIdentifier, propertyKey, queryBoolean, timestamp } from './wire.ts';

const title100 = z.string().max(100);
const propertyType = z.enum(['string', 'number', 'boolean', 'object', 'array']);
/** Ocean's ArgoCD integration writes `enum` for a text with choices. */
const writtenPropertyType = z.union([propertyType, z.literal('enum').transform(() => 'string' as const)]);

/** A schema property (api contract §3.1.2). Open: keys that are not known here are stored and echoed. */
export const schemaProperty = z.looseObject({
  type: writtenPropertyType,
  title: title100.optional(),
  description: z.string().optional(),
  icon: z.string().optional(),
  format: z.string().optional(),
  spec: z.enum(['open-api', 'embedded-url', 'async-api']).optional(),
  specAuthentication: z
    .strictObject({
      clientId: z.string(),
      authorizationUrl: z.url(),
      tokenUrl: z.url(),
      authorizationScope: z.array(z.string()).optional(),
    })
    .optional(),
  default: z.json().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  enumColors: z.record(z.string(), z.string()).optional(),
  pattern: z.string().optional(),
  minLength: z.number().int().min(0).optional(),
  maxLength: z.number().int().min(0).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minItems: z.number().int().min(0).optional(),
  maxItems: z.number().int().min(0).optional(),
  uniqueItems: z.boolean().optional(),
  items: z.looseObject({ type: propertyType.optional(), format: z.string().optional() }).optional(),
});
export type SchemaProperty = z.output<typeof schemaProperty>;

/** A relation (api contract §3.1.6). One client leaves `required` and `many` out when they are false. */
const relation = z.strictObject({
  target: z.string().min(1).max(100),
  required: z.boolean().default(false),
  many: z.boolean().default(false),
  title: title100.optional(),
  description: z.string().optional(),
  type: z.string().optional(),
});
export type Relation = z.output<typeof relation>;

/** A mirror property (api contract §3.1.4): one or more relations, then a property or `$meta` of the last blueprint. */
const mirrorProperty = z.looseObject({
  path: z
    .string()
    .max(1000)
    .regex(/^(?:[A-Za-z0-9@_=\-$]+\.)+[^.]+$/, 'must be relation.property, over one or more relations'),
  title: title100.optional(),
});

/** A calculation property (api contract §3.1.3). */
const calculationProperty = z.looseObject({
  calculation: z.string().min(1).max(20_000),
  type: propertyType,
  title: title100.optional(),
});

/** Values are texts: one client reads the whole as a map of texts. */
const calculationSpec = z.discriminatedUnion('calculationBy', [
  z.object({ calculationBy: z.literal('entities'), func: z.enum(['count', 'average']) }).catchall(z.string()),
  z
    .object({
      calculationBy: z.literal('property'),
      func: z.enum(['sum', 'min', 'max', 'median', 'average']),
      property: z.string(),
    })
    .catchall(z.string()),
]);

/** An aggregation property (api contract §3.1.5). */
const aggregationProperty = z.looseObject({
  title: title100.optional(),
  target: z.string().min(1).max(100),
  calculationSpec,
  query: z.looseObject({}).optional(),
  pathFilter: z
    .array(z.looseObject({ path: z.array(z.string()).min(1), fromBlueprint: z.string().optional() }))
    .max(1)
    .optional(),
  type: z.literal('number').optional(),
  description: z.string().optional(),
  icon: z.string().optional(),
});

/** Ownership (specification, Resources): `Direct`, or `Inherited` over a path of relations. */
const ownership = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('Direct'), title: title100.optional() }),
  z.strictObject({ type: z.literal('Inherited'), path: z.string().min(1).max(1000), title: title100.optional() }),
]);

const changelogDestination = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('WEBHOOK'), url: z.url(), agent: z.boolean().optional() }),
  z.strictObject({ type: z.literal('KAFKA') }),
]);

/** What happens to properties that are written but not in the blueprint. */
const unknownProperties = z
  .enum(['by-client', 'strict', 'lenient'])
  .describe(
    'What becomes of a value for a property that the blueprint does not have. `strict`: the entity is refused. `lenient`: the value is dropped with a warning. `by-client`, the default: dropped for integrations and webhooks, refused for everybody else. A PUT that leaves it out keeps it.',
  );

const keyed = <Value extends z.ZodType>(value: Value) => z.record(propertyKey, value);

/** What people write of a blueprint (api contract §3.1.1). Sections that are left out are absent, never defaulted. */
export const blueprintBody = z.object({
  identifier: blueprintIdentifier,
  title: z.string().min(1).max(100),
  description: z.string().max(200).optional(),
  icon: z.string().optional(),
  schema: z.strictObject({
    properties: keyed(schemaProperty).default({}),
    required: z.array(z.string()).optional(),
  }),
  calculationProperties: keyed(calculationProperty).optional(),
  mirrorProperties: keyed(mirrorProperty).optional(),
  aggregationProperties: keyed(aggregationProperty).optional(),
  relations: keyed(relation).optional(),
  ownership: ownership.optional(),
  teamInheritance: z.looseObject({ path: z.string().min(1).max(1000) }).optional(),
  changelogDestination: changelogDestination.optional(),
  includeInGlobalSearch: z.boolean().optional(),
  unknownProperties: unknownProperties.optional(),
});
export type BlueprintBody = z.output<typeof blueprintBody>;

const blueprintParts = blueprintBody.shape;
/** Bodies of POST and PUT: some clients write an empty section as null. */
const blueprintWriteBody = blueprintBody.extend({
  schema: z.strictObject({
    properties: keyed(schemaProperty)
      .nullish()
      .transform((properties) => properties ?? {}),
    required: absentIfNull(z.array(z.string())),
  }),
  description: absentIfNull(blueprintParts.description.unwrap()),
  icon: absentIfNull(blueprintParts.icon.unwrap()),
  calculationProperties: absentIfNull(blueprintParts.calculationProperties.unwrap()),
  mirrorProperties: absentIfNull(blueprintParts.mirrorProperties.unwrap()),
  aggregationProperties: absentIfNull(blueprintParts.aggregationProperties.unwrap()),
  relations: absentIfNull(blueprintParts.relations.unwrap()),
  ownership: absentIfNull(ownership),
  teamInheritance: absentIfNull(blueprintParts.teamInheritance.unwrap()),
  changelogDestination: absentIfNull(changelogDestination),
  includeInGlobalSearch: absentIfNull(z.boolean()),
  unknownProperties: absentIfNull(unknownProperties),
});

/** A PATCH: keys merge inside the five maps, null removes one; other top-level keys replace (compatibility choices, Catalog). */
export const blueprintPatch = z.object({
  identifier: blueprintIdentifier.optional(),
  title: z.string().min(1).max(100).optional(),
  description: z.string().max(200).nullable().optional(),
  icon: z.string().nullable().optional(),
  schema: z
    .strictObject({
      properties: absentIfNull(keyed(schemaProperty.nullable())),
      required: absentIfNull(z.array(z.string())),
    })
    .optional(),
  // null for a whole map changes nothing: clients that do not know the map send it
  calculationProperties: absentIfNull(keyed(calculationProperty.nullable())),
  mirrorProperties: absentIfNull(keyed(mirrorProperty.nullable())),
  aggregationProperties: absentIfNull(keyed(aggregationProperty.nullable())),
  relations: absentIfNull(keyed(relation.nullable())),
  ownership: ownership.nullable().optional(),
  teamInheritance: z
    .looseObject({ path: z.string().min(1).max(1000) })
    .nullable()
    .optional(),
  changelogDestination: changelogDestination.nullable().optional(),
  includeInGlobalSearch: z.boolean().nullable().optional(),
  unknownProperties: unknownProperties.nullable().optional(),
});
export type BlueprintPatch = z.output<typeof blueprintPatch>;

/** The four maps are present even if empty: one client reads them unguarded. */
const blueprintSchema = blueprintBody.extend({
  calculationProperties: keyed(calculationProperty),
  mirrorProperties: keyed(mirrorProperty),
  aggregationProperties: keyed(aggregationProperty),
  relations: keyed(relation),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Blueprint = z.output<typeof blueprintSchema>;

/** Fields that clients write back after reading: accepted and ignored. */
export const blueprintEchoFields = ['createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'id', '_id'] as const;

/** The singular, used on some pages of the documentation, means the same blueprint. */
export const blueprintParams = z.object({
  blueprint_identifier: z
    .string()
    .min(1)
    .max(1000)
    .transform((name) => (name === '_ai_invocation' ? '_ai_invocations' : name)),
});
const oneBlueprint = z.object({ ok: z.literal(true), blueprint: blueprintSchema });

export const listBlueprints = operation({
  id: 'listBlueprints',
  method: 'GET',
  path: '/v1/blueprints',
  tag: 'Blueprints',
  summary: 'List all blueprints, the system ones included',
  access: 'token',
  answer: z.object({ ok: z.literal(true), blueprints: z.array(blueprintSchema) }),
  errors: [],
});

export const createBlueprint = operation({
  id: 'createBlueprint',
  method: 'POST',
  path: '/v1/blueprints',
  tag: 'Blueprints',
  summary: 'Create a blueprint',
  access: 'admin',
  status: 201,
  query: z.object({ create_catalog_page: queryBoolean(true) }),
  body: blueprintWriteBody,
  unknownFields: 'open',
  answer: oneBlueprint,
  errors: ['identifier_taken', 'not_found'],
});

export const getBlueprint = operation({
  id: 'getBlueprint',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}',
  tag: 'Blueprints',
  summary: 'Read a blueprint',
  access: 'token',
  params: blueprintParams,
  answer: oneBlueprint,
  errors: ['not_found'],
});

export const replaceBlueprint = operation({
  id: 'replaceBlueprint',
  method: 'PUT',
  path: '/v1/blueprints/{blueprint_identifier}',
  tag: 'Blueprints',
  summary: 'Replace a blueprint; a section that is left out is emptied',
  access: 'admin',
  params: blueprintParams,
  body: blueprintWriteBody,
  unknownFields: 'open',
  answer: oneBlueprint,
  errors: ['not_found', 'identifier_taken', 'managed_field'],
});

export const patchBlueprint = operation({
  id: 'patchBlueprint',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}',
  tag: 'Blueprints',
  summary: 'Change parts of a blueprint; keys merge inside properties, relations and the computed maps',
  access: 'admin',
  params: blueprintParams,
  body: blueprintPatch,
  unknownFields: 'open',
  answer: oneBlueprint,
  errors: ['not_found', 'identifier_taken', 'managed_field'],
});

export const deleteBlueprint = operation({
  id: 'deleteBlueprint',
  method: 'DELETE',
  path: '/v1/blueprints/{blueprint_identifier}',
  tag: 'Blueprints',
  summary: 'Delete a blueprint that has no entities and that nothing points at',
  access: 'admin',
  params: blueprintParams,
  query: z.object({ delete_actions: queryBoolean() }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'has_dependents', 'managed_field'],
});

export const getSystemBlueprintStructure = operation({
  id: 'getSystemBlueprintStructure',
  method: 'GET',
  path: '/v1/blueprints/system/{blueprint_identifier}/structure',
  tag: 'Blueprints',
  summary: 'Read the part of a system blueprint that cannot be changed',
  access: 'token',
  params: blueprintParams,
  answer: z.object({ ok: z.literal(true), blueprint: blueprintBody }),
  errors: ['not_found'],
});

const renamed = { answer: oneBlueprint, errors: ['not_found', 'identifier_taken', 'managed_field'] } as const;

export const renameProperty = operation({
  id: 'renameProperty',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}/properties/{property_identifier}/rename',
  tag: 'Blueprints',
  summary: 'Rename a property; the values of entities and everything that refers to it follow',
  access: 'admin',
  params: blueprintParams.extend({ property_identifier: z.string().min(1).max(1000) }),
  body: z.object({ newPropertyName: propertyKey }),
  unknownFields: 'closed',
  ...renamed,
});

export const renameMirror = operation({
  id: 'renameMirror',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}/mirror/{property_identifier}/rename',
  tag: 'Blueprints',
  summary: 'Rename a mirror property; everything that refers to it follows',
  access: 'admin',
  params: blueprintParams.extend({ property_identifier: z.string().min(1).max(1000) }),
  body: z.object({ newMirrorName: propertyKey }),
  unknownFields: 'closed',
  ...renamed,
});

export const renameRelation = operation({
  id: 'renameRelation',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}/relations/{relation_identifier}/rename',
  tag: 'Blueprints',
  summary: 'Rename a relation; the values of entities and every path over it follow',
  access: 'admin',
  params: blueprintParams.extend({ relation_identifier: z.string().min(1).max(1000) }),
  body: z.object({ newRelationIdentifier: propertyKey }),
  unknownFields: 'closed',
  ...renamed,
});

export const blueprintOperations = [
  listBlueprints,
  createBlueprint,
  getBlueprint,
  replaceBlueprint,
  patchBlueprint,
  deleteBlueprint,
  getSystemBlueprintStructure,
  renameProperty,
  renameMirror,
  renameRelation,
] as const;
