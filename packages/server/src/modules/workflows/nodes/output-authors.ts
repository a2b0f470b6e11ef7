import { carrying, outside } from '../../../platform/text-authors.ts';
import type { NodeCall } from './node-kind.ts';

/** Kinds of nodes whose output somebody else wrote: receivers, executors, models, whoever wrote an entity. */
const others: ReadonlySet<string> = new Set([
  'WEBHOOK',
  'KAFKA',
  'INTEGRATION_ACTION',
  'AI',
  'AI_AGENT',
  'FETCH',
  // what their runs gave may come from any of these
  'RUN_WORKFLOW',
  'MAP',
  'PARALLEL',
  'REPEAT',
]);

/**
 * The call, whose writes also come from whoever wrote the outputs before it: what others answered was written outside,
 * and what a form was given by those who responded.
 */
export function withOutputAuthors(call: NodeCall): NodeCall {
  const types = new Map(call.workflow.definition.nodes.map(({ identifier, config }) => [identifier, config.type]));
  const authors = Object.entries(call.outputs).flatMap(([node, output]) => {
    const type = types.get(node) ?? '';
    if (others.has(type)) return [outside];
    return type === 'INPUT' ? listResponders(output) : [];
  });
  return authors.length === 0 ? call : { ...call, actor: carrying(call.actor, authors) };
}

function listResponders(output: unknown): string[] {
  const { responses } = (output ?? {}) as { readonly responses?: unknown };
  // variables may have left out who responded
  if (!Array.isArray(responses)) return [outside];
  return responses.map((each) => {
    const { submitterInfo } = (each ?? {}) as { readonly submitterInfo?: { readonly submittedBy?: unknown } };
    return typeof submitterInfo?.submittedBy === 'string' ? `person:${submitterInfo.submittedBy}` : outside;
  });
}
