import { changingSteps } from '@portolan/contract/workflow-step-kinds';
import { type Definition, findNode, type WorkflowNode } from './definition.ts';

/** The step that a step undoes. */
export function undoneBy({ nodes }: Definition, identifier: string): WorkflowNode | undefined {
  return nodes.find(({ compensatedBy }) => compensatedBy === identifier);
}

/** Whether a step may name one that undoes it. */
export function mayBeUndone(definition: Definition, { identifier, config }: WorkflowNode): boolean {
  return changingSteps.has(config.type) && !undoneBy(definition, identifier);
}

/** The steps that may undo a step: those outside the graph that undo no other. */
export function listUndoing(definition: Definition, identifier: string): readonly WorkflowNode[] {
  const connected = new Set(
    definition.connections.flatMap(({ sourceIdentifier, targetIdentifier }) => [sourceIdentifier, targetIdentifier]),
  );
  return definition.nodes.filter((node) => {
    const undone = undoneBy(definition, node.identifier);
    return (
      node.identifier !== identifier &&
      changingSteps.has(node.config.type) &&
      !connected.has(node.identifier) &&
      !node.compensatedBy &&
      (undone === undefined || undone.identifier === identifier)
    );
  });
}

/** Names the step that undoes one, or none any more. */
export function setUndoing(definition: Definition, identifier: string, by: string | undefined): Definition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      if (node.identifier !== identifier) return node;
      const { compensatedBy: _, ...rest } = node;
      return by === undefined ? rest : { ...rest, compensatedBy: by };
    }),
  };
}

/** Adds a step outside the graph that undoes one. */
export function addUndoing(definition: Definition, identifier: string, made: WorkflowNode): Definition {
  if (!findNode(definition, identifier)) return definition;
  const added = { ...definition, nodes: [...definition.nodes, made] };
  return setUndoing(added, identifier, made.identifier);
}
