import { z } from 'zod';
import { actionBody } from './actions.ts';
import { blueprintBody } from './blueprints.ts';
import { operation } from './operation.ts';
import { pageBody } from './pages.ts';
import { scorecardBody } from './scorecards.ts';
import { timestamp } from './wire.ts';

/** The parts of a blueprint that a pack can add to one that is there already. */
const packExtension = blueprintBody
  .pick({
    identifier: true,
    schema: true,
    relations: true,
    mirrorProperties: true,
    calculationProperties: true,
    aggregationProperties: true,
  })
  .partial({ schema: true })
  .strict();

/** A starter model as data: what an installed pack brings. */
export const packFile = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  version: z.number().int().min(1),
  title: z.string().min(1).max(100),
  summary: z.string().min(1).max(300),
  icon: z.string(),
  /** Tools that can fill it, in the words of people. */
  fedBy: z.array(z.string()),
  /** A blueprint that is there already gets the parts it lacks. */
  blueprints: z.array(blueprintBody.strict()),
  /** Parts for blueprints that are only extended, and never created. */
  extends: z.array(packExtension).default([]),
  scorecards: z.array(scorecardBody.extend({ blueprint: z.string() })).default([]),
  actions: z.array(actionBody).default([]),
  pages: z.array(pageBody.required({ identifier: true })).default([]),
});
export type PackFile = z.output<typeof packFile>;

export const packItemKinds = [
  'blueprint',
  'property',
  'relation',
  'mirror',
  'calculation',
  'aggregation',
  'scorecard',
  'action',
  'page',
] as const;
const packItemKind = z.enum(packItemKinds);
export type PackItemKind = z.output<typeof packItemKind>;

const packItem = z.object({
  /** `property:service/tier`: names the item in resolutions. */
  id: z.string(),
  kind: packItemKind,
  blueprint: z.string().nullable(),
  identifier: z.string(),
  title: z.string(),
});

const installation = z.object({ version: z.number(), installedAt: timestamp, installedBy: z.string() });

const packSummary = z.object({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  summary: z.string(),
  icon: z.string(),
  fedBy: z.array(z.string()),
  blueprints: z.array(z.object({ identifier: z.string(), title: z.string(), icon: z.string().optional() })),
  counts: z.object({ scorecards: z.number(), actions: z.number(), pages: z.number() }),
  installed: installation.nullable(),
});
export type PackSummary = z.output<typeof packSummary>;

const installChange = z
  .enum(['new', 'same', 'renamed', 'skipped', 'conflict'])
  .describe(
    '`new`: is created. `same`: is there already and stays as it is. `conflict`: something else has its name, and a resolution is needed. `renamed` and `skipped`: what the resolution makes of a conflict.',
  );
const removalChange = z
  .enum(['removed', 'kept', 'shared'])
  .describe('`kept`: stays, for the reason given. `shared`: stays because another installed pack has it too.');

const packChange = packItem.extend({
  change: z.union([installChange, removalChange]),
  /** The name it gets instead. */
  renamedTo: z.string().optional(),
  /** Why it conflicts, stays or is left out. */
  reason: z.string().optional(),
  /** Entities of a blueprint that is kept because of them; this number in `deleteEntities` deletes them with it. */
  entities: z.number().optional(),
});
export type PackChange = z.output<typeof packChange>;

const resolutions = z
  .record(z.string(), z.enum(['rename', 'skip']))
  .default({})
  .describe('For each item in conflict: `rename` brings it under another name, `skip` leaves it out.');
const removalChoices = {
  deleteEntities: z
    .record(z.string(), z.number().int().min(1))
    .default({})
    .describe('Blueprints whose entities go with them, each with the number of its entities as confirmation.'),
  deleteValues: z
    .boolean()
    .default(false)
    .describe('Also removes properties and relations that entities hold values of, and the values with them.'),
};

const tag = 'Starter models';
const params = z.object({ pack_id: z.string().min(1).max(100) });
const changes = z.array(packChange);

export const listPacks = operation({
  id: 'listPacks',
  method: 'GET',
  path: '/v1/packs',
  scope: 'read:blueprints',
  tag,
  summary: 'List the starter models, and which of them are installed',
  access: 'token',
  answer: z.object({ ok: z.literal(true), packs: z.array(packSummary) }),
  errors: [],
});

export const getPack = operation({
  id: 'getPack',
  method: 'GET',
  path: '/v1/packs/{pack_id}',
  scope: 'read:blueprints',
  tag,
  summary: 'Read a starter model with everything it brings',
  access: 'token',
  params,
  answer: z.object({ ok: z.literal(true), pack: packSummary.extend({ items: z.array(packItem) }) }),
  errors: ['not_found'],
});

export const planPack = operation({
  id: 'planPack',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/packs/{pack_id}/plan',
  isReadOnly: true,
  scope: 'read:blueprints',
  tag,
  summary: 'Show what installing or removing a starter model would change; nothing is written',
  access: 'admin',
  params,
  body: z.object({ for: z.enum(['install', 'remove']).default('install'), resolutions, ...removalChoices }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), changes }),
  errors: ['not_found', 'identifier_taken'],
});

export const installPack = operation({
  id: 'installPack',
  method: 'POST',
  path: '/v1/packs/{pack_id}/install',
  // and those that create the other things, asked for where they are made
  scope: 'create:blueprints',
  tag,
  summary: 'Install a starter model: blueprints that are there are extended, never replaced',
  description: 'All or nothing. An item in conflict needs a resolution; the plan shows which there are.',
  access: 'admin',
  status: 201,
  params,
  body: z.object({ resolutions }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), changes }),
  errors: ['not_found', 'identifier_taken', 'managed_field', 'has_dependents', 'insufficient_scope'],
});

export const removePack = operation({
  id: 'removePack',
  method: 'POST',
  path: '/v1/packs/{pack_id}/remove',
  scope: 'delete:blueprints',
  tag,
  summary: 'Remove an installed starter model; what people changed or use stays and is listed',
  access: 'admin',
  params,
  body: z.object(removalChoices),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), changes }),
  errors: ['not_found', 'managed_field', 'has_dependents', 'missing_permissions', 'insufficient_scope'],
});

export const packOperations = [listPacks, getPack, planPack, installPack, removePack] as const;
