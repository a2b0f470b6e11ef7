import { type Analysis, type AnalysisEffort, analyse, JqError, replaceSingleQuotes, whyUnreadable } from '@portolan/jq';
import { compensatedSteps } from '../compensations.ts';
import { createGraph, type Graph } from '../graph.ts';
import type { WorkflowNode } from '../workflow.ts';
import { listExpressions } from './expressions.ts';
import type { Fault, Placed, Readable, Warning } from './fault.ts';
import { fault } from './graph-rules.ts';

/** Of the analysis of all expressions of one graph: a second, and far above what graphs that people write need. */
const stepsMax = 200_000;

/** What is wrong with the expressions of a workflow, and what probably was not meant. */
export function checkExpressions({ nodes, connections }: Readable): { faults: Fault[]; warnings: Warning[] } {
  const graph = createGraph({ nodes: nodes.map(({ part }) => part), connections: connections.map(({ part }) => part) });
  const undone = compensatedSteps(nodes.map(({ part }) => part));
  const effort = { stepsLeft: stepsMax };
  const checked = nodes.map((node) => checkNodeExpressions(node, graph, undone.get(node.part.identifier), effort));
  return {
    faults: checked.flatMap(({ faults }) => faults),
    warnings: checked.flatMap(({ warnings }) => warnings),
  };
}

/** A step that undoes another reads what that one could read, and what it gave. */
function checkNodeExpressions(
  node: Placed<WorkflowNode>,
  graph: Graph,
  undone: string | undefined,
  effort: AnalysisEffort,
) {
  const { expressions, unreadable } = listExpressions(node);
  const faults = unreadable.map(({ at, message }) => fault(at, 'jq', `cannot be read: ${message}`));
  const warnings: Warning[] = [];
  const { identifier } = node.part;
  const preceding =
    undone === undefined ? graph.listPreceding(identifier) : new Set([...graph.listPreceding(undone), undone]);
  for (const { at, source, reads, maySend } of expressions) {
    const why = whyUnreadable(source);
    if (why !== undefined) faults.push(fault(at, 'jq', `is not a usable JQ expression: ${why}`));
    const analysis = why === undefined && reads === 'run' ? analysed(source, effort) : undefined;
    if (!analysis) continue;
    if (!maySend && mayReadSecrets(analysis)) faults.push(fault(at, 'secret_would_be_shown', shown));
    for (const name of listOutputs(analysis)) {
      const message = doubtful(name, identifier, graph, preceding);
      if (message !== undefined) warnings.push({ path: at, code: 'unknown_output', message });
    }
  }
  return { faults: once(faults), warnings: once(warnings) };
}

const shown =
  'reads a secret where people can see it; secrets may stand in addresses, headers and bodies that are sent, and nowhere else';

function once<Each extends { readonly path: string; readonly message: string }>(list: readonly Each[]): Each[] {
  return [...new Map(list.map((each) => [JSON.stringify([each.path, each.message]), each])).values()];
}

/** Undefined where it cannot be parsed. */
function analysed(source: string, effort: AnalysisEffort): Analysis | undefined {
  try {
    return analyse(replaceSingleQuotes(source), { effort });
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** Whether the value of an expression may hold one of the secrets: certain only where it says no. */
function mayReadSecrets({ reads }: Analysis): boolean {
  return reads.some(({ path: [root], depth }) =>
    root === undefined ? depth === 'value' : typeof root === 'object' || root === 'secrets',
  );
}

/** Nodes whose outputs an expression reads by name. */
function listOutputs({ reads }: Analysis): string[] {
  const names = reads.flatMap(({ path: [root, name] }) =>
    root === 'outputs' && typeof name === 'string' ? [name] : [],
  );
  return [...new Set(names)];
}

/** Why an output will not be there; undefined if it may. `trigger` is whichever trigger fired. */
function doubtful(name: string, self: string, graph: Graph, preceding: ReadonlySet<string>): string | undefined {
  if (name === 'trigger') return undefined;
  if (name === self) return `reads the output of its own node, which is ".result" in variables and links`;
  if (!graph.node(name)) return `reads .outputs of "${name}", which is no node of this workflow`;
  return preceding.has(name) ? undefined : `reads .outputs of "${name}", which does not come before this node`;
}
