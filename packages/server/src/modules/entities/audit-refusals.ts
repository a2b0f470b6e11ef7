import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Failure, RecordFailures } from '../journal/index.ts';

/** Refusals by rights reveal nothing about data, and would let anybody fill the log. */
const unrecorded = new Set<AppError['code']>(['unauthorized', 'missing_permissions']);

/** The attempted write: the entity, if the request names it. */
interface Attempt {
  readonly action: Failure['action'];
  readonly blueprint: string;
  readonly identifier: string | undefined;
}

/** Runs the write; a refusal is recorded in the audit log and thrown again. */
export async function notingRefusal<T>(
  { recordFailures }: { readonly recordFailures: RecordFailures },
  actor: Actor,
  attempt: Attempt,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof AppError) await noteRefusals({ recordFailures }, actor, [{ ...attempt, error }]);
    throw error;
  }
}

/** Records items of a bulk request that were refused while others were written. */
export async function noteRefusals(
  { recordFailures }: { readonly recordFailures: RecordFailures },
  actor: Actor,
  refused: readonly (Attempt & { readonly error: AppError })[],
): Promise<void> {
  const failures = refused
    .filter(({ error }) => !unrecorded.has(error.code) && error.status < 500)
    .map(({ action, blueprint, identifier, error }) => ({
      action,
      resourceType: 'entity' as const,
      identifier: identifier ?? '',
      context: { blueprint, ...(identifier === undefined ? {} : { entity: identifier }) },
      error,
    }));
  await recordFailures(actor, failures);
}
