import { linkOptions } from '@tanstack/react-router';

export function workflowAddress(workflow: string) {
  return linkOptions({ to: '/workflows/$workflow/edit', params: { workflow } });
}

/** The form by which a workflow is started, filled in with values; the trigger is named where there are several. */
export function startAddress(workflow: string, trigger?: string, values: Readonly<Record<string, unknown>> = {}) {
  const search = { ...values, ...(trigger === undefined ? {} : { trigger }) };
  return linkOptions({ to: '/workflows/$workflow/start', params: { workflow }, search });
}

export function workflowRunAddress(workflowRun: string) {
  return linkOptions({ to: '/workflow-runs/$workflowRun', params: { workflowRun } });
}

/** Where a proposed workflow is looked at and decided on. */
export function proposalAddress(proposal: string) {
  return linkOptions({ to: '/workflows/proposals/$proposal', params: { proposal } });
}
