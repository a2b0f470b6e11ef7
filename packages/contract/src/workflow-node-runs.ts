import { z } from 'zod';
import { operation } from './operation.ts';
import { queryList, timestamp } from './wire.ts';
import { nodeRunSchema, workflowResults } from './workflow-runs.ts';

const tag = 'Workflow runs';
const nodeRunParams = z.object({ node_run_id: z.string().min(1).max(200) });

/** Whom webhooks with `agent: true` are offered to. */
export const agentInstallation = '_PORT_EXEC_AGENT';

/**
 * A node run as programs that execute it read it. `output` is what the node gave so far, without its variables, because
 * a program that starts again sends it back.
 */
export const offeredNodeRun = z.object({
  identifier: z.string(),
  /** The same for the same node in every run: what `exclude` names. */
  nodeUid: z.string(),
  status: z.enum(['IN_PROGRESS', 'COMPLETED']),
  result: z.enum(workflowResults).nullable(),
  /** What it is to do; at a claim with its secrets. */
  config: z.record(z.string(), z.json()).optional(),
  output: z.record(z.string(), z.json()),
  links: z.array(z.string()),
  externalRunId: z.string().nullable(),
  workflowIdentifier: z.string(),
  workflowRunIdentifier: z.string(),
  nodeIdentifier: z.string(),
  createdAt: timestamp,
});
export type OfferedNodeRun = z.input<typeof offeredNodeRun>;

export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;

const level = z.preprocess(
  (given) => (given === 'WARNING' ? 'WARN' : typeof given === 'string' ? given.toUpperCase() : given),
  z.enum(logLevels),
);
const line = z.string().max(100_000);

/** A line of a log; `logLevel` and `log` are other names of its level and message. */
const logLine = z
  .object({
    level: level.optional(),
    message: line.optional(),
    logLevel: level.optional(),
    log: line.optional(),
    tags: z.json().optional(),
  })
  .refine(({ message, log }) => (message ?? log) !== undefined, { path: ['message'], error: 'is missing' })
  .transform(({ level: named, logLevel, message, log, tags }) => ({
    level: named ?? logLevel ?? 'INFO',
    message: message ?? log ?? '',
    ...(tags === undefined ? {} : { tags }),
  }))
  .meta({
    type: 'object',
    properties: {
      level: { type: 'string', enum: [...logLevels] },
      message: { type: 'string', maxLength: 100_000 },
      tags: {},
    },
    required: ['message'],
  });

const logLines = z.array(logLine).max(1000);
export type NodeRunLogLine = z.output<typeof logLine>;

const storedLogLine = z.object({
  level: z.enum(logLevels),
  message: z.string(),
  tags: z.json(),
  createdAt: timestamp,
});

const nodeRunReport = z
  .object({
    status: z.enum(['IN_PROGRESS', 'COMPLETED']).nullish(),
    result: z.enum(workflowResults).nullish(),
    output: z.json().optional(),
    links: z.array(z.string().max(10_000)).max(100).nullish(),
    externalRunId: z.string().max(1000).nullish(),
    logs: logLines.nullish(),
  })
  .refine(({ status, result }) => status !== 'COMPLETED' || (result ?? undefined) !== undefined, {
    path: ['result'],
    error: 'is required when status is COMPLETED',
  });
export type NodeRunReportBody = z.output<typeof nodeRunReport>;

export const claimNodeRuns = operation({
  id: 'claimNodeRuns',
  method: 'POST',
  path: '/v1/workflows/runs/claim-pending',
  aliases: ['/v1/org/{org_id}/workflows/runs/claim-pending'],
  tag,
  summary: 'Claim node runs of workflows that wait for an installed integration or for the agent',
  description:
    'A claim ends by itself unless it is acknowledged. The answer holds the secrets that the node sends, so only programs with credentials of the organization claim, and a client that was installed for one integration claims that one alone.',
  access: 'token',
  scope: 'execute:actions',
  body: z.object({
    installationId: z.string().min(1).max(1000),
    limit: z.number().int().min(1).max(1000).default(10),
    visibilityTimeoutMs: z.number().int().min(1).max(600_000).default(60_000),
    exclude: z.array(z.string().max(1000)).max(1000).nullish(),
  }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), nodeRuns: z.array(offeredNodeRun) }),
  errors: ['missing_permissions'],
});

export const acknowledgeNodeRun = operation({
  id: 'acknowledgeNodeRun',
  method: 'PATCH',
  path: '/v1/workflows/runs/ack',
  aliases: ['/v1/org/{org_id}/workflows/runs/ack'],
  tag,
  summary: 'Acknowledge a claimed node run; the first to do so executes it',
  access: 'token',
  scope: 'execute:actions',
  body: z.object({ nodeRunIdentifier: z.string().min(1).max(200) }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), acked: z.literal(true) }),
  errors: ['missing_permissions', 'not_found', 'run_acknowledged', 'node_run_ended'],
});

export const listNodeRuns = operation({
  id: 'listNodeRuns',
  method: 'GET',
  path: '/v1/workflows/nodes/runs',
  tag,
  summary: 'Find the node runs of an outside run',
  description:
    'Without `external_run_id`, none is found. `include=nodeConfig` adds what each was to do, with secrets masked.',
  access: 'token',
  scope: 'read:runs',
  query: z.object({ external_run_id: z.string().min(1).max(1000).optional(), include: queryList() }),
  answer: z.object({ ok: z.literal(true), nodeRuns: z.array(offeredNodeRun) }),
  errors: ['missing_permissions'],
});

export const reportNodeRun = operation({
  id: 'reportNodeRun',
  method: 'PATCH',
  path: '/v1/workflows/nodes/runs/{node_run_id}',
  aliases: ['/v1/workflows/runs/{run_id}/nodes/{node_run_id}'],
  tag,
  summary: 'Report on a node run: progress, or its end',
  description:
    '`output` replaces what was reported before. The same end reported again is accepted; another end of a node run that has ended is not.',
  access: 'token',
  scope: 'update:runs',
  params: nodeRunParams,
  body: nodeRunReport,
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), run: nodeRunSchema }),
  errors: ['missing_permissions', 'not_found', 'node_run_ended'],
});

export const addNodeRunLogs = operation({
  id: 'addNodeRunLogs',
  method: 'POST',
  path: '/v1/workflows/nodes/runs/{node_run_id}/logs',
  tag,
  summary: 'Add lines to the log of a node run',
  access: 'token',
  scope: 'update:runs',
  params: nodeRunParams,
  body: z.object({ logs: logLines.min(1) }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), logs: z.array(storedLogLine) }),
  errors: ['missing_permissions', 'not_found', 'node_run_ended'],
});

export const getNodeRunLogs = operation({
  id: 'getNodeRunLogs',
  method: 'GET',
  path: '/v1/workflows/nodes/runs/{node_run_id}/logs',
  tag,
  summary: 'Read the log of a node run, oldest first',
  access: 'token',
  scope: 'read:runs',
  params: nodeRunParams,
  answer: z.object({ ok: z.literal(true), logs: z.array(storedLogLine) }),
  errors: ['not_found'],
});

/** Fixed names come before `{run_id}`. */
export const workflowNodeRunOperations = [
  claimNodeRuns,
  acknowledgeNodeRun,
  listNodeRuns,
  reportNodeRun,
  addNodeRunLogs,
  getNodeRunLogs,
] as const;
