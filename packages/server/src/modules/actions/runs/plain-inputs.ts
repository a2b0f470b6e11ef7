import type { Issue } from '@portolan/contract/errors';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import type { SelfServiceAction } from '../action.ts';
import { decryptInputs, encryptedInputs } from '../inputs/encrypt-inputs.ts';
import type { StoredRun } from './run.ts';
import type { StartDeps } from './start-run.ts';

/**
 * A run's inputs as plain text, to be checked and encrypted again for the current action. Values sealed for the holder
 * of a key stay sealed.
 * @throws AppError `invalid_request` if a value cannot be decrypted any more, or was sealed for another key
 */
export async function plainInputs(
  deps: StartDeps,
  actor: Actor,
  run: StoredRun,
  { definition }: SelfServiceAction,
): Promise<Record<string, unknown>> {
  const before = run.action.definition.trigger;
  // only self-service actions have inputs
  if (before.type !== 'self-service') return {};
  const secret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  const { userInputs } = before;
  const { properties: now } = definition.trigger.userInputs;
  const moved = encryptedInputs(userInputs).flatMap((key): Issue[] => {
    const [was, is] = [userInputs.properties[key]?.encryption, now[key]?.encryption];
    const isOther = typeof was === 'object' && typeof is === 'object' && was?.key !== is?.key;
    if (!isOther || run.properties[key] === undefined) return [];
    return [{ path: `/properties/${key}`, message: 'was sealed for a key that was replaced since; enter it again' }];
  });
  if (moved.length > 0) throw invalidRequest(moved, 'The run');
  return { ...decryptInputs(userInputs, run.properties, secret) };
}
