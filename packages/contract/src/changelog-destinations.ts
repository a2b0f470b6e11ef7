import { z } from 'zod';
import { auditResources } from './audit.ts';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

const choices = {
  /** Kinds of things to send; all by default. */
  resources: z.array(z.enum(auditResources)).min(1).max(auditResources.length).nullish(),
  enabled: z.boolean().nullish(),
};
const destinationBody = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('WEBHOOK'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine((url) => !URL.canParse(url) || (!new URL(url).username && !new URL(url).password), {
        error: 'may not hold a user name or password',
      }),
    ...choices,
  }),
  /** The topic `<organization>.change.log` of the operator's message broker. */
  z.strictObject({ type: z.literal('KAFKA'), ...choices }),
]);
export type ChangelogDestinationBody = z.output<typeof destinationBody>;

const destination = z.object({
  id: z.string(),
  type: z.enum(['WEBHOOK', 'KAFKA']),
  /** Absent for a message broker. */
  url: z.string().optional(),
  /** The topic, for a message broker. */
  topic: z.string().optional(),
  resources: z.array(z.string()).optional(),
  enabled: z.boolean(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});

const delivery = z.object({
  /** Events not sent yet. */
  waiting: z.number(),
  /** Failed attempts since the last success. */
  failures: z.number(),
  failingSince: timestamp.nullable(),
  nextAttemptAt: timestamp.nullable(),
  lastError: z.string().nullable(),
  lastSentAt: timestamp.nullable(),
});

const tag = 'Organization';
const params = z.object({ id: z.string().min(1).max(200) });
const oneDestination = z.object({ ok: z.literal(true), destination });

export const listChangelogDestinations = operation({
  id: 'listChangelogDestinations',
  method: 'GET',
  path: '/v1/organization/changelog-destinations',
  tag,
  summary: 'List where the organization sends what changes, and how it goes with each receiver',
  access: 'admin',
  answer: z.object({ ok: z.literal(true), destinations: z.array(destination.extend({ delivery })) }),
  errors: [],
});

export const createChangelogDestination = operation({
  id: 'createChangelogDestination',
  method: 'POST',
  path: '/v1/organization/changelog-destinations',
  tag,
  summary: 'Send every change from now on to an address or a message broker, at least once and in order',
  description:
    'Each change is a signed CloudEvent (binary mode) whose body is the record of the audit log; `idempotency-key` is ' +
    'the same when it is sent again. `KAFKA` puts the same body on the topic `<organization>.change.log` of the broker ' +
    'that the operator set up, with the attributes as headers `ce_…`; without a broker it is refused.',
  access: 'admin',
  status: 201,
  body: destinationBody,
  unknownFields: 'closed',
  answer: oneDestination,
  errors: [],
});

export const replaceChangelogDestination = operation({
  id: 'replaceChangelogDestination',
  method: 'PUT',
  path: '/v1/organization/changelog-destinations/{id}',
  tag,
  summary: 'Replace a changelog destination',
  access: 'admin',
  params,
  body: destinationBody,
  unknownFields: 'closed',
  answer: oneDestination,
  errors: ['not_found'],
});

export const deleteChangelogDestination = operation({
  id: 'deleteChangelogDestination',
  method: 'DELETE',
  path: '/v1/organization/changelog-destinations/{id}',
  tag,
  summary: 'Delete a changelog destination with what was not sent yet',
  access: 'admin',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const changelogDestinationOperations = [
  listChangelogDestinations,
  createChangelogDestination,
  replaceChangelogDestination,
  deleteChangelogDestination,
] as const;
