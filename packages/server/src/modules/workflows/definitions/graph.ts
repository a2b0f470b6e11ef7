import { groupBy } from '../../../platform/collections.ts';
import { triggerTypes, type WorkflowConnection, type WorkflowDefinition, type WorkflowNode } from './workflow.ts';

/** The ways through a workflow. Of a workflow that breaks the rules of graphs it shows what there is. */
export interface Graph {
  node(identifier: string): WorkflowNode | undefined;
  readonly triggers: readonly WorkflowNode[];
  /**
   * The node that follows. An outlet is named for a branching node, null for the way of a `CONDITION` none of whose
   * outlets is true; undefined at the end of a branch.
   */
  next(identifier: string, outlet?: string | null): string | undefined;
  /** Outlets of a branching node, in the author's order. */
  listOutlets(identifier: string): readonly string[];
  /** Nodes from which a way leads to this one. */
  listPreceding(identifier: string): ReadonlySet<string>;
}

const triggers: ReadonlySet<string> = new Set(triggerTypes);
const branching: ReadonlySet<string> = new Set(['CONDITION', 'INPUT']);

export function isTrigger({ config }: Pick<WorkflowNode, 'config'>): boolean {
  return triggers.has(config.type);
}

/** Whether a node has several ways out, each with a name. */
export function isBranching({ config }: Pick<WorkflowNode, 'config'>): boolean {
  return branching.has(config.type);
}

/** Whether its author lets a run go on when the node fails. */
export function goesOnAfterFailure(node: WorkflowNode): boolean {
  return node.config['onFailure'] === 'continue' && !isBranching(node);
}

export function createGraph({ nodes, connections }: Pick<WorkflowDefinition, 'nodes' | 'connections'>): Graph {
  const byName = new Map(nodes.map((node) => [node.identifier, node]));
  const leaving = groupBy(connections, ({ sourceIdentifier }) => sourceIdentifier);
  const entering = groupBy(connections, ({ targetIdentifier }) => targetIdentifier);
  return {
    node: (identifier) => byName.get(identifier),
    triggers: nodes.filter(isTrigger),
    next(identifier, outlet) {
      const ways = leaving.get(identifier) ?? [];
      return ways.find((way) => leadsOn(way, outlet))?.targetIdentifier;
    },
    listOutlets: (identifier) => outletNames(byName.get(identifier)),
    listPreceding(identifier) {
      const found = new Set<string>();
      const open = [identifier];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const { sourceIdentifier } of entering.get(at) ?? []) {
          if (found.has(sourceIdentifier)) continue;
          found.add(sourceIdentifier);
          open.push(sourceIdentifier);
        }
      }
      return found;
    },
  };
}

function leadsOn({ sourceOutletIdentifier, fallback }: WorkflowConnection, outlet: string | null | undefined): boolean {
  if (outlet === undefined) return true;
  if (outlet === null) return fallback === true;
  return sourceOutletIdentifier === outlet;
}

function outletNames(node: WorkflowNode | undefined): readonly string[] {
  const outlets = node?.config['outlets'];
  if (!Array.isArray(outlets)) return [];
  return outlets.flatMap((outlet: { readonly identifier?: unknown } | null) =>
    typeof outlet?.identifier === 'string' ? [outlet.identifier] : [],
  );
}
