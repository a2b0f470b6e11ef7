import { mergeAuthors } from '../../../platform/text-authors.ts';
import type { NewChild } from '../nodes/child-runs.ts';
import type { NodeCall } from '../nodes/node-kind.ts';
import { newWorkflowRun } from './new-run.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/**
 * A run that a step begins: by the name of whoever started its parent, until its parent's deadline, and with the
 * authority of the version that it follows.
 */
export function newChildRun(
  call: NodeCall,
  { workflow, body, triggerNode, trigger, index, authors }: NewChild,
): StoredWorkflowRun {
  const { run, nodeRun, actor, now } = call;
  return newWorkflowRun(workflow, {
    triggerNode,
    trigger,
    now,
    createdBy: run.createdBy,
    createdByKind: run.createdByKind,
    impersonatedBy: run.impersonatedBy,
    requestedWith: run.requestedWith,
    textAuthors: mergeAuthors(actor.carriedAuthors ?? run.textAuthors, authors ?? []),
    causedBy: run.id,
    rootId: run.rootId,
    // a body is a part of its run; another workflow is one more of those that led to one another
    depth: body === null ? run.depth + 1 : run.depth,
    parent: {
      parentRun: run.id,
      parentNodeRun: nodeRun.id,
      itemIndex: index,
      body,
      nesting: run.nesting + 1,
      deadlineAt: run.deadlineAt,
    },
  });
}
