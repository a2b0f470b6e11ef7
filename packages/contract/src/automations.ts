import { z } from 'zod';
import { actionParams } from './actions.ts';
import { operation } from './operation.ts';

const testAutomationBody = z
  .strictObject({
    /** Of a record in the audit log: `event_…`. */
    eventId: z.string().min(1).max(200).nullish(),
    /** An event to try, which need not have happened. */
    event: z.record(z.string(), z.json()).nullish(),
  })
  .superRefine(({ eventId, event }, context) => {
    if (Boolean(eventId) === Boolean(event)) {
      context.addIssue({ code: 'custom', path: ['eventId'], message: 'is needed, or "event"; not both' });
    }
  });
export type TestAutomationBody = z.output<typeof testAutomationBody>;

const automationTest = z.object({
  matches: z.boolean(),
  /** Whether it is published; a paused automation is tested as if it were. */
  isPublished: z.boolean(),
  event: z.json(),
  trigger: z.object({ matches: z.boolean(), reason: z.string().optional() }),
  condition: z.object({
    holds: z.boolean(),
    combinator: z.enum(['and', 'or']),
    expressions: z.array(
      z.object({
        expression: z.string(),
        holds: z.boolean(),
        result: z.json().optional(),
        error: z.string().optional(),
      }),
    ),
  }),
  /** What would be sent, secrets masked; null if it cannot be rendered. */
  request: z.record(z.string(), z.json()).nullable(),
  /** What fails to render, in sentences. */
  problems: z.array(z.string()),
});
export type AutomationTest = z.output<typeof automationTest>;

export const testAutomation = operation({
  id: 'testAutomation',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/actions/{action_identifier}/test',
  tag: 'Actions',
  summary: 'Ask an automation what it would do about an event; nothing is executed',
  description: 'Give the `eventId` of a record of the audit log, or an `event` of your own.',
  access: 'admin',
  scope: 'create:actions',
  params: actionParams,
  body: testAutomationBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), test: automationTest }),
  errors: ['not_found'],
});

export const automationOperations = [testAutomation] as const;
