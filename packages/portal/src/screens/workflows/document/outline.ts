import {
  type Definition,
  findNode,
  findTarget,
  isBranching,
  isTrigger,
  listOutlets,
  listWays,
  only,
  reachableFrom,
  type Way,
  type WorkflowNode,
} from './definition.ts';
import { listButtons } from './edits.ts';

/** A line of the list, which shows the whole graph: each node once, and each connection by what stands below it. */
export type Line =
  | {
      readonly kind: 'node';
      readonly node: WorkflowNode;
      /** From 1 for steps; triggers have none. */
      readonly number: number | undefined;
      readonly depth: number;
      /** The way on which it follows; undefined for triggers, and for steps that nothing leads to. */
      readonly from: Origin | undefined;
    }
  | {
      /** A way out of a branching node; what follows on it stands below, one deeper. */
      readonly kind: 'branch';
      readonly source: WorkflowNode;
      readonly way: Way;
      readonly depth: number;
    }
  | {
      /** A way that goes on with a step that stands elsewhere. */
      readonly kind: 'jump';
      readonly from: Origin;
      readonly target: string;
      readonly depth: number;
    };

export interface Origin {
  readonly source: string;
  readonly way: Way;
}

/** The graph as an outline: triggers, then the steps in the order in which they run, branches indented. */
export function outline(definition: Definition): readonly Line[] {
  const lines: Line[] = [];
  const seen = new Set<string>();
  let count = 0;
  const triggers = definition.nodes.filter(isTrigger);

  const follow = (from: Origin | undefined, start: string, depth: number, joins: ReadonlySet<string>) => {
    let origin = from;
    let target: string | undefined = start;
    while (target !== undefined) {
      const node = findNode(definition, target);
      if (!node) return;
      if (origin && (seen.has(target) || joins.has(target) || isTrigger(node))) {
        lines.push({ kind: 'jump', from: origin, target, depth });
        return;
      }
      if (seen.has(target)) return;
      seen.add(target);
      count += 1;
      lines.push({ kind: 'node', node, number: count, depth, from: origin });
      if (!isBranching(node)) {
        origin = { source: target, way: only };
        target = findTarget(definition, target, only);
        continue;
      }
      const join = findJoin(definition, node, joins, seen);
      const inner = join === undefined ? joins : new Set([...joins, join]);
      for (const way of listWays(node)) {
        lines.push({ kind: 'branch', source: node, way, depth: depth + 1 });
        const next = findTarget(definition, target, way);
        if (next !== undefined) follow({ source: target, way }, next, depth + 2, inner);
      }
      // the branches lead here, as the jumps at their ends say
      origin = undefined;
      target = join;
    }
  };

  for (const [index, { identifier }] of triggers.entries()) {
    const start = findTarget(definition, identifier, only);
    const isLast = !triggers.slice(index + 1).some((each) => findTarget(definition, each.identifier, only) === start);
    // a step stands below the last trigger that leads to it
    if (start !== undefined && isLast && !seen.has(start))
      follow({ source: identifier, way: only }, start, 0, new Set());
  }
  // what nothing leads to is listed too, so that it can be connected
  const heads = definition.nodes.filter(
    ({ identifier }) => !definition.connections.some(({ targetIdentifier }) => targetIdentifier === identifier),
  );
  for (const { identifier } of [...heads, ...definition.nodes]) {
    const node = findNode(definition, identifier);
    if (node && !isTrigger(node) && !seen.has(identifier)) follow(undefined, identifier, 0, new Set());
  }
  return [...triggers.flatMap((node) => triggerLines(definition, node, lines)), ...lines];
}

function triggerLines(definition: Definition, node: WorkflowNode, steps: readonly Line[]): readonly Line[] {
  const line: Line = { kind: 'node', node, number: undefined, depth: 0, from: undefined };
  const source = node.identifier;
  const target = findTarget(definition, source, only);
  const isShown = steps.some((each) => each.kind === 'node' && each.from?.source === source);
  if (target === undefined || isShown) return [line];
  return [line, { kind: 'jump', from: { source, way: only }, target, depth: 1 }];
}

/** The step at which two branches meet first: it stands below them all. */
function findJoin(
  definition: Definition,
  node: WorkflowNode,
  joins: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): string | undefined {
  const branches = listWays(node)
    .map((way) => findTarget(definition, node.identifier, way))
    .filter((target) => target !== undefined)
    .map((target) => reachableFrom(definition, target));
  const met = definition.nodes
    .map(({ identifier }) => identifier)
    .filter((identifier) => branches.filter((each) => each.has(identifier)).length > 1)
    .filter((identifier) => !joins.has(identifier) && !seen.has(identifier));
  // the first of them is the one from which all others can be reached
  return (
    met.find((identifier) => {
      const below = reachableFrom(definition, identifier);
      return !met.some((other) => other !== identifier && !below.has(other));
    }) ??
    met.find(
      (identifier) => !met.some((other) => other !== identifier && reachableFrom(definition, other).has(identifier)),
    )
  );
}

/** The name of a way, as its author called it. */
export function wayTitle(node: WorkflowNode, way: Way): string | undefined {
  if (!('outlet' in way)) return undefined;
  const { outlet } = way;
  const button = listButtons(node).find(({ identifier }) => identifier === outlet);
  return listOutlets(node).find(({ identifier }) => identifier === outlet)?.title || button?.label || outlet;
}
