import { z } from 'zod';
import { invocationStatus, invocationUsage } from './invocation-stream.ts';
import { timestamp } from './wire.ts';

/** The answer of `GET /v1/ai/invoke/{id}`: 200 also while it runs and when it failed; `error` is a code (§1.6). */
export const invocationAnswer = z.object({
  ok: z.literal(true),
  result: z.object({
    status: invocationStatus,
    message: z.string().optional(),
    error: z.string().optional(),
    invocationIdentifier: z.string(),
    selectedAgent: z.string().optional(),
    usage: invocationUsage.optional(),
  }),
});
export type InvocationAnswer = z.output<typeof invocationAnswer>;

/** One row of the invocations list: what a person looks through, without answers and logs. */
export const invocationSummary = z
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
export type InvocationSummary = z.output<typeof invocationSummary>;

/** The answer of `GET /v1/ai/invocations`: newest first; `next` is absent on the last page. */
export const invocationsAnswer = z.object({
  ok: z.literal(true),
  invocations: z.array(invocationSummary),
  next: z.string().optional(),
});
export type InvocationsAnswer = z.output<typeof invocationsAnswer>;
