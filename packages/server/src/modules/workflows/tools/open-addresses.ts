import { isRecord } from '@portolan/contract/json-value';
import { openAddressOfForm } from '../../actions/index.ts';
import { listAllNodes, withoutBodies } from '../definitions/bodies.ts';
import { triggerForm } from '../definitions/start-form.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';

/** What no input of a form reaches. */
const fixed = new Set<unknown>(['secrets', 'workflow', 'workflowNodeRun']);

/**
 * Why a run of the workflow may send data to an address that its author did not fix. Every text called `url` counts,
 * wherever in a node it stands, and so do the receivers of a notification. Steps inside a step read what any of the inputs
 * may have become.
 */
export function openAddressIn(
  { definition }: StoredWorkflow,
  trigger: WorkflowNode,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const { properties: inputs } = triggerForm(trigger);
  const readOf = (path: readonly unknown[]) => {
    const [root, first, second] = path;
    if (fixed.has(root) || root === 'workflowRun' || root === 'run') return 'fixed';
    if (root === 'inputs' && typeof first === 'string') return { key: first, isInside: path.length > 2 };
    const isOfForm = root === 'outputs' && (first === 'trigger' || first === trigger.identifier);
    if (isOfForm && typeof second === 'string') return { key: second, isInside: path.length > 3 };
    // outputs of other steps may repeat any input
    return 'anything';
  };
  const readInBody = ([root]: readonly unknown[]) => (fixed.has(root) ? 'fixed' : 'anything');
  const ownNodes = new Set<unknown>(definition.nodes);
  for (const { part } of listAllNodes(definition)) {
    const { identifier, config } = part;
    for (const url of [...listAddresses(withoutBodies(config)), ...receiversOfNotice(config)]) {
      const read = ownNodes.has(part) ? readOf : readInBody;
      const why = openAddressOfForm({ url, inputs, values, fixed, readOf: read });
      if (why) return `${why} (step "${identifier}")`;
    }
  }
  return undefined;
}

/** Mails and notices go to people of the organization alone. */
function receiversOfNotice({ type, target, to }: WorkflowNode['config']): string[] {
  if (type !== 'NOTIFY' || target === 'email' || target === 'portal') return [];
  return [to].flat().filter((each): each is string => typeof each === 'string');
}

function listAddresses(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listAddresses);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'url' && typeof member === 'string' ? [member] : listAddresses(member),
  );
}
