import { isRecord, toRecord } from '@portolan/contract/json-value';
import { bodiesOfNode } from '../bodies.ts';
import { isTrigger } from '../graph.ts';
import { limits } from '../limits.ts';
import type { WorkflowDefinition, WorkflowNode } from '../workflow.ts';
import type { Fault, Placed, Readable } from './fault.ts';
import { fault } from './graph-rules.ts';

/** A graph of its own: that of the workflow, or a body inside one of its steps. */
export interface Scope extends Readable {
  readonly at: string;
  readonly isBody: boolean;
  /** How many bodies it stands in. */
  readonly nesting: number;
}

/** Faults of a scope that its graph alone does not show. */
export function checkScope({ at, isBody, nodes, nesting }: Scope): Fault[] {
  const items = nodes.filter(({ part }) => part.config.type === 'ITEM_TRIGGER');
  if (!isBody) {
    return items.map((item) => fault(`${item.at}/config/type`, 'trigger_misplaced', 'stands in bodies of steps only'));
  }
  const others = nodes.filter(({ part }) => isTrigger(part) && part.config.type !== 'ITEM_TRIGGER');
  return [
    ...(nesting > limits.nesting
      ? [fault(at, 'nested_too_deep', `stands in ${nesting} bodies; at most ${limits.nesting} are nested`)]
      : []),
    ...(items.length === 0
      ? [fault(`${at}/nodes`, 'no_trigger', 'must hold an ITEM_TRIGGER, where its runs begin')]
      : []),
    ...items.slice(1).map((item) => fault(item.at, 'second_item_trigger', 'is a second ITEM_TRIGGER of this body')),
    ...others.map((other) =>
      fault(`${other.at}/config/type`, 'trigger_misplaced', 'starts no body; a body begins at its ITEM_TRIGGER'),
    ),
  ];
}

/** Faults of a step that begins child runs, by itself. */
export function checkChildren({ at, part: { config } }: Placed<WorkflowNode>): Fault[] {
  const place = `${at}/config`;
  if (config.type === 'PARALLEL') {
    const branches = Object.keys(toRecord(config['branches'])).length;
    const isFine = !isRecord(config['branches']) || (branches > 0 && branches <= limits.branches);
    const message = `has ${branches} branches; there are 1 to ${limits.branches}`;
    return isFine ? [] : [fault(`${place}/branches`, 'branches_number', message)];
  }
  if (config.type !== 'MAP') return [];
  return [
    ...(isSet(config['items']) === isSet(config['query'])
      ? [fault(place, 'map_without_items', 'needs "items" or "query", and not both')]
      : []),
    ...(isSet(config['body']) === isSet(config['workflowIdentifier'])
      ? [fault(place, 'map_without_body', 'needs "body" or "workflowIdentifier", and not both')]
      : []),
    ...(isSet(config['body'])
      ? ['nodeIdentifier', 'inputs']
          .filter((key) => isSet(config[key]))
          .map((key) => fault(`${place}/${key}`, 'map_without_body', 'goes with "workflowIdentifier" alone'))
      : []),
  ];
}

/** The workflow that a step names by a static text. */
export function calledWorkflow({ config }: Pick<WorkflowNode, 'config'>): string | undefined {
  if (config.type !== 'RUN_WORKFLOW' && config.type !== 'MAP') return undefined;
  const name = config['workflowIdentifier'];
  return typeof name === 'string' && name !== '' && !name.includes('{{') ? name : undefined;
}

/** The scopes below a readable one, at every depth that can be read. */
export function listBodies(
  scope: Pick<Scope, 'nodes' | 'nesting'>,
  read: (body: Readonly<Record<string, unknown>>, at: string) => Readable,
): Scope[] {
  // deeper ones are refused where they begin
  if (scope.nesting > limits.nesting) return [];
  return scope.nodes.flatMap(({ at, part }) =>
    bodiesOfNode(part).flatMap((each) => {
      const place = `${at}${each.at}`;
      const inner: Scope = { ...read(each.body, place), at: place, isBody: true, nesting: scope.nesting + 1 };
      return [inner, ...listBodies(inner, read)];
    }),
  );
}

/** Nodes of all scopes, since a workflow has only so many. */
export function checkNumberOfNodes(scopes: readonly Readable[]): Fault[] {
  const count = scopes.reduce((sum, { nodes }) => sum + nodes.length, 0);
  if (scopes.length < 2 || count <= limits.nodes) return [];
  return [fault('/nodes', 'too_large', `has ${count} nodes with those in bodies; there are at most ${limits.nodes}`)];
}

/** Whether the workflow names itself as one that a step of it runs. */
export function checkSelfCall(
  { identifier }: Pick<WorkflowDefinition, 'identifier'>,
  scopes: readonly Scope[],
): Fault[] {
  return scopes.flatMap(({ nodes }) =>
    nodes
      .filter(({ part }) => calledWorkflow(part) === identifier)
      .map(({ at }) => fault(`${at}/config/workflowIdentifier`, 'recursion', 'names the workflow that it stands in')),
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
