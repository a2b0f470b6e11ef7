import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, queryInteger, queryList, queryText, timestamp } from './wire.ts';

/** Kinds of things in the audit log: the published ones, then our own (api contract §3.17). */
export const auditResources = [
  'blueprint',
  'entity',
  'run',
  'webhook',
  'scorecard',
  'action',
  'integration',
  'organization',
  'credential',
  'page',
  'secret',
  'token',
  'user',
  'team',
  'session',
  'sso-connection',
  'migration',
  'mcp-server',
  'llm-provider',
  'source',
  'import',
  'pack',
  'checklist',
  'campaign',
  'exemption',
  'conversation',
  'workflow',
  'workflowRun',
  'workflowProposal',
] as const;

export type AuditResource = (typeof auditResources)[number];

/** Values of `includes`. */
export const auditParts = [
  'action',
  'context',
  'diff',
  'identifier',
  'resourceType',
  'status',
  'trigger',
  'additionalData',
  'message',
] as const;
export type AuditPart = (typeof auditParts)[number];

/** Who changed what, with its state before and after. */
export const auditRecord = z.object({
  /** `event_…`; `context` names the thing. */
  identifier: z.string(),
  action: z.string(),
  resourceType: z.string(),
  status: z.enum(['SUCCESS', 'FAILURE']),
  trigger: z.object({
    at: timestamp,
    by: z.object({
      userId: z.string(),
      orgId: z.string(),
      user: z.object({ email: z.string() }).optional(),
      /** Set if the platform did it. */
      byPort: z.boolean().optional(),
    }),
    /** `UI`, `API`, `AUTOMATION` …, or the user agent of the integration that wrote. */
    origin: z.string(),
  }),
  context: z.record(z.string(), z.string()),
  diff: z.object({ before: z.json(), after: z.json() }),
  message: z.string().nullable(),
  additionalData: z.record(z.string(), z.json()),
});
export type AuditRecord = z.output<typeof auditRecord>;

const moment = () =>
  queryText()
    .pipe(z.iso.datetime({ offset: true, error: 'must be an ISO date-time' }).optional())
    .transform((text) => (text === undefined ? undefined : new Date(text)))
    .meta({ type: 'string', format: 'date-time' });

const allowedList = (allowed: readonly string[]) =>
  queryList()
    .refine((list) => list === undefined || list.every((each) => allowed.includes(each)), {
      error: `must be of: ${allowed.join(', ')}`,
    })
    .meta({ type: 'array', items: { type: 'string', enum: [...allowed] } });

const oneOf = (allowed: readonly string[]) =>
  queryText()
    .refine((text) => text === undefined || allowed.includes(text), { error: `must be one of: ${allowed.join(', ')}` })
    .meta({ type: 'string', enum: [...allowed] });

/** Who acted: people, programs with credentials, and the platform itself. */
export const auditActorKinds = ['person', 'machine', 'system'] as const;

/** Filters of the audit log (api contract §3.17); lists may be sent with or without `[]`. */
const filters = {
  identifier: queryText(),
  entity: queryText(),
  blueprint: queryText(),
  run_id: queryText(),
  webhookId: queryText(),
  webhookEventId: queryText(),
  InstallationId: queryText(),
  installationId: queryText(),
  include_deleted_entities: queryBoolean(),
  origin: queryList(),
  'origin[]': queryList(),
  resources: allowedList(auditResources),
  'resources[]': allowedList(auditResources),
  includes: allowedList(auditParts),
  'includes[]': allowedList(auditParts),
  from: moment(),
  to: moment(),
  action: oneOf(['CREATE', 'UPDATE', 'DELETE', 'OTHER', 'TIMER_EXPIRED']),
  status: oneOf(['SUCCESS', 'FAILURE']),
  actionType: oneOf(['automation', 'self-service']),
  /** The address of a person, or the id of credentials. */
  actor: queryText(),
  actorKind: oneOf(auditActorKinds),
};

export const auditQuery = z.object({
  ...filters,
  limit: queryInteger({ min: 1, max: 1000, default: 100 }),
  next: queryText(),
});
export type AuditQuery = z.output<typeof auditQuery>;
export type AuditFilters = Omit<AuditQuery, 'limit' | 'next'>;

export const getAuditLog = operation({
  id: 'getAuditLog',
  reads: 'standby',
  method: 'GET',
  path: '/v1/audit-log',
  tag: 'Audit log',
  summary: 'Read the audit log, newest first, page by page',
  description:
    'Filters are joined by "and". Everybody but an administrator must name an `identifier`, an `entity` or a `run_id`, and reads nothing of entities that are gone or that they may not read. `next` of an answer asks for the page after it.',
  access: 'token',
  query: auditQuery,
  answer: z.object({ ok: z.literal(true), audits: z.array(auditRecord.partial()), next: z.string().optional() }),
  errors: ['missing_permissions'],
});

export const auditExportQuery = z.object(filters);

/** The most records of one export. */
export const auditExportMax = 1_000_000;

/** The last line of an export: without it, the answer broke off. */
export const auditExportEnd = z.object({
  done: z.literal(true),
  records: z.int(),
  /** Where the next export goes on (`to`), if there is more than one holds. */
  more: timestamp.nullable(),
});

export const exportAuditLog = operation({
  id: 'exportAuditLog',
  reads: 'standby',
  method: 'GET',
  path: '/v1/audit-log/export',
  tag: 'Audit log',
  summary: 'Save the audit log, newest first, as JSON lines',
  description:
    'The records as the audit log answers them, under the same filters, up to 1,000,000. The last line is ' +
    '`{"done":true,"records":…,"more":null}`; where `more` is a time, `to` with it reads on, beginning with the records ' +
    'of that moment. An answer without this line broke off.',
  access: 'token',
  scope: 'read:audit-log',
  workClass: 'bulk',
  answerType: 'application/x-ndjson',
  query: auditExportQuery,
  answer: z.unknown(),
  errors: ['missing_permissions'],
});

export const auditOperations = [getAuditLog, exportAuditLog] as const;
