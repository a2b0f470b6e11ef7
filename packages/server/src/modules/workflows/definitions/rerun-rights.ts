import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { resolveForm } from '../../actions/index.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { readForm } from './rules/node-rules.ts';
import { startRights } from './trigger-rights.ts';
import type { StoredWorkflow } from './workflow.ts';

/**
 * Whoever may start a workflow by a trigger now may run its runs again; what no form starts, administrators may.
 * @throws AppError `missing_permissions`, `trigger_unpublished`
 */
export async function checkRerun(
  deps: DefinitionsDeps,
  actor: Actor,
  current: StoredWorkflow,
  triggerNode: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<void> {
  const node = current.definition.nodes.find(({ identifier }) => identifier === triggerNode);
  if (!node || node.config['published'] === false) {
    const message = `The trigger "${triggerNode}" of the workflow "${current.identifier}" is not published any more`;
    throw new AppError('trigger_unpublished', message);
  }
  if (isAdmin(actor)) return;
  const mayStart =
    node.config.type === 'SELF_SERVE_TRIGGER' && (await mayStartByForm(deps, actor, current, triggerNode, inputs));
  if (mayStart) return;
  const message = `You may not start the workflow "${current.identifier}" by "${triggerNode}", and so not run it again`;
  throw new AppError('missing_permissions', message);
}

async function mayStartByForm(
  deps: DefinitionsDeps,
  actor: Actor,
  current: StoredWorkflow,
  triggerNode: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const node = current.definition.nodes.find(({ identifier }) => identifier === triggerNode);
  if (!node) return false;
  const rights = await startRights(deps, deps.database, actor, [current.key]);
  const { context } = await resolveForm(deps, actor, readForm(node.config['userInputs']) ?? { properties: {} }, inputs);
  return rights.mayStart(current, node, context.form);
}
