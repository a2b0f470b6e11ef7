import { z } from 'zod';
import { blueprintParams } from './blueprints.ts';
import { operation } from './operation.ts';
import { entityIdentifier, queryText, timestamp } from './wire.ts';

/** So many entities are exempted at once. */
const entitiesMax = 100;

/** What exempts entities from one rule of a scorecard, or from all. */
export const exemptionBody = z.strictObject({
  entities: z.array(entityIdentifier).min(1).max(entitiesMax),
  /** All rules unless told. */
  rule: z.string().min(1).max(100).optional(),
  reason: z.string().trim().min(1).max(1000),
  /** The last day (UTC). */
  until: z.iso.date(),
});
export type ExemptionBody = z.output<typeof exemptionBody>;

const exemptionSchema = z.object({
  id: z.string(),
  entity: z.object({ identifier: z.string(), title: z.string().nullable() }),
  /** Null is for all rules. */
  rule: z.string().nullable(),
  reason: z.string(),
  until: z.string(),
  createdAt: timestamp,
  createdBy: z.string(),
});
export type Exemption = z.output<typeof exemptionSchema>;

const exemptionsParams = blueprintParams.extend({ scorecard_identifier: z.string().min(1).max(1000) });
const path = '/v1/blueprints/{blueprint_identifier}/scorecards/{scorecard_identifier}/exemptions';
const tag = 'Scorecards';
const ours = 'The operation has no counterpart in the public API.';

export const listExemptions = operation({
  id: 'listExemptions',
  method: 'GET',
  path,
  tag,
  scope: 'read:scorecards',
  summary: 'List the exemptions from rules of a scorecard that hold today, those that end first at the top',
  description: `Of the entities that the caller may read; \`entity\` asks for one. A restricted token needs \`read:entities\` too. ${ours}`,
  access: 'token',
  params: exemptionsParams,
  query: z.object({ entity: queryText() }),
  answer: z.object({ ok: z.literal(true), exemptions: z.array(exemptionSchema) }),
  errors: ['not_found', 'insufficient_scope'],
});

export const createExemptions = operation({
  id: 'createExemptions',
  method: 'POST',
  path,
  tag,
  scope: 'update:scorecards',
  summary: 'Exempt entities from a rule of a scorecard, or from all, until a day',
  description: `Whoever may change campaigns may. Levels and results stay as they are; campaigns count the entities apart. An exemption of the same rule is replaced. A restricted token needs \`read:entities\` too. ${ours}`,
  access: 'token',
  status: 201,
  params: exemptionsParams,
  body: exemptionBody,
  answer: z.object({ ok: z.literal(true), exemptions: z.array(exemptionSchema) }),
  errors: ['missing_permissions', 'not_found', 'limit_reached', 'insufficient_scope'],
});

export const deleteExemption = operation({
  id: 'deleteExemption',
  method: 'DELETE',
  path: `${path}/{exemption_id}`,
  tag,
  scope: 'update:scorecards',
  summary: 'End an exemption from rules of a scorecard',
  description: ours,
  access: 'token',
  params: exemptionsParams.extend({ exemption_id: z.string().min(1).max(100) }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['missing_permissions', 'not_found'],
});

export const exemptionOperations = [listExemptions, createExemptions, deleteExemption] as const;
