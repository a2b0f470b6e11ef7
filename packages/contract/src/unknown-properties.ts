import { z } from 'zod';
import { blueprintParams, schemaProperty } from './blueprints.ts';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

/** A definition guessed from the last value. */
const guessedProperty = schemaProperty.pick({ type: true, format: true, items: true });
const unknownProperty = z.object({
  property: z.string(),
  guess: guessedProperty,
  /** Senders by `$datasource`, updated once an hour. */
  sources: z.array(z.object({ datasource: z.string(), firstSeen: timestamp, lastSeen: timestamp })),
});
export type UnknownBlueprintProperty = z.output<typeof unknownProperty>;

export const listUnknownProperties = operation({
  id: 'listUnknownProperties',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/unknown-properties',
  tag: 'Blueprints',
  summary: 'List what integrations and webhooks send that the blueprint has no property for',
  description:
    'Their values are dropped. Each comes with the definition that its last value suggests, to be added with `PATCH /v1/blueprints/{blueprint_identifier}`, and leaves the list 30 days after it was sent last.',
  access: 'token',
  params: blueprintParams,
  answer: z.object({ ok: z.literal(true), properties: z.array(unknownProperty) }),
  errors: ['not_found'],
});

export const unknownPropertyOperations = [listUnknownProperties] as const;
