import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { findActionByKey } from '../action.store.ts';
import { isSelfService } from '../action.ts';
import { decryptInputs, encryptedInputs } from '../inputs/encrypt-inputs.ts';
import { getRun } from './read-runs.ts';
import type { StoredRun } from './run.ts';
import { type StartDeps, startRun } from './start-run.ts';

/**
 * Runs the action of a run once more, as it is now, with the same inputs and entity. Whoever asks is the one who runs, and
 * everything is checked again. @throws AppError as `startRun`
 */
export async function rerunRun(deps: StartDeps, actor: Actor, id: string): Promise<StoredRun> {
  const run = await getRun(deps.database, actor, id);
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, actor.orgId, run.actionKey);
  if (!action) throw notFound('Action', run.actionIdentifier);
  if (!isSelfService(action) || run.action.definition.trigger.type !== 'self-service') {
    const issue = { path: '{path}/run_id', message: 'is a run of an automation, which runs by itself' };
    throw invalidRequest([issue], 'The run');
  }
  const secret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  // the form that the inputs were encrypted by is the one of that run
  const { userInputs } = run.action.definition.trigger;
  const properties = decryptInputs(userInputs, run.properties, secret);
  // what a refusal says of the inputs must not tell them
  for (const key of encryptedInputs(userInputs)) openedFor(actor).add(String(properties[key] ?? ''));
  return startRun(deps, actor, action.identifier, { properties, entity: run.entity });
}
