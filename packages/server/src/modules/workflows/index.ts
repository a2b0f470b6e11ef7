export { workflowInterest } from './runs/interest.sql.ts';
export { visibleWorkflowRuns } from './runs/read-runs.ts';
export { createWorkflowWaker } from './runs/wake-workflows.ts';
export { createWorkflows } from './workflows.module.ts';
