import { analyse, JqError, replaceSingleQuotes } from '@portolan/jq';
import { listExpressions } from './rules/expressions.ts';
import type { WorkflowNode } from './workflow.ts';

/** What a step may read of its run: certain only where it says no. */
export interface NodeReads {
  /** Outputs of these nodes by name. */
  readonly outputs: ReadonlySet<string>;
  /** Outputs of any node, because the analysis cannot tell. */
  readonly anyOutput: boolean;
  /** What the run was started with. */
  readonly inputs: boolean;
  /** Who started it, and other facts of the run. */
  readonly run: boolean;
}

const everything: NodeReads = { outputs: new Set(), anyOutput: true, inputs: true, run: true };

/** Kinds that read by the expressions in their configuration and by nothing else. */
const readByExpressions: ReadonlySet<string> = new Set([
  'WEBHOOK',
  'KAFKA',
  'INTEGRATION_ACTION',
  'UPSERT_ENTITY',
  'DELETE_ENTITY',
  'AI',
  'AI_AGENT',
  'CONDITION',
  'INPUT',
  'DELAY',
  'TRANSFORM',
  'STOP',
]);

/** Follows the expressions of a node; a kind that is not known here may read everything. */
export function listReads(node: WorkflowNode, triggerNode: string): NodeReads {
  if (!readByExpressions.has(node.config.type)) return everything;
  const { expressions, unreadable } = listExpressions({ at: '', part: node });
  if (unreadable.length > 0) return everything;
  const outputs = new Set<string>();
  const found = { anyOutput: false, inputs: false, run: false };
  for (const { source, reads } of expressions) {
    // forms read what is filled in, and events are read by triggers
    if (reads !== 'run') continue;
    const paths = pathsOf(source);
    if (!paths) return everything;
    for (const [root, name] of paths) {
      if (root === undefined || typeof root === 'object') return everything;
      if (root === 'workflowRun' || root === 'run') found.run = true;
      if (root === 'inputs') found.inputs = true;
      if (root !== 'outputs') continue;
      if (typeof name !== 'string') found.anyOutput = found.inputs = true;
      else if (name === 'trigger' || name === triggerNode) found.inputs = true;
      else outputs.add(name);
    }
  }
  return { outputs, ...found };
}

export function mayReadOutput({ outputs, anyOutput }: NodeReads, node: string): boolean {
  return anyOutput || outputs.has(node);
}

function pathsOf(source: string) {
  try {
    const { reads, isUnknown } = analyse(replaceSingleQuotes(source));
    return isUnknown ? undefined : reads.map(({ path }) => path);
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}
