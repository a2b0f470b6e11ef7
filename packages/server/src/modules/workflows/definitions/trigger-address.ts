import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { findHookName, renewHook } from './hook.store.ts';
import { getWorkflow, nodeIn } from './read-workflows.ts';
import { lockCurrent } from './workflow.store.ts';

type Deps = DefinitionsDeps & { readonly publicUrl: () => string };

/** Where others call a trigger. @throws AppError `not_found` */
export async function getTriggerAddress(deps: Deps, actor: Actor, identifier: string, node: string): Promise<string> {
  const workflow = await getWorkflow(deps, actor, identifier);
  nodeIn(workflow, node);
  const name = await findHookName(deps.database, actor.orgId, workflow.key, node);
  if (!name) throw notFound('Address of the trigger', node);
  return toAddress(deps, name);
}

/** Another address for a trigger; the old one is unknown from then on. @throws AppError `not_found` */
export async function rotateTriggerAddress(
  deps: Deps,
  actor: Actor,
  identifier: string,
  node: string,
): Promise<string> {
  await getWorkflow(deps, actor, identifier);
  const name = await deps.unitOfWork(actor, async (work) => {
    const workflow = await lockCurrent(work.tx, actor.orgId, identifier);
    if (!workflow) throw notFound('Workflow', identifier);
    nodeIn(workflow, node);
    const renewed = await renewHook(work.tx, actor.orgId, workflow.key, node, work.now);
    if (!renewed) throw notFound('Address of the trigger', node);
    work.record({
      event: 'workflow.address-rotated',
      action: 'OTHER',
      resourceType: 'workflow',
      identifier,
      context: { workflow: identifier, node },
      message: `The trigger "${node}" has another address`,
    });
    return renewed;
  });
  return toAddress(deps, name);
}

function toAddress({ publicUrl }: Deps, name: string): string {
  return `${publicUrl().replace(/\/+$/, '')}/v1/workflow-triggers/${name}`;
}
