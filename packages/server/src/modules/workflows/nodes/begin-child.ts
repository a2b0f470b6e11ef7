import { isRecord } from '@portolan/contract/json-value';
import { AppError } from '../../../platform/errors.ts';
import { mergeAuthors } from '../../../platform/text-authors.ts';
import { bodiesOfNode } from '../definitions/bodies.ts';
import { limits } from '../definitions/limits.ts';
import { findPause } from '../definitions/pause.store.ts';
import { triggerPaused } from '../definitions/pause-triggers.ts';
import { findStarterAuthors } from '../definitions/starter-authors.ts';
import { isPublishedForm } from '../definitions/trigger-rights.ts';
import { findCurrent, findVersion } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowDefinition } from '../definitions/workflow.ts';
import type { CheckStart } from '../runs/runs.deps.ts';
import type { NewChild } from './child-runs.ts';
import { NodeFailure } from './node-failure.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodesDeps } from './nodes.deps.ts';

/** What steps need that begin runs. */
export type ChildKindsDeps = Pick<NodesDeps, 'database' | 'catalog'> & { readonly checkStart: CheckStart };

interface Body {
  readonly way: readonly string[];
  readonly nodes: WorkflowDefinition['nodes'];
}

/** The body of a step, or of one of its branches. */
export function findBody({ node, run }: NodeCall, branch?: string): Body | undefined {
  const found = bodiesOfNode(node).find(({ way }) => way[1] === branch);
  if (!found) return undefined;
  const { nodes } = found.body as unknown as WorkflowDefinition;
  return { way: [...(run.body ?? []), ...found.way], nodes };
}

/** Where a run of a body begins, in the version of the run that holds it. */
export function triggerOfBody({ workflow }: NodeCall, { way, nodes }: Body): Omit<NewChild, 'trigger' | 'index'> {
  const trigger = nodes.find(({ config }) => config.type === 'ITEM_TRIGGER');
  if (!trigger) throw new NodeFailure('Its body has no ITEM_TRIGGER');
  return { workflow, body: way, triggerNode: trigger.identifier };
}

interface Asked {
  readonly workflowIdentifier?: unknown;
  readonly nodeIdentifier?: unknown;
  readonly inputs?: unknown;
  readonly version?: unknown;
}

/**
 * A run of another workflow, started by one of its forms as whoever saved this version may start it, and with inputs that
 * the form takes. Its own steps act with the authority of its own version.
 * @throws NodeFailure for what cannot be started, in the words of the form
 */
export async function callOther(deps: ChildKindsDeps, call: NodeCall, asked: Asked): Promise<Omit<NewChild, 'index'>> {
  const { actor, run } = call;
  const name = asked.workflowIdentifier;
  if (typeof name !== 'string' || name === '') throw new NodeFailure('"workflowIdentifier" came to no name');
  if (!isRecord(asked.inputs)) throw new NodeFailure('"inputs" came to no object');
  if (run.depth >= limits.depth) {
    throw new NodeFailure(`Stopped: ${limits.depth} runs led to one another, which looks like a loop`);
  }
  const current = await findCurrent(deps.database, actor.orgId, name);
  const workflow = current && (await versionAsked(deps, call, current, asked.version));
  if (!current || !workflow) throw new NodeFailure(noSuch(name, asked.version));
  const node = triggerOf(workflow, asked.nodeIdentifier);
  const isOpen = current.definition.nodes.some((each) => each.identifier === node && isPublishedForm(each));
  if (!isOpen) throw new NodeFailure(noSuch(name, asked.version));
  const pause = await findPause(deps.database, actor.orgId, workflow.key, node);
  if (pause) throw new NodeFailure(triggerPaused(pause).message);
  try {
    const { values, authors } = await deps.checkStart(actor, workflow, node, asked.inputs);
    // its steps read the name of whoever started the first run, which the actor of a step is not
    const starter = { orgId: actor.orgId, model: actor.model, kind: run.createdByKind, id: run.createdBy };
    const named = await findStarterAuthors(deps, starter, workflow);
    return { workflow, body: null, triggerNode: node, trigger: values, authors: mergeAuthors(authors, named) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    throw new NodeFailure(error.code === 'not_found' ? noSuch(name, asked.version) : error.message);
  }
}

/** The same sentence for what is not there, and for what may not be seen. */
function noSuch(name: string, version: unknown): string {
  const which = typeof version === 'number' ? ` with a version ${version}` : '';
  return `There is no workflow "${name}"${which} with such a form that may be started here`;
}

async function versionAsked(
  { database }: ChildKindsDeps,
  { actor }: NodeCall,
  current: StoredWorkflow,
  version: unknown,
): Promise<StoredWorkflow | undefined> {
  if (typeof version !== 'number' || version === current.version) return current;
  return findVersion(database, actor.orgId, current.key, version);
}

/** The form that is named, or the only one there is. @throws NodeFailure where it is not clear */
function triggerOf({ definition, identifier }: StoredWorkflow, named: unknown): string {
  if (typeof named === 'string') return named;
  const forms = definition.nodes.filter(({ config }) => config.type === 'SELF_SERVE_TRIGGER');
  const [only] = forms;
  if (only && forms.length === 1) return only.identifier;
  throw new NodeFailure(`The workflow "${identifier}" has ${forms.length} forms: name one in "nodeIdentifier"`);
}
