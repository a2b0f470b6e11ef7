import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { carrying, nameAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import { findActionByKey } from '../action.store.ts';
import { isSelfService } from '../action.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import { plainInputs } from './plain-inputs.ts';
import { getRun } from './read-runs.ts';
import { findRunLabel } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { type StartDeps, startRun } from './start-run.ts';

/**
 * Starts the run's current action with the same inputs and entity. The caller becomes the requester, and everything is
 * checked again.
 * @throws AppError as `startRun`
 */
export async function rerunRun(deps: StartDeps, actor: Actor, id: string): Promise<StoredRun> {
  const run = await getRun(deps.database, actor, id);
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, actor.orgId, run.actionKey);
  if (!action) throw notFound('Action', run.actionIdentifier);
  if (!isSelfService(action) || run.action.definition.trigger.type !== 'self-service') {
    const issue = { path: '{path}/run_id', message: 'is a run of an automation, which runs by itself' };
    throw invalidRequest([issue], 'The run');
  }
  const properties = await plainInputs(deps, actor, run, action);
  // error messages must not reveal decrypted inputs
  for (const key of encryptedInputs(run.action.definition.trigger.userInputs)) {
    const value = properties[key];
    if (value !== run.properties[key]) openedFor(actor).add(typeof value === 'string' ? value : JSON.stringify(value));
  }
  const others = await findOtherAuthors(deps, actor, run);
  const starting = others.length === 0 ? actor : carrying(actor, others);
  return startRun(deps, starting, action.identifier, { properties, entity: run.entity });
}

/** What others wrote into the earlier run stays theirs: whoever led to it, and whoever asked for it. */
async function findOtherAuthors(
  { database }: StartDeps,
  actor: Actor,
  { id, createdBy, createdByKind }: StoredRun,
): Promise<readonly TextAuthor[]> {
  const label = await findRunLabel(database, actor.orgId, id);
  return createdBy === actor.id ? label : [...label, nameAuthor({ kind: createdByKind, id: createdBy })];
}
