import { JqError } from '@portolan/jq';
import { AppError } from '../../platform/errors.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import type { EntityFailure } from './data-migration-outcomes.store.ts';

const messageMax = 1_000;
const issuesMax = 20;

/** @throws the error itself unless it is a refusal: the job retries then */
export function entityFailure(
  { key, identifier }: Pick<StoredEntity, 'key' | 'identifier'>,
  error: unknown,
): EntityFailure {
  const base = { entityKey: key, identifier };
  if (error instanceof JqError) {
    return { ...base, code: 'invalid_request', message: error.message.slice(0, messageMax), details: null };
  }
  if (!(error instanceof AppError)) throw error;
  const { code, message, details } = error;
  return {
    ...base,
    code,
    message: message.slice(0, messageMax),
    details: Array.isArray(details) ? details.slice(0, issuesMax) : null,
  };
}
