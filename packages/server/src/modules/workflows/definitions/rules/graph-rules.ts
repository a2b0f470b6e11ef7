import { groupBy } from '../../../../platform/collections.ts';
import { compensatedSteps } from '../compensations.ts';
import { createGraph, isBranching, isTrigger } from '../graph.ts';
import type { WorkflowConnection, WorkflowNode } from '../workflow.ts';
import type { Fault, Placed, Readable, RuleCode, Warning } from './fault.ts';

/** Faults of the graph: what its nodes are called, and how they are connected. */
export function checkGraph({ nodes, connections }: Readable, isBody = false): Fault[] {
  const byName = new Map(nodes.map(({ part }) => [part.identifier, part]));
  return [
    // a body has triggers of its own
    ...(isBody ? [] : checkTriggers(nodes)),
    ...repeated(nodes, ({ part }) => part.identifier).map(({ at, part }) =>
      fault(`${at}/identifier`, 'duplicate_node', `"${part.identifier}" is the name of another node too`),
    ),
    ...connections.flatMap((connection) => checkEnds(connection, byName)),
    ...connections.flatMap((connection) => checkWayOut(connection, byName)),
    ...checkNumberOfWays(connections, byName),
    ...findCycles(connections),
  ];
}

export function fault(path: string, code: RuleCode, message: string): Fault {
  return { path, code, message };
}

/** All but the first of those that are the same. */
export function repeated<Part>(parts: readonly Part[], keyOf: (part: Part) => string): Part[] {
  return [...groupBy(parts, keyOf).values()].flatMap(([, ...others]) => others);
}

function checkTriggers(nodes: readonly Placed<WorkflowNode>[]): Fault[] {
  if (nodes.some(({ part }) => isTrigger(part))) return [];
  const message =
    'must hold a trigger: SELF_SERVE_TRIGGER, EVENT_TRIGGER, SCHEDULE_TRIGGER, WEBHOOK_TRIGGER or RUN_TRIGGER';
  return [fault('/nodes', 'no_trigger', message)];
}

function checkEnds(
  { at, part: { sourceIdentifier: source, targetIdentifier: target } }: Placed<WorkflowConnection>,
  byName: ReadonlyMap<string, WorkflowNode>,
): Fault[] {
  const unknown = (name: string, key: string): Fault[] =>
    byName.has(name) ? [] : [fault(`${at}/${key}`, 'unknown_node', `"${name}" is no node of this workflow`)];
  const entered = byName.get(target);
  return [
    ...unknown(source, 'sourceIdentifier'),
    ...unknown(target, 'targetIdentifier'),
    ...(source === target ? [fault(at, 'self_connection', `leads from "${source}" to itself`)] : []),
    ...(entered && isTrigger(entered) && source !== target
      ? [fault(`${at}/targetIdentifier`, 'trigger_entered', `"${target}" is a trigger, and nothing leads to one`)]
      : []),
  ];
}

/** Whether a connection says by which way out it leaves, as its source needs. */
function checkWayOut({ at, part }: Placed<WorkflowConnection>, byName: ReadonlyMap<string, WorkflowNode>): Fault[] {
  const source = byName.get(part.sourceIdentifier);
  if (!source) return [];
  const { type } = source.config;
  const outlet = part.sourceOutletIdentifier ?? undefined;
  const isFallback = part.fallback === true;
  if (!isBranching(source)) {
    return [
      ...(outlet === undefined
        ? []
        : [
            fault(
              `${at}/sourceOutletIdentifier`,
              'outlet_not_allowed',
              `a ${type} node has one way out, without a name`,
            ),
          ]),
      ...(isFallback ? [fault(`${at}/fallback`, 'fallback_not_allowed', 'only a CONDITION has a fallback')] : []),
    ];
  }
  if (isFallback && type !== 'CONDITION')
    return [fault(`${at}/fallback`, 'fallback_not_allowed', 'only a CONDITION has a fallback')];
  if (isFallback && outlet !== undefined)
    return [fault(`${at}/fallback`, 'fallback_not_allowed', 'cannot stand beside "sourceOutletIdentifier"')];
  if (isFallback) return [];
  const outlets = createGraph({ nodes: [source], connections: [] }).listOutlets(source.identifier);
  const choice = outlets.length === 0 ? 'it has no outlets' : `it has ${outlets.join(', ')}`;
  if (outlet === undefined) {
    const message = `must name the outlet of "${source.identifier}" by which it leaves; ${choice}`;
    return [fault(`${at}/sourceOutletIdentifier`, 'outlet_missing', message)];
  }
  if (outlets.includes(outlet)) return [];
  const message = `"${outlet}" is no outlet of "${source.identifier}"; ${choice}`;
  return [fault(`${at}/sourceOutletIdentifier`, 'unknown_outlet', message)];
}

/** One connection for each way out, so that a run is at one node at a time. */
function checkNumberOfWays(
  connections: readonly Placed<WorkflowConnection>[],
  byName: ReadonlyMap<string, WorkflowNode>,
): Fault[] {
  const known = connections.filter(({ part }) => byName.has(part.sourceIdentifier));
  return repeated(known, ({ part }) => {
    const source = byName.get(part.sourceIdentifier) as WorkflowNode;
    const way = isBranching(source) ? [part.sourceOutletIdentifier ?? null, part.fallback === true] : [];
    return JSON.stringify([part.sourceIdentifier, ...way]);
  }).map(({ at, part }) => {
    const source = byName.get(part.sourceIdentifier) as WorkflowNode;
    const message = isBranching(source)
      ? `"${part.sourceIdentifier}" already goes on by this way out`
      : `"${part.sourceIdentifier}" already goes on to another node; branch with a CONDITION`;
    return fault(at, 'second_connection', message);
  });
}

/** Each connection that closes a circle, with the circle; those of a node to itself are told apart. */
function findCycles(connections: readonly Placed<WorkflowConnection>[]): Fault[] {
  const leaving = groupBy(
    connections.filter(({ part }) => part.sourceIdentifier !== part.targetIdentifier),
    ({ part }) => part.sourceIdentifier,
  );
  const found: Fault[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): void => {
    path.push(name);
    for (const { at, part } of leaving.get(name) ?? []) {
      const target = part.targetIdentifier;
      const from = path.indexOf(target);
      if (from >= 0) {
        const circle = [...path.slice(from), target].join(' → ');
        found.push(fault(at, 'cycle', `leads back: ${circle}`));
      } else if (!done.has(target)) visit(target);
    }
    path.pop();
    done.add(name);
  };
  for (const name of leaving.keys()) if (!done.has(name)) visit(name);
  return found;
}

/** Nodes that no run reaches, neither to go on nor to undo something. */
export function warnOfGraph({ nodes, connections }: Readable): Warning[] {
  const entered = new Set(connections.map(({ part }) => part.targetIdentifier));
  const undoing = compensatedSteps(nodes.map(({ part }) => part));
  return nodes
    .filter(({ part }) => !isTrigger(part) && !entered.has(part.identifier) && !undoing.has(part.identifier))
    .map(({ at, part }) => ({
      path: at,
      code: 'unreachable_node',
      message: `no connection leads to "${part.identifier}", so no run reaches it`,
    }));
}
