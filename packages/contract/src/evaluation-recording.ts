import { z } from 'zod';

const cost = z.number().nullable();
const transcript = z.object({
  invocation: z.string(),
  answer: z.string(),
  error: z.string().optional(),
  provider: z.string(),
  model: z.string(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  runs: z.array(
    z.object({
      id: z.string(),
      action: z.string(),
      entity: z.string().nullable(),
      mode: z.enum(['draft', 'executed']),
      properties: z.record(z.string(), z.json()),
    }),
  ),
  durationMs: z.number(),
  costUsd: cost,
});
const askedAs = z.object({ question: z.string(), prompt: z.string(), model: z.string(), tools: z.string() });
const judgeAnswer = z.object({
  verdict: z.enum(['passes', 'fails', 'cannot tell']),
  reason: z.string(),
  invocation: z.string(),
  provider: z.string(),
  model: z.string(),
  costUsd: cost,
});

/** A file of `portolan eval --record`. */
export const evalRecording = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), asked: askedAs, transcript }),
  z.object({ kind: z.literal('judge'), answer: judgeAnswer }),
  z.object({ kind: z.literal('search'), gold: z.array(z.array(z.string())) }),
]);
export type EvalRecording = z.output<typeof evalRecording>;
