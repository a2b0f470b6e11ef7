import { createGraph, isBranching } from '../../definitions/graph.ts';
import { listReads, mayReadOutput } from '../../definitions/node-reads.ts';
import type { WorkflowDefinition, WorkflowNode } from '../../definitions/workflow.ts';
import { outletsOfInput } from '../decide-outlet.ts';
import type { StoredNodeRun } from '../workflow-run.ts';

export type PastStep = Pick<StoredNodeRun, 'id' | 'node' | 'type' | 'phase' | 'result' | 'outlet' | 'goesOn'>;
export type Effect = 'none' | 'ours' | 'outside';

/** What is asked: a run that has ended, and how it should run again. */
export interface RerunQuestion {
  /** The version that the run followed, and the one to follow now. */
  readonly before: WorkflowDefinition;
  readonly now: WorkflowDefinition;
  readonly isSameVersion: boolean;
  readonly triggerNode: string;
  /** In the order of their steps. */
  readonly steps: readonly PastStep[];
  /** Those that were undone, or were to be; whether that succeeded or not. */
  readonly compensated: ReadonlySet<string>;
  /** Who pressed which button, by node run. */
  readonly pressed: ReadonlyMap<string, readonly { readonly responder: string; readonly button: string }[]>;
  readonly inputsChange: boolean;
  /** Names of whoever asks, and whether somebody else asked for the run. */
  readonly asking: { readonly names: readonly string[]; readonly isAnother: boolean };
  /** Without one: from the beginning. */
  readonly from: string | undefined;
  effect(type: string): Effect;
}

/** Why a step is carried out again though the caller would begin later. */
export type Reason =
  | 'inputs-changed'
  | 'version-changed'
  | 'node-changed'
  | 'not-pressed'
  | 'effect-never-reached'
  | 'own-approval'
  | 'another-requester'
  | 'compensated';

export interface RerunPlan {
  /** Steps that are taken over as they ended. */
  readonly reused: readonly PastStep[];
  /** The node at which the run begins. */
  readonly startsAt: WorkflowNode;
  /** Steps of the earlier run that the new one does not take over. */
  readonly again: readonly PastStep[];
  /** Steps before the one asked for that have to be carried out again, last first. */
  readonly moved: readonly { readonly node: string; readonly reason: Reason }[];
}

export type PlannedRerun = RerunPlan | { readonly problem: string };

/**
 * Decides what a re-run takes over. It begins where the caller says, or earlier: before the first step whose output would
 * not be what this run would have given, and before every `INPUT` whose decision was not made for it.
 */
export function planRerun(question: RerunQuestion): PlannedRerun {
  const { before, now, triggerNode, from } = question;
  const trigger = createGraph(now).node(triggerNode);
  const type = createGraph(before).node(triggerNode)?.config.type;
  if (!trigger || trigger.config.type !== type) {
    return { problem: `The trigger "${triggerNode}" is not in this version of the workflow` };
  }
  const path = pathTaken(question);
  const asked = from === undefined ? 0 : path.findIndex(({ node }) => node === from);
  if (asked < 0) return { problem: `The run did not reach the step "${from}"` };
  const shared = sharedLength(question, path);
  let start = Math.min(asked, shared);
  const moved: { node: string; reason: Reason }[] = [];
  if (start < asked) moved.push({ node: (path[start] as PastStep).node, reason: 'node-changed' });
  for (let index = start - 1; index >= 0; index -= 1) {
    const reason = whyAgain(question, path, index, start);
    if (reason === undefined) continue;
    start = index;
    moved.push({ node: (path[index] as PastStep).node, reason });
  }
  const startsAt = nodeAfter(now, triggerNode, path[start - 1]);
  if (!startsAt) return { problem: 'This version of the workflow ends there' };
  return { reused: path.slice(0, start), startsAt, again: path.slice(start), moved };
}

/** The steps as one way from the trigger: what is not on it was carried out for other reasons. */
function pathTaken({ before, triggerNode, steps }: RerunQuestion): readonly PastStep[] {
  const path: PastStep[] = [];
  for (const step of steps) {
    if (nodeAfter(before, triggerNode, path.at(-1))?.identifier !== step.node) break;
    path.push(step);
  }
  return path;
}

/** How many steps of the way are the same way in the version to follow. */
function sharedLength({ now, triggerNode }: RerunQuestion, path: readonly PastStep[]): number {
  const index = path.findIndex(
    (step, at) => nodeAfter(now, triggerNode, path[at - 1])?.identifier !== step.node || !leadsOn(path[at - 1]),
  );
  return index < 0 ? path.length : index;
}

function leadsOn(step: PastStep | undefined): boolean {
  return step === undefined || (step.phase === 'ENDED' && (step.result === 'SUCCESS' || step.goesOn));
}

function nodeAfter(
  definition: WorkflowDefinition,
  triggerNode: string,
  last: PastStep | undefined,
): WorkflowNode | undefined {
  const graph = createGraph(definition);
  const left = graph.node(last?.node ?? triggerNode);
  if (!left) return undefined;
  const following = last && isBranching(left) ? graph.next(left.identifier, last.outlet) : graph.next(left.identifier);
  return following === undefined ? undefined : graph.node(following);
}

/** Why a step cannot be taken over if the run begins at `start`; undefined if it can. */
function whyAgain(
  question: RerunQuestion,
  path: readonly PastStep[],
  index: number,
  start: number,
): Reason | undefined {
  const { now, triggerNode, inputsChange, isSameVersion } = question;
  const step = path[index] as PastStep;
  if (question.compensated.has(step.id)) return 'compensated';
  const node = createGraph(now).node(step.node) as WorkflowNode;
  if (node.config.type === 'INPUT') {
    const reason = whyAskedAgain(question, path, index, start);
    if (reason !== undefined) return reason;
  }
  if (inputsChange && listReads(node, triggerNode).inputs) return 'inputs-changed';
  if (isSameVersion || !isChanged(question, step.node)) return undefined;
  const readers = reachable(now, step.node).filter((each) => each.identifier !== step.node);
  const matters = isBranching(node) || readers.some((each) => mayReadOutput(listReads(each, triggerNode), step.node));
  return matters ? 'node-changed' : undefined;
}

/**
 * An approval is for its run. It is taken along only for the same inputs and version, if people pressed the button, if
 * whoever asks now could not have been kept from pressing it, and if what it allowed is what was done.
 */
function whyAskedAgain(
  question: RerunQuestion,
  path: readonly PastStep[],
  index: number,
  start: number,
): Reason | undefined {
  const { now, triggerNode, pressed, asking, inputsChange, isSameVersion } = question;
  const step = path[index] as PastStep;
  const node = createGraph(now).node(step.node) as WorkflowNode;
  if (inputsChange) return 'inputs-changed';
  if (!isSameVersion) return 'version-changed';
  const answers = pressed.get(step.id) ?? [];
  const needed = outletsOfInput(node).find(({ identifier }) => identifier === step.outlet)?.needed ?? 1;
  if (answers.filter(({ button }) => button === step.outlet).length < needed) return 'not-pressed';
  const names = asking.names.map((each) => each.toLowerCase());
  if (
    node.config['excludeRequester'] === true &&
    answers.some(({ responder }) => names.includes(responder.toLowerCase()))
  ) {
    return 'own-approval';
  }
  if (asking.isAnother && listReads(node, triggerNode).run) return 'another-requester';
  const isUsed = path.slice(index + 1, start).some(({ type }) => question.effect(type) !== 'none');
  if (isUsed) return undefined;
  const next = nodeAfter(now, triggerNode, path[start - 1]);
  const reached = new Set(path.slice(start).map((each) => each.node));
  const first = next ? firstEffects(question, next) : [];
  return first.every((each) => reached.has(each)) ? undefined : 'effect-never-reached';
}

function isChanged({ before, now }: RerunQuestion, node: string): boolean {
  const written = (definition: WorkflowDefinition) => JSON.stringify(createGraph(definition).node(node));
  return written(before) !== written(now);
}

/** The effects that come first on the ways from a node. */
function firstEffects(question: RerunQuestion, from: WorkflowNode): readonly string[] {
  const hasEffect = ({ config }: WorkflowNode) => question.effect(config.type) !== 'none';
  return reachable(question.now, from.identifier, (node) => !hasEffect(node))
    .filter(hasEffect)
    .map(({ identifier }) => identifier);
}

/** A node and those to which ways lead from it, as far as they are gone. */
function reachable(
  { nodes, connections }: WorkflowDefinition,
  from: string,
  goOn: (node: WorkflowNode) => boolean = () => true,
): readonly WorkflowNode[] {
  const byName = new Map(nodes.map((node) => [node.identifier, node]));
  const found = new Map<string, WorkflowNode>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = byName.get(name);
    if (!node || found.has(name)) continue;
    found.set(name, node);
    if (!goOn(node)) continue;
    for (const each of connections) if (each.sourceIdentifier === name) open.push(each.targetIdentifier);
  }
  return [...found.values()];
}

/** Steps that a re-run carries out, or may carry out, in the order of the definition. */
export function stepsAhead(definition: WorkflowDefinition, { startsAt }: RerunPlan): readonly WorkflowNode[] {
  const ahead = new Set(reachable(definition, startsAt.identifier).map(({ identifier }) => identifier));
  return definition.nodes.filter(({ identifier }) => ahead.has(identifier));
}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether carrying a step out once more may count twice for somebody else. */
export function mayCountTwice({ config }: WorkflowNode, effect: Effect): boolean {
  if (effect !== 'outside')
    return !(effect === 'none' || config.type === 'UPSERT_ENTITY' || config.type === 'DELETE_ENTITY');
  const method = config['method'];
  const isRepeatable = typeof method === 'string' && repeatable.has(method.toUpperCase());
  return !(config.type === 'WEBHOOK' && isRepeatable && config['agent'] !== true);
}
