import { publishedForms } from '../definitions/trigger-rights.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';

/**
 * What tools and rules of administrators call a form of a workflow: the workflow's identifier, with that of the node
 * where there are several forms. No identifier of a workflow has a dot.
 */
export function nameForm(workflow: StoredWorkflow, node: string): string {
  return publishedForms(workflow).length > 1 ? `${workflow.identifier}.${node}` : workflow.identifier;
}

/** Where actions may have the same names. */
export function ruleName(workflow: StoredWorkflow, node: string): string {
  return `workflow:${nameForm(workflow, node)}`;
}

/** Of standing approvals: they are for one form. */
export function formId(workflow: Pick<StoredWorkflow, 'id'>, node: string): string {
  return `${workflow.id}/${node}`;
}
