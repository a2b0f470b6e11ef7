import { isSameJson } from '../../../platform/same-json.ts';
import type { WorkflowDefinition } from './workflow.ts';

/** What differs between two versions, by names of nodes. */
export interface DefinitionDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly areConnectionsChanged: boolean;
}

export function diffDefinitions(before: WorkflowDefinition, after: WorkflowDefinition): DefinitionDiff {
  const old = new Map(before.nodes.map((node) => [node.identifier, node]));
  const now = new Map(after.nodes.map((node) => [node.identifier, node]));
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, node]) => {
      const was = old.get(name);
      return was && !isSameJson(was, node) ? [name] : [];
    }),
    areConnectionsChanged: !isSameJson(before.connections, after.connections),
  };
}
