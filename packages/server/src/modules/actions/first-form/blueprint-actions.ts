import type { BlueprintActionBody } from '@portolan/contract/blueprint-actions';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { readableBlueprint } from '../../entities/index.ts';
import { actionsOfBlueprint } from '../action.store.ts';
import { actionBlueprint, isSelfService, type SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { getAction, listActions } from '../read-actions.ts';
import { createActionWithin, removeAction, replaceActionWithin } from '../write-actions.ts';
import { fromFirstForm } from './first-form.ts';

/** Self-service actions of a blueprint that the caller may see. @throws AppError `not_found` */
export async function listBlueprintActions(
  deps: ActionsDeps,
  actor: Actor,
  blueprint: string,
): Promise<SelfServiceAction[]> {
  await readableBlueprint(deps.catalog, actor, blueprint);
  const actions = await listActions(deps.database, actor, { blueprint_identifier: [blueprint] });
  return actions.filter(isSelfService);
}

/** @throws AppError `not_found`, also for an action of another blueprint */
export async function getBlueprintAction(
  deps: ActionsDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
): Promise<SelfServiceAction> {
  const action = await getAction(deps.database, actor, identifier);
  if (!isSelfService(action) || actionBlueprint(action.definition) !== blueprint) throw notFound('Action', identifier);
  return action;
}

/**
 * Replaces the self-service actions of a blueprint in one transaction; its automations stay.
 * @throws AppError `invalid_request`, `identifier_taken`, `not_found`
 */
export async function replaceBlueprintActions(
  deps: ActionsDeps,
  actor: Actor,
  blueprint: string,
  bodies: readonly BlueprintActionBody[],
): Promise<void> {
  const { key } = await readableBlueprint(deps.catalog, actor, blueprint);
  const names = bodies.map(({ identifier }) => identifier);
  const twice = names.flatMap((name, at) => (names.indexOf(name) === at ? [] : [{ name, at }]));
  if (twice.length > 0) {
    const issues = twice.map(({ name, at }) => ({ path: `/${at}/identifier`, message: `"${name}" is there twice` }));
    throw invalidRequest(issues, 'The list');
  }
  const wanted = bodies.map((body) => fromFirstForm(blueprint, body));
  await deps.unitOfWork(actor, async (work) => {
    const there = (await actionsOfBlueprint(work.tx, actor.orgId, key)).filter(isSelfService);
    for (const action of there.filter(({ identifier }) => !names.includes(identifier)))
      await removeAction(work, action);
    for (const body of wanted) {
      const isThere = there.some(({ identifier }) => identifier === body.identifier);
      await (isThere ? replaceActionWithin(work, body.identifier, body) : createActionWithin(work, body));
    }
  });
}
