import { z } from 'zod';
import { integrationParams } from './integrations.ts';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

/** A stopped deletion that waits for an administrator. */
const deletionQuestion = z.object({
  id: z.string(),
  askedAt: timestamp,
  /** Entities of the integration when its resync began. */
  entitiesBefore: z.number(),
  /** Deleted by this resync so far. */
  entitiesDeleted: z.number(),
  /** Deletions in the refused request. */
  refused: z.number(),
  datasource: z.string(),
});
export type DeletionQuestion = z.output<typeof deletionQuestion>;

const deleteGuard = z.object({
  threshold: z.number().nullable(),
  question: deletionQuestion.nullable(),
  /** An administrator lets deletions pass until then. */
  liftedUntil: timestamp.nullable(),
});
export type DeleteGuard = z.output<typeof deleteGuard>;

const tag = 'Integrations';
const answer = z.object({ ok: z.literal(true), deleteGuard });

export const getDeleteGuard = operation({
  id: 'getDeleteGuard',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/delete-guard',
  tag,
  summary: 'Read what an integration may delete in one resync, and what waits for a decision',
  access: 'token',
  params: integrationParams,
  answer,
  errors: ['missing_permissions', 'not_found'],
});

export const putDeleteGuard = operation({
  id: 'putDeleteGuard',
  method: 'PUT',
  path: '/v1/integration/{integration_identifier}/delete-guard',
  tag,
  summary:
    'Stop an integration that deletes more than a share of its entities in one resync; null takes the guard away',
  access: 'admin',
  params: integrationParams,
  body: z.object({ threshold: z.number().min(0).max(1).nullable() }),
  unknownFields: 'closed',
  answer,
  errors: ['not_found'],
});

export const decideDeletion = operation({
  id: 'decideDeletion',
  method: 'POST',
  path: '/v1/integration/{integration_identifier}/delete-guard/decision',
  tag,
  summary: 'Decide on a deletion that was stopped',
  description:
    '`confirm` lets the integration delete until its next resync is completed, at most for a day; a resync is asked for. `decline` forgets the question; the next attempt asks again.',
  access: 'admin',
  params: integrationParams,
  body: z.object({ questionId: z.string().min(1).max(100), decision: z.enum(['confirm', 'decline']) }),
  unknownFields: 'closed',
  answer,
  errors: ['not_found'],
});

export const deleteGuardOperations = [getDeleteGuard, putDeleteGuard, decideDeletion] as const;
