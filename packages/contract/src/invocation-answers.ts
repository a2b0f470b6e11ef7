import { z } from 'zod';
import { affectedEntity, inputOrigin, runSchema, runStatuses } from './action-runs.ts';
import { auditRecord } from './audit.ts';
import { invocationStatus, invocationUsage } from './invocation-stream.ts';
import { timestamp } from './wire.ts';

/** A run that an invocation started, or proposed as a draft. */
const invocationRun = z
  .object({
    runId: z.string(),
    action: z.string(),
    entity: z.string().nullable(),
    /** `draft` if a person had to decide, whatever the decision. */
    mode: z.enum(['draft', 'executed']),
    status: z.enum(runStatuses),
    toolCall: z.string(),
    url: z.string(),
  })
  .meta({ id: 'InvocationRun' });
export type InvocationRun = z.output<typeof invocationRun>;

/** The answer of `GET /v1/ai/invoke/{id}`: 200 also while it runs and when it failed; `error` is a code (assistant reference §1.6). */
export const invocationAnswer = z.object({
  ok: z.literal(true),
  result: z.object({
    status: invocationStatus,
    message: z.string().optional(),
    error: z.string().optional(),
    invocationIdentifier: z.string(),
    selectedAgent: z.string().optional(),
    usage: invocationUsage.optional(),
    runs: z.array(invocationRun).optional(),
  }),
});

/** A row of the list, without answers and logs. */
const invocationSummary = z
  .object({
    identifier: z.string(),
    status: invocationStatus,
    prompt: z.string(),
    askedAt: timestamp,
    repliedAt: timestamp.nullable(),
    askedBy: z.string().nullable(),
    agent: z.string().nullable(),
    error: z.string().nullable(),
    labels: z.record(z.string(), z.json()),
    provider: z.string(),
    model: z.string(),
  })
  .meta({ id: 'InvocationSummary' });

/** Newest first; `next` is absent on the last page. */
export const invocationsAnswer = z.object({
  ok: z.literal(true),
  invocations: z.array(invocationSummary),
  next: z.string().optional(),
});

const runEvidence = z.object({
  run: runSchema,
  /** Decisions in order; `DRAFT` is the assistant's gate, `APPROVAL` the action's. */
  approvals: z.array(
    z.object({
      userId: z.string(),
      gate: z.enum(['DRAFT', 'APPROVAL']),
      state: z.enum(['APPROVED', 'DECLINED']),
      description: z.string().nullable(),
      at: timestamp,
    }),
  ),
  /** Entities written for the run. */
  entities: z.array(affectedEntity),
  /** Audit records of the run, oldest first, if the caller may read them. */
  audits: z.array(auditRecord.partial()),
});
export type RunEvidence = z.output<typeof runEvidence>;

/** From the question to what it changed. */
export const invocationEvidence = z.object({
  ok: z.literal(true),
  evidence: z.object({
    invocation: invocationSummary,
    toolCalls: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        arguments: z.string(),
        result: z.string().optional(),
        isError: z.boolean().optional(),
        runId: z.string().optional(),
      }),
    ),
    /** What went to connected servers: of each argument its size and where its value stands. */
    egress: z.array(
      z.object({
        call: z.string(),
        server: z.string(),
        tool: z.string(),
        /** The rule that let it go; if `observed`, the one that would have kept it. */
        rule: z.string(),
        observed: z.boolean(),
        arguments: z.array(z.object({ name: z.string(), bytes: z.int(), origin: inputOrigin })),
        at: timestamp,
      }),
    ),
    runs: z.array(runEvidence),
  }),
});
export type InvocationEvidence = z.output<typeof invocationEvidence>['evidence'];
