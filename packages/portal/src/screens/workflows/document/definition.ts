/** What a node does and with what; the keys depend on the type. */
export type NodeConfig = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A trigger or step as its author wrote it; keys that the forms do not know are kept. */
export interface WorkflowNode {
  readonly identifier: string;
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly description?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly links?: readonly string[] | null;
  readonly verbose?: boolean | null;
  /** The step outside the graph that undoes what this one did, once the run fails or is cancelled. */
  readonly compensatedBy?: string | null;
  readonly config: NodeConfig;
}

export interface Connection {
  readonly sourceIdentifier: string;
  readonly targetIdentifier: string;
  readonly description?: string | null;
  readonly sourceOutletIdentifier?: string | null;
  readonly fallback?: boolean | null;
}

/** The writable part of a workflow. */
export interface Definition {
  readonly identifier: string;
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly description?: string | null;
  readonly category?: string | null;
  readonly allowAnyoneToViewRuns?: boolean | null;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: readonly Connection[];
}

export interface Outlet {
  readonly identifier: string;
  readonly title?: string | null;
  readonly [key: string]: unknown;
}

/**
 * One way out of a node: an outlet of a branching node, the way of a condition none of whose outlets is true, or the
 * only way of every other node.
 */
export type Way = { readonly outlet: string } | { readonly fallback: true } | { readonly only: true };

export const only: Way = { only: true };
const fallback: Way = { fallback: true };

export function isTrigger({ config }: WorkflowNode): boolean {
  return config.type.endsWith('_TRIGGER');
}

export function isBranching({ config }: WorkflowNode): boolean {
  return config.type === 'CONDITION' || config.type === 'INPUT';
}

/** Whether nothing can follow the node. */
export function isEnd({ config }: WorkflowNode): boolean {
  return config.type === 'STOP';
}

export function findNode({ nodes }: Definition, identifier: string): WorkflowNode | undefined {
  return nodes.find((node) => node.identifier === identifier);
}

export function listOutlets({ config }: WorkflowNode): readonly Outlet[] {
  const { outlets } = config;
  return Array.isArray(outlets)
    ? outlets.filter((each): each is Outlet => typeof each === 'object' && each !== null && 'identifier' in each)
    : [];
}

/** The ways out of a node, in the order in which they are tried. */
export function listWays(node: WorkflowNode): readonly Way[] {
  if (isEnd(node)) return [];
  if (!isBranching(node)) return [only];
  const outlets = listOutlets(node).map(({ identifier }): Way => ({ outlet: identifier }));
  return node.config.type === 'CONDITION' ? [...outlets, fallback] : outlets;
}

export function connectionWay({ sourceOutletIdentifier, fallback: isFallback }: Connection): Way {
  if (isFallback) return fallback;
  return sourceOutletIdentifier ? { outlet: sourceOutletIdentifier } : only;
}

export function isSameWay(one: Way, other: Way): boolean {
  return wayKey(one) === wayKey(other);
}

/** A text that names the way within its node. */
export function wayKey(way: Way): string {
  if ('outlet' in way) return `outlet ${way.outlet}`;
  return 'fallback' in way ? 'fallback' : 'only';
}

export function connectionAt({ connections }: Definition, source: string, way: Way): Connection | undefined {
  return connections.find((each) => each.sourceIdentifier === source && isSameWay(connectionWay(each), way));
}

/** The node that follows on a way. */
export function findTarget(definition: Definition, source: string, way: Way): string | undefined {
  return connectionAt(definition, source, way)?.targetIdentifier;
}

/** Connections by where they begin and where they lead; edits make new lists, so it holds as long as the list does. */
const indexed = new WeakMap<readonly Connection[], { readonly next: Steps; readonly before: Steps }>();
type Steps = ReadonlyMap<string, readonly string[]>;

function indexConnections(connections: readonly Connection[]) {
  const known = indexed.get(connections);
  if (known) return known;
  const [next, before] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { sourceIdentifier, targetIdentifier } of connections) {
    next.set(sourceIdentifier, [...(next.get(sourceIdentifier) ?? []), targetIdentifier]);
    before.set(targetIdentifier, [...(before.get(targetIdentifier) ?? []), sourceIdentifier]);
  }
  const made = { next, before };
  indexed.set(connections, made);
  return made;
}

function walk(steps: Steps, start: string): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const each of seen) for (const next of steps.get(each) ?? []) seen.add(next);
  return seen;
}

/** Everything that can follow a node, itself included. */
export function reachableFrom({ connections }: Definition, start: string): ReadonlySet<string> {
  return walk(indexConnections(connections).next, start);
}

/** Everything that can have run before a node, nearest first; without the node. */
export function listPreceding({ connections }: Definition, end: string): readonly string[] {
  return [...walk(indexConnections(connections).before, end)].slice(1);
}
