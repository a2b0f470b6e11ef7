import type { Actor } from '../../../platform/actor.ts';
import { listAllNodes } from './bodies.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { calledWorkflow } from './rules/body-rules.ts';
import type { Fault } from './rules/fault.ts';
import { fault } from './rules/graph-rules.ts';
import { findCurrent } from './workflow.store.ts';
import type { WorkflowDefinition } from './workflow.ts';

/** Workflows looked at; beyond it the depth of runs is the guard. */
const visitedMax = 200;

/** Steps that run a workflow which leads back to this one, by the current versions and the names that are static. */
export async function checkRecursion(
  { database }: Pick<DefinitionsDeps, 'database'>,
  { orgId }: Actor,
  definition: WorkflowDefinition,
): Promise<Fault[]> {
  const called = new Map<string, readonly string[]>();
  const open = listCalls(definition).map(({ name }) => name);
  for (let name = open.pop(); name !== undefined && called.size < visitedMax; name = open.pop()) {
    if (name === definition.identifier || called.has(name)) continue;
    const other = await findCurrent(database, orgId, name);
    const names = new Set(other ? listCalls(other.definition).map((each) => each.name) : []);
    called.set(name, [...names]);
    open.push(...names);
  }
  return listCalls(definition).flatMap(({ at, name }) => {
    const circle = wayBack(name, definition.identifier, called);
    if (!circle) return [];
    const way = [definition.identifier, ...circle].join(' → ');
    return [fault(`${at}/config/workflowIdentifier`, 'recursion', `leads back: ${way}`)];
  });
}

function listCalls(definition: WorkflowDefinition): { readonly at: string; readonly name: string }[] {
  return listAllNodes(definition).flatMap(({ at, part }) => {
    const name = calledWorkflow(part);
    return name === undefined ? [] : [{ at, name }];
  });
}

/** The shortest way from one workflow to another; undefined if there is none. Each is passed once: ways may be many. */
function wayBack(
  from: string,
  to: string,
  called: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  // grows while it is walked
  for (const name of cameFrom.keys()) {
    if (name === to) return wayTo(to, cameFrom);
    for (const next of called.get(name) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, name);
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}
