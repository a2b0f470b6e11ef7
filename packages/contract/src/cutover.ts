import { z } from 'zod';
import { operation } from './operation.ts';
import { cutoverStage, organizationId } from './operator.ts';
import { timestamp } from './wire.ts';

const finding = z.object({ code: z.string(), path: z.string(), message: z.string(), blocks: z.boolean() });

/** An agent in the cutover: up to date, updatable automatically, or waiting for a person. */
const agentReport = z.object({
  identifier: z.string(),
  state: z.enum(['current', 'behind', 'blocked']),
  /** The fields that would change, or must be changed. */
  changes: z.record(z.string(), z.json()),
  findings: z.array(finding),
});

/** Something that uses a form which a later stage removes. */
const blocker = z.object({
  kind: z.enum(['caller', 'automation', 'widget']),
  subject: z.string(),
  message: z.string(),
  calls: z.number().int().optional(),
  lastAt: timestamp.optional(),
});
export type CutoverBlocker = z.output<typeof blocker>;

const behaviour = z.object({
  endpoint: z.enum(['assistant', 'agent', 'router']),
  stream: z.boolean().nullable(),
  useMcp: z.boolean().nullable(),
  answer: z.enum(['stream', 'identifier', 'endpoint_removed', 'ai_not_enabled']),
});

/** An organization's stage in the cutover, and what blocks the next one. */
const cutoverReport = z
  .object({
    stage: cutoverStage,
    operatorUpdated: z.boolean(),
    /** When the router is removed, if a clock decides it. */
    sunset: timestamp,
    notice: z.string(),
    chatApplication: z.object({ stopped: z.boolean(), since: timestamp, message: z.string() }),
    endpoints: z.array(behaviour),
    blockers: z.array(blocker),
    agents: z.array(agentReport),
    /** What was done at each move, newest first. */
    steps: z.array(
      z.object({ at: timestamp, kind: z.string(), subject: z.string(), details: z.record(z.string(), z.json()) }),
    ),
    migrationPaths: z.record(z.string(), z.json()),
  })
  .meta({ id: 'CutoverReport' });
export type CutoverReport = z.output<typeof cutoverReport>;

const answer = z.object({ ok: z.literal(true), cutover: cutoverReport });

export const getCutover = operation({
  id: 'getCutover',
  method: 'GET',
  path: '/v1/ai/cutover',
  tag: 'AI assistant',
  summary: 'Read where the organization stands in the cutover to the new assistant',
  access: 'admin',
  invalidStatus: 400,
  answer,
  errors: [],
});

export const getOrganizationCutover = operation({
  id: 'getOrganizationCutover',
  method: 'GET',
  path: '/v1/operator/organizations/{organization_id}/cutover',
  tag: 'Operator',
  summary: 'Read where an organization stands in the cutover to the new assistant',
  access: 'operator',
  params: organizationId,
  answer,
  errors: ['not_found'],
});

const rehearsal = z.object({ stage: cutoverStage.optional(), operatorUpdated: z.boolean().optional() });

export const rehearseCutover = operation({
  id: 'rehearseCutover',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/ai/cutover/rehearse',
  tag: 'AI assistant',
  summary: 'Rehearse a stage of the cutover: how each path would answer, and what would happen to agents and widgets',
  description: 'Writes nothing. Stages are moved by the operator of the installation, or by a clock.',
  access: 'admin',
  invalidStatus: 400,
  body: rehearsal,
  unknownFields: 'closed',
  answer,
  errors: [],
});

export const simulateCutover = operation({
  id: 'simulateCutover',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/operator/organizations/{organization_id}/cutover/simulate',
  tag: 'Operator',
  summary: 'Rehearse a stage: how each path would answer, and what would happen to agents and widgets',
  description: 'Writes nothing.',
  access: 'operator',
  params: organizationId,
  body: rehearsal,
  unknownFields: 'closed',
  answer,
  errors: ['not_found'],
});

const chatAnswer = z.object({ ok: z.literal(true) });

/** The chat application's inbound addresses: gone since 1 October 2025, without a successor. */
export const chatApplicationEvent = operation({
  id: 'chatApplicationEvent',
  method: 'POST',
  path: '/v1/chat-application/{route}',
  aliases: ['/v1/slack/{route}', '/slack/{route}'],
  tag: 'AI assistant',
  summary: 'Inbound address of the chat application (removed)',
  deprecated: true,
  access: 'public',
  params: z.object({ route: z.string().max(100) }),
  answer: chatAnswer,
  errors: ['endpoint_removed', 'not_implemented'],
});

export const cutoverOperations = [
  getCutover,
  rehearseCutover,
  getOrganizationCutover,
  simulateCutover,
  chatApplicationEvent,
] as const;
