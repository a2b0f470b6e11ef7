import type { Reader } from '../../../platform/db/database.ts';
import { atBody } from '../definitions/bodies.ts';
import { findVersion } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { withoutEncrypted } from '../nodes/run-context.ts';
import { readEndedSteps } from './node-run.store.ts';
import { findWorkflowRun } from './run.store.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * The output of a run's trigger. In a body it has `parent`: what the steps before the one that holds the body gave. Those
 * have ended, so it reads the same however often it is asked. Inputs that a form encrypts are masks in it.
 */
export async function readTrigger(
  reader: Reader,
  orgId: string,
  run: StoredWorkflowRun,
  workflow: StoredWorkflow,
): Promise<Values> {
  if (run.body === null || run.parentRun === null || !namesParent(workflow)) return run.trigger;
  const parent = await findWorkflowRun(reader, orgId, run.parentRun);
  const version = parent && (await findVersion(reader, orgId, parent.workflowKey, parent.version));
  const held = version && atBody(version, parent.body);
  if (!parent || !held) return { ...run.trigger, parent: null };
  const { outputs: ended } = await readEndedSteps(reader, orgId, parent.compensates ?? parent.id);
  const trigger = await readTrigger(reader, orgId, parent, held);
  const outputs = { ...ended, [parent.triggerNode]: trigger, trigger };
  const shown = withoutEncrypted({ outputs }, { workflow: held, run: parent, outputs: ended });
  return { ...run.trigger, parent: shown.outputs };
}

/** Outputs may be large, and most bodies read their item alone. */
function namesParent({ definition }: StoredWorkflow): boolean {
  return JSON.stringify(definition.nodes).includes('parent');
}
