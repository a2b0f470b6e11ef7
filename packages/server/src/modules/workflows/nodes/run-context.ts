import type { UserInputs } from '@portolan/contract/action-inputs';
import type { Reader } from '../../../platform/db/database.ts';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import { findPersonFacts } from '../../accounts/index.ts';
import { encryptedInputs } from '../../actions/index.ts';
import type { NodeCall } from './node-kind.ts';

type Values = Readonly<Record<string, unknown>>;

/** What templates of a node read, without secrets. */
export interface RunContext extends Values {
  readonly outputs: Values;
}

/** All of it; who wrote each, `read-authors.ts` says. */
export interface RunMembers extends Pick<RunContext, 'outputs'> {
  readonly workflow: Values;
  readonly workflowRun: Values;
  readonly workflowNodeRun: Values;
  readonly inputs: unknown;
  readonly run: Values;
}

/**
 * The context of a node: the outputs of the nodes that ended before it, and its run. Inputs and responses that the form
 * encrypts stay encrypted; only their receiver opens them.
 */
export async function runContext({ database }: { readonly database: Reader }, call: NodeCall): Promise<RunContext> {
  const { workflow, run, nodeRun } = call;
  const trigger = call.outputs['trigger'] ?? run.trigger;
  const outputs = { [run.triggerNode]: trigger, ...call.outputs, trigger };
  const members: RunMembers = {
    outputs,
    workflow: {
      identifier: workflow.identifier,
      title: workflow.definition.title ?? null,
      version: workflow.version,
      versionIdentifier: workflow.versionId,
    },
    workflowRun: {
      identifier: run.id,
      createdAt: run.createdAt.toISOString(),
      trigger: { identifier: run.triggerNode, by: await startedBy(database, call) },
    },
    workflowNodeRun: { identifier: nodeRun.id, createdAt: nodeRun.createdAt.toISOString() },
    // names of earlier versions of the format
    inputs: trigger,
    run: { id: run.id },
  };
  return { ...members };
}

async function startedBy(database: Reader, { actor, run }: NodeCall): Promise<Values> {
  if (run.createdByKind !== 'person') return { id: run.createdBy, email: null, firstName: null, lastName: null };
  const facts = await findPersonFacts(database, actor.orgId, run.createdBy);
  const [firstName = '', ...rest] = (facts?.title ?? '').split(' ');
  return { id: run.createdBy, email: facts?.identifier ?? run.createdBy, firstName, lastName: rest.join(' ') };
}

/** The context with encrypted inputs and responses masked: for what becomes readable to others. */
export function withoutEncrypted(
  context: RunContext,
  { workflow, run, outputs: ended }: Pick<NodeCall, 'workflow' | 'run' | 'outputs'>,
): RunContext {
  const keysOf = (node: string): readonly string[] => {
    const form = workflow.definition.nodes.find(({ identifier }) => identifier === node)?.config['userInputs'];
    return form && typeof form === 'object' && 'properties' in form ? encryptedInputs(form as UserInputs) : [];
  };
  const trigger = hidden(context.outputs['trigger'], keysOf(run.triggerNode));
  const outputs = Object.fromEntries(
    Object.entries(context.outputs).map(([node, output]) => [
      node,
      node === 'trigger' || node === run.triggerNode
        ? trigger
        : Object.hasOwn(ended, node)
          ? withoutResponses(output, keysOf(node))
          : output,
    ]),
  );
  return { ...context, outputs, inputs: trigger };
}

function hidden(values: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0 || typeof values !== 'object' || values === null) return values;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, keys.includes(key) && value !== null ? mask : value]),
  );
}

function withoutResponses(output: unknown, keys: readonly string[]): unknown {
  const { responses } = (output ?? {}) as { readonly responses?: unknown };
  if (keys.length === 0 || !Array.isArray(responses)) return output;
  return {
    ...(output as object),
    responses: responses.map((each) => ({ ...each, inputs: hidden((each as { inputs?: unknown }).inputs, keys) })),
  };
}
