import { isRecord, toRecord } from '@portolan/contract/json-value';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from './workflow.ts';

type Written = Readonly<Record<string, unknown>>;

/** A workflow inside a step, as written. */
export interface PlacedBody {
  /** JSON pointer below its node. */
  readonly at: string;
  /** From its node on: the node, and the branch where there are several. */
  readonly way: readonly string[];
  readonly body: Written;
}

/** The bodies of a step; none where it begins runs of another workflow. */
export function bodiesOfNode({ identifier, config }: Pick<WorkflowNode, 'identifier' | 'config'>): PlacedBody[] {
  if (config.type === 'PARALLEL') {
    return Object.entries(toRecord(config['branches'])).flatMap(([branch, body]) =>
      isRecord(body) ? [{ at: `/config/branches/${escaped(branch)}`, way: [identifier, branch], body }] : [],
    );
  }
  const { body } = config;
  const holdsOne = (config.type === 'MAP' || config.type === 'REPEAT') && isRecord(body);
  return holdsOne ? [{ at: '/config/body', way: [identifier], body }] : [];
}

/** The configuration of a node without the bodies in it. */
export function withoutBodies(config: WorkflowNode['config']): WorkflowNode['config'] {
  switch (config.type) {
    case 'MAP':
    case 'REPEAT': {
      const { body: _, ...own } = config;
      return own;
    }
    case 'PARALLEL': {
      const { branches: _, ...own } = config;
      return own;
    }
    default:
      return config;
  }
}

/** All nodes of a definition with those of its bodies, each with its JSON pointer. */
export function listAllNodes(
  { nodes }: Pick<WorkflowDefinition, 'nodes'>,
  at = '',
): { readonly at: string; readonly part: WorkflowNode }[] {
  return nodes.flatMap((part, index) => {
    const place = `${at}/nodes/${index}`;
    const inside = bodiesOfNode(part).flatMap((each) =>
      listAllNodes(each.body as unknown as WorkflowDefinition, `${place}${each.at}`),
    );
    return [{ at: place, part }, ...inside];
  });
}

/** The version with the body that a run of it follows in the place of the whole; undefined if there is none. */
export function atBody(workflow: StoredWorkflow, way: readonly string[] | null): StoredWorkflow | undefined {
  if (way === null) return workflow;
  const body = findBody(workflow.definition, way);
  if (!body) return undefined;
  const { nodes, connections } = body;
  return { ...workflow, definition: { ...workflow.definition, nodes, connections: connections ?? [] } };
}

type Graph = Pick<WorkflowDefinition, 'nodes' | 'connections'>;

function findBody(within: Graph, way: readonly string[]): Graph | undefined {
  const [first] = way;
  if (first === undefined) return within;
  const node = within.nodes.find(({ identifier }) => identifier === first);
  const found = node && bodiesOfNode(node).find((each) => each.way.every((part, index) => part === way[index]));
  return found && findBody(found.body as unknown as Graph, way.slice(found.way.length));
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
