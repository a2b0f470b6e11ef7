/** Where people see a run of a workflow, or decide on its draft. */
export function workflowRunUrl({ publicUrl }: { readonly publicUrl: () => string }, id: string): string {
  return `${publicUrl().replace(/\/+$/, '')}/workflow-runs/${encodeURIComponent(id)}`;
}

/** Where people look at a proposed workflow and decide on it. */
export function proposalUrl({ publicUrl }: { readonly publicUrl: () => string }, id: string): string {
  return `${publicUrl().replace(/\/+$/, '')}/workflows/proposals/${encodeURIComponent(id)}`;
}
