import { isRecord } from '@portolan/contract/json-value';
import { type Definition, isTrigger, type WorkflowNode } from './definition.ts';
import type { Fault } from './faults.ts';

/** The way to a workflow inside a step: the step, its branch if it has several, and so on inwards. */
export type BodyWay = readonly string[];

/** A workflow inside a step. */
export interface Body {
  readonly way: BodyWay;
  /** Of one of several. */
  readonly branch: string | undefined;
  /** JSON pointer within the step. */
  readonly at: string;
  readonly steps: number;
}

/** The bodies of a step that stands at this way. */
export function listBodies(node: WorkflowNode, outside: BodyWay = []): readonly Body[] {
  return placesOf(node).map(({ branch, keys, body }) => ({
    way: [...outside, node.identifier, ...(branch === undefined ? [] : [branch])],
    branch,
    at: `/config/${keys.map(escaped).join('/')}`,
    steps: body.nodes.filter((each) => !isTrigger(each)).length,
  }));
}

/** The body at a way, as the workflow that it is; undefined if there is none any more. */
export function bodyAt(definition: Definition, way: BodyWay): Definition | undefined {
  const [first] = way;
  if (first === undefined) return definition;
  const found = find(definition, way);
  return found && bodyAt({ ...definition, ...found.place.body }, found.rest);
}

/** The workflow with another body at a way. */
export function withBody(definition: Definition, way: BodyWay, body: Definition): Definition {
  if (way.length === 0) return body;
  const found = find(definition, way);
  if (!found) return definition;
  const { node, place, rest } = found;
  const { nodes, connections } = withBody({ ...definition, ...place.body }, rest, body);
  const config = setIn(node.config, place.keys, { ...place.written, nodes, connections }) as WorkflowNode['config'];
  return { ...definition, nodes: definition.nodes.map((each) => (each === node ? { ...node, config } : each)) };
}

/** The faults of a body, with their places in it. */
export function faultsIn(definition: Definition, way: BodyWay, faults: readonly Fault[]): readonly Fault[] {
  if (way.length === 0) return faults;
  const found = find(definition, way);
  if (!found) return [];
  const { node, place, rest } = found;
  const at = `/nodes/${definition.nodes.indexOf(node)}/config/${place.keys.map(escaped).join('/')}`;
  const inside = faults.flatMap((fault) =>
    fault.path.startsWith(`${at}/`) ? [{ ...fault, path: fault.path.slice(at.length) }] : [],
  );
  return faultsIn({ ...definition, ...place.body }, rest, inside);
}

type Graph = Pick<Definition, 'nodes' | 'connections'>;
interface Place {
  readonly branch: string | undefined;
  readonly keys: readonly string[];
  readonly written: Readonly<Record<string, unknown>>;
  readonly body: Graph;
}

function placesOf({ config }: WorkflowNode): readonly Place[] {
  const one = (branch: string | undefined, keys: readonly string[], written: unknown): Place[] => {
    if (!isRecord(written) || !Array.isArray(written['nodes'])) return [];
    const { nodes, connections } = written as unknown as Graph;
    const isReadable = nodes.every((each: unknown) => isRecord(each) && isRecord(each['config']));
    return isReadable ? [{ branch, keys, written, body: { nodes, connections: connections ?? [] } }] : [];
  };
  if (config.type === 'MAP' || config.type === 'REPEAT') return one(undefined, ['body'], config['body']);
  if (config.type !== 'PARALLEL' || !isRecord(config['branches'])) return [];
  return Object.entries(config['branches']).flatMap(([branch, body]) => one(branch, ['branches', branch], body));
}

function find(definition: Definition, way: BodyWay) {
  const node = definition.nodes.find(({ identifier }) => identifier === way[0]);
  const place = node && placesOf(node).find(({ branch }) => branch === undefined || branch === way[1]);
  return node && place ? { node, place, rest: way.slice(place.branch === undefined ? 1 : 2) } : undefined;
}

function setIn(value: unknown, [key, ...more]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  const before = isRecord(value) ? value : {};
  return { ...before, [key]: setIn(before[key], more, next) };
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
