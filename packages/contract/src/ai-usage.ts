import { z } from 'zod';
import { monthlyQuotaUsage, rateLimitUsage } from './invocation-stream.ts';
import { timestamp } from './wire.ts';

const figures = z.object({
  invocations: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  inProgress: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  toolCalls: z.number().int(),
  /** Sum of the known costs; null if none is known. */
  costUsd: z.number().nullable(),
  /** Ended invocations without a known cost. */
  uncosted: z.number().int(),
});
export type AiUsageFigures = z.output<typeof figures>;

export const aiUsageAnswer = z.object({
  ok: z.literal(true),
  from: timestamp,
  to: timestamp,
  interval: z.enum(['hour', 'day', 'week', 'month']),
  totals: figures,
  series: z.array(figures.extend({ startsAt: timestamp })),
  /** The twenty agents with most invocations; null is the general assistant. */
  agents: z.array(figures.extend({ agent: z.string().nullable() })),
  /** The twenty people who asked most. */
  people: z.array(figures.extend({ askedBy: z.string() })),
});

export const aiLimitsAnswer = z.object({
  ok: z.literal(true),
  plan: z.enum(['free', 'standard', 'enterprise']),
  monthlyQuotaUsage,
  rateLimitUsage,
  /** Days after which questions, answers and logs are deleted; figures stay. */
  contentDays: z.number().int(),
});
