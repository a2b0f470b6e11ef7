import { z } from 'zod';
import { checklistItemIds } from './checklist.ts';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { queryInteger, queryText, timestamp } from './wire.ts';

export const organizationModel = z.enum(['legacy', 'beta', 'blueprints']);
export const cutoverStage = z.enum(['legacy', 'transition', 'schema_testing', 'cutover']);
export const planName = z.enum(['free', 'standard', 'enterprise']);

const cutoverSetting = z.strictObject({
  stage: cutoverStage.optional(),
  operatorUpdated: z.boolean().optional(),
  scheduledAt: timestamp.optional(),
});

const quotaLimit = z.number().int().min(0).max(1_000_000_000);
const quotaSetting = z.strictObject({
  monthlyInvocations: quotaLimit.optional(),
  hourlyRequests: quotaLimit.optional(),
  hourlyTokens: quotaLimit.optional(),
  /** Most people invited or active; by default 15 on the free plan, otherwise unlimited. */
  users: quotaLimit.optional(),
});

const organizationName = z.string().trim().min(1).max(100);

/** An organization for the operator. Limits are always numbers: the plan's or the operator's. */
const organizationSchema = z.object({
  id: z.string(),
  name: z.string(),
  model: organizationModel,
  cutover: z.object({ stage: cutoverStage, operatorUpdated: z.boolean(), scheduledAt: timestamp.optional() }),
  plan: planName,
  quotas: z.object({
    monthlyInvocations: z.number(),
    hourlyRequests: z.number(),
    hourlyTokens: z.number(),
    users: z.number().optional(),
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const organizationId = z.object({ organization_id: z.string().min(1).max(100) });

export const createOrganization = operation({
  id: 'createOrganization',
  method: 'POST',
  path: '/v1/operator/organizations',
  tag: 'Operator',
  summary: 'Create an organization',
  description: 'Answers the credentials of the new organization once; they cannot be read again.',
  access: 'operator',
  status: 201,
  body: z.object({
    name: organizationName,
    model: organizationModel.default('blueprints'),
    createdAt: timestamp.optional(),
    cutover: cutoverSetting.optional(),
    plan: planName.optional(),
    quotas: quotaSetting.optional(),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    organization: organizationSchema,
    credentials: z.object({ clientId: z.string(), clientSecret: secret(z.string()) }),
  }),
  errors: [],
});

export const listOrganizations = operation({
  id: 'listOrganizations',
  method: 'GET',
  path: '/v1/operator/organizations',
  tag: 'Operator',
  summary: 'List organizations',
  access: 'operator',
  query: z.object({ limit: queryInteger({ min: 1, max: 1000, default: 200 }), from: queryText() }),
  answer: z.object({
    ok: z.literal(true),
    organizations: z.array(organizationSchema),
    next: z.string().optional(),
  }),
  errors: [],
});

export const getOrganization = operation({
  id: 'getOrganization',
  method: 'GET',
  path: '/v1/operator/organizations/{organization_id}',
  tag: 'Operator',
  summary: 'Read an organization, and when it reached its first steps',
  access: 'operator',
  params: organizationId,
  answer: z.object({
    ok: z.literal(true),
    organization: organizationSchema,
    milestones: z
      .partialRecord(z.enum(checklistItemIds), timestamp)
      .meta({ description: 'When the organization first had what each step of `GET /v1/checklist` asks for' }),
  }),
  errors: ['not_found'],
});

export const updateOrganization = operation({
  id: 'updateOrganization',
  method: 'PATCH',
  path: '/v1/operator/organizations/{organization_id}',
  tag: 'Operator',
  summary: 'Change the name, plan, limits or cutover of an organization',
  access: 'operator',
  params: organizationId,
  body: z.object({
    name: organizationName.optional(),
    cutover: cutoverSetting
      .extend({ force: z.boolean().optional().describe('Move on although old forms are still in use.') })
      .optional(),
    plan: planName.optional(),
    quotas: quotaSetting.optional(),
    force: z.boolean().optional().describe('The same as `cutover.force`.'),
  }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), organization: organizationSchema }),
  errors: ['not_found', 'cutover_blocked'],
});

export const deleteOrganization = operation({
  id: 'deleteOrganization',
  method: 'DELETE',
  path: '/v1/operator/organizations/{organization_id}',
  tag: 'Operator',
  summary: 'Delete an organization with everything in it',
  access: 'operator',
  params: organizationId,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

/** Recomputes and compares without changing anything. */
export const checkDerivedValues = operation({
  id: 'checkDerivedValues',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/operator/organizations/{organization_id}/doctor/derived',
  tag: 'Operator',
  summary: 'Compute all derived values anew and report what differs',
  description:
    'Writes nothing. `pending` values are waiting to be computed and are not reported; values that change with the clock alone are left out.',
  access: 'operator',
  params: organizationId,
  answer: z.object({
    ok: z.literal(true),
    checked: z.number().int(),
    pending: z.number().int(),
    differing: z.number().int(),
    differences: z.array(
      z.object({
        blueprint: z.string(),
        entity: z.string(),
        property: z.string(),
        stored: z.json(),
        computed: z.json(),
      }),
    ),
  }),
  errors: ['not_found'],
});

export const takeBackup = operation({
  id: 'takeBackup',
  workClass: 'bulk',
  method: 'GET',
  path: '/v1/operator/backup',
  tag: 'Operator',
  summary: 'Take a backup of the installation',
  description:
    'A file of all organizations as they are at one moment, packed with gzip, which `portolan restore` reads on either ' +
    'engine. Secrets in it stay sealed by the master key, which is not in it. A file without its last line is not whole.',
  access: 'operator',
  answerType: 'application/gzip',
  answer: z.unknown(),
  errors: ['limit_reached'],
});

const installationCheck = z.object({
  name: z.enum([
    'database',
    'standbys',
    'replicas',
    'jobs',
    'events',
    'derived',
    'sources',
    'organizations',
    'backups',
    'disk',
  ]),
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  /** Of what is not ok: what it is, for machines. */
  code: z.string().optional(),
});
export type InstallationCheck = z.output<typeof installationCheck>;

export const examineInstallation = operation({
  id: 'examineInstallation',
  method: 'GET',
  path: '/v1/operator/doctor',
  tag: 'Operator',
  summary: 'Say what in the installation needs the operator',
  description:
    'Looks at the database, its standbys, the replicas, what waits, the sources, frozen organizations, backups and the disk, and changes ' +
    'nothing. A name may come more than once. `failed` is wrong now; `warning` becomes so, or is left over.',
  workClass: 'control',
  access: 'operator',
  answer: z.object({ ok: z.literal(true), checks: z.array(installationCheck) }),
  errors: [],
});

export const operatorOperations = [
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  deleteOrganization,
  checkDerivedValues,
  takeBackup,
  examineInstallation,
] as const;
