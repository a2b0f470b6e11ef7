import { changingSteps } from '@portolan/contract/workflow-step-kinds';
import { bodiesOfNode } from './bodies.ts';
import type { Graph } from './graph.ts';
import type { WorkflowDefinition, WorkflowNode } from './workflow.ts';

export function changesSomething({ config }: Pick<WorkflowNode, 'config'>): boolean {
  return changingSteps.has(config.type);
}

/** The step that undoes a step; undefined if none does. */
export function findCompensation(graph: Graph, node: WorkflowNode | undefined): WorkflowNode | undefined {
  const { compensatedBy } = node ?? {};
  return typeof compensatedBy === 'string' ? graph.node(compensatedBy) : undefined;
}

/** Steps by the names of those that undo them. */
export function compensatedSteps(nodes: readonly WorkflowNode[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ identifier, compensatedBy }) =>
      typeof compensatedBy === 'string' ? [[compensatedBy, identifier] as const] : [],
    ),
  );
}

type Nodes = Pick<WorkflowDefinition, 'nodes'>;

/** Whether a step of the graph, or of a body at any depth in it, has a compensation. */
export function hasCompensations({ nodes }: Nodes): boolean {
  return nodes.some((node) => typeof node.compensatedBy === 'string' || holdsCompensations(node));
}

/** Whether a step in a body of this step has one. */
export function holdsCompensations(node: WorkflowNode): boolean {
  return bodiesOfNode(node).some(({ body }) => hasCompensations(body as unknown as Nodes));
}
