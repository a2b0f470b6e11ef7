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
    const names = other ? listCalls(other.definition).map((each) => each.name) : [];
    called.set(name, names);
    open.push(...names);
  }
  return listCalls(definition).flatMap(({ at, name }) => {
    const circle = wayBack(name, definition.identifier, called, []);
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

/** The way from one workflow to another; undefined if there is none. */
function wayBack(
  from: string,
  to: string,
  called: ReadonlyMap<string, readonly string[]>,
  passed: readonly string[],
): readonly string[] | undefined {
  if (from === to) return [to];
  if (passed.includes(from)) return undefined;
  for (const next of called.get(from) ?? []) {
    const rest = wayBack(next, to, called, [...passed, from]);
    if (rest) return [from, ...rest];
  }
  return undefined;
}
