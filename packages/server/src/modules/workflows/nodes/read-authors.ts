import { isRecord } from '@portolan/contract/json-value';
import { carrying, outside, type TextAuthor } from '../../../platform/text-authors.ts';
import { computesOfTexts } from '../../actions/index.ts';
import { readForm } from '../definitions/rules/node-rules.ts';
import type { NodeConfig, WorkflowNode } from '../definitions/workflow.ts';
import type { NodeCall } from './node-kind.ts';
import type { RunMembers } from './run-context.ts';

/** Who wrote what a node gives, beside those who wrote what it read: everything before it. */
type OutputAuthors = (node: WorkflowNode, output: unknown) => readonly TextAuthor[];

/** It is made of what the run has already. */
const nobody: OutputAuthors = () => [];
/** Receivers, executors, models, whoever wrote an entity or acts. */
const others: OutputAuthors = () => [outside];
/** Names of what was written; a refusal quotes what blueprints say. */
const refusing: OutputAuthors = (_node, output) => (isRecord(output) && isRecord(output['error']) ? [outside] : []);

/** Each kind of node says who wrote what it gives; one that does not is not compiled. */
const authorsByKind: Readonly<Record<NodeConfig['type'], OutputAuthors>> = {
  // of a run as it begins: its authors are those of the run
  SELF_SERVE_TRIGGER: nobody,
  EVENT_TRIGGER: nobody,
  SCHEDULE_TRIGGER: nobody,
  WEBHOOK_TRIGGER: nobody,
  RUN_TRIGGER: nobody,
  ITEM_TRIGGER: nobody,
  CONDITION: nobody,
  TRANSFORM: nobody,
  DELAY: nobody,
  STOP: nobody,
  NOTIFY: nobody,
  UPSERT_ENTITY: refusing,
  DELETE_ENTITY: refusing,
  INPUT: listResponders,
  WEBHOOK: others,
  KAFKA: others,
  INTEGRATION_ACTION: others,
  AI: others,
  AI_AGENT: others,
  CURSOR_AGENT: others,
  FETCH: others,
  RUN_ACTION: others,
  WAIT_FOR_EVENT: others,
  // what their runs gave may come from any of these
  RUN_WORKFLOW: others,
  MAP: others,
  PARALLEL: others,
  REPEAT: others,
};

/** Who wrote each member of what templates of a node read, beside the authors of its run; one that does not say is not compiled. */
const authorsByMember: { readonly [Member in keyof RunMembers]: (call: NodeCall) => readonly TextAuthor[] } = {
  outputs: listOutputAuthors,
  // of the trigger, whose authors are those of the run; so are those of the name of whoever started it
  inputs: () => [],
  workflowRun: () => [],
  // whoever saved the workflow stands behind what it does
  workflow: () => [],
  workflowNodeRun: () => [],
  run: () => [],
};

/**
 * The call, whose writes, runs and questions also come from whoever wrote what its templates read. Every call is made with
 * them.
 */
export function withReadAuthors(call: NodeCall): NodeCall {
  const authors = Object.values(authorsByMember).flatMap((list) => list(call));
  return authors.length === 0 ? call : { ...call, actor: carrying(call.actor, authors) };
}

function listOutputAuthors(call: NodeCall): readonly TextAuthor[] {
  const nodes = new Map(call.workflow.definition.nodes.map((node) => [node.identifier, node]));
  return Object.entries(call.outputs).flatMap(([name, output]) => {
    // the authors of the run wrote it
    if (name === 'trigger') return [];
    const node = nodes.get(name);
    return node ? authorsByKind[node.config.type](node, output) : [outside];
  });
}

function listResponders({ config }: WorkflowNode, output: unknown): readonly TextAuthor[] {
  const form = readForm(config['userInputs']);
  if (form && computesOfTexts(form)) return [outside];
  const { responses } = (output ?? {}) as { readonly responses?: unknown };
  // variables may have left out who responded
  if (!Array.isArray(responses)) return [outside];
  return responses.map((each) => {
    const { submitterInfo } = (each ?? {}) as { readonly submitterInfo?: { readonly submittedBy?: unknown } };
    return typeof submitterInfo?.submittedBy === 'string' ? `person:${submitterInfo.submittedBy}` : outside;
  });
}
