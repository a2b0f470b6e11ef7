import { type Actor, systemActor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { getEntity } from '../../entities/index.ts';
import { actionBlueprint, type SelfServiceAction, type StoredAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { RunSubject } from './run-rights.ts';

/** Reads the subject of a run, without checking the right to run it. */
export async function buildSubject(
  deps: ActionsDeps,
  { orgId, model }: Actor,
  action: StoredAction,
  entity: string | null,
  inputs: Readonly<Record<string, unknown>>,
): Promise<RunSubject> {
  const blueprint = actionBlueprint(action.definition);
  if (entity === null || blueprint === undefined) return { action, entity: undefined, inputs };
  try {
    const found = await getEntity(deps.catalog, systemActor(orgId, model), blueprint, entity);
    return { action, entity: found.entity, inputs };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return { action, entity: undefined, inputs };
    }
    throw error;
  }
}

/**
 * The entity of a run, which the operation requires or forbids; an unreadable one counts as missing.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function entityFor(
  deps: ActionsDeps,
  actor: Actor,
  action: SelfServiceAction,
  named: string | null | undefined,
): Promise<string | null> {
  const { operation, blueprintIdentifier: blueprint } = action.definition.trigger;
  if (operation === 'CREATE' || !blueprint) return null;
  if (!named) {
    const message = `is required: the action "${action.identifier}" acts on an entity of "${blueprint}"`;
    throw invalidRequest([{ path: '/entity', message }], 'The run');
  }
  await getEntity(deps.catalog, actor, blueprint, named);
  return named;
}
