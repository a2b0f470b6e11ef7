import type { Workflow } from '@portolan/contract/workflows';
import type { StoredWorkflow } from './workflow.ts';

/** The definition as written, with what answers add. */
export function presentWorkflow(workflow: StoredWorkflow): Workflow {
  const { definition, id, version, versionId, createdAt, createdBy, updatedAt, updatedBy } = workflow;
  return {
    ...definition,
    id,
    version,
    versionIdentifier: versionId,
    createdAt: createdAt.toISOString(),
    createdBy,
    updatedAt: updatedAt.toISOString(),
    updatedBy,
    // definitions come from JSON
  } as unknown as Workflow;
}
