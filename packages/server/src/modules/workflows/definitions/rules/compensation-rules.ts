import { changesSomething } from '../compensations.ts';
import { isTrigger } from '../graph.ts';
import type { WorkflowNode } from '../workflow.ts';
import type { Fault, Readable } from './fault.ts';
import { fault, repeated } from './graph-rules.ts';

/**
 * A compensation stands outside the graph and undoes one step. It is undone by nothing itself, so that undoing always
 * comes to an end.
 */
export function checkCompensations({ nodes, connections }: Readable): Fault[] {
  const byName = new Map(nodes.map(({ part }) => [part.identifier, part]));
  const named = nodes.flatMap(({ at, part }) =>
    typeof part.compensatedBy === 'string' ? [{ at: `${at}/compensatedBy`, part, by: part.compensatedBy }] : [],
  );
  const compensations = new Map(named.map(({ by, part }) => [by, part.identifier]));
  const shared = repeated(named, ({ by }) => by).map(({ at, by }) =>
    fault(at, 'compensation_shared', `"${by}" undoes "${firstOf(named, by)}" already; each step has one of its own`),
  );
  return [
    ...named.flatMap(({ at, part, by }) => checkOne(at, part, by, byName)),
    ...shared,
    ...connections.flatMap(({ at, part }) =>
      (['sourceIdentifier', 'targetIdentifier'] as const)
        .filter((key) => compensations.has(part[key]))
        .map((key) =>
          fault(
            `${at}/${key}`,
            'compensation_connected',
            `"${part[key]}" undoes "${compensations.get(part[key])}", so it stands outside the graph: no connection leads to it or leaves it`,
          ),
        ),
    ),
  ];
}

function firstOf(named: readonly { readonly by: string; readonly part: WorkflowNode }[], by: string): string {
  return named.find((each) => each.by === by)?.part.identifier ?? '';
}

function checkOne(at: string, node: WorkflowNode, by: string, byName: ReadonlyMap<string, WorkflowNode>): Fault[] {
  const { type } = node.config;
  if (!changesSomething(node)) {
    return [fault(at, 'compensation_not_allowed', `stands on steps that change something; ${type} changes nothing`)];
  }
  const undoing = byName.get(by);
  if (!undoing) return [fault(at, 'unknown_node', `"${by}" is no node of this workflow`)];
  if (isTrigger(undoing) || !changesSomething(undoing)) {
    const message = `"${by}" is a ${undoing.config.type}, and only a step that changes something undoes another`;
    return [fault(at, 'compensation_unusable', message)];
  }
  const circle = wayBack(node.identifier, byName);
  if (circle) return [fault(at, 'compensation_loop', `leads back: ${circle.join(' → ')}`)];
  if (typeof undoing.compensatedBy !== 'string') return [];
  const message = `"${by}" names "${undoing.compensatedBy}" to undo it; a step that undoes another is not undone itself`;
  return [fault(at, 'compensation_loop', message)];
}

/** The steps by which undoing comes back to where it began; undefined if it does not. */
function wayBack(from: string, byName: ReadonlyMap<string, WorkflowNode>): readonly string[] | undefined {
  const way = [from];
  for (let at = byName.get(from)?.compensatedBy; typeof at === 'string'; at = byName.get(at)?.compensatedBy) {
    if (at === from) return [...way, at];
    if (way.includes(at)) return undefined;
    way.push(at);
  }
  return undefined;
}
