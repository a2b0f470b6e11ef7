export { createWaitWaker as workflowWaitWaker } from './nodes/take-waits.ts';
export { waitInterest as workflowWaitInterest } from './nodes/wait-interest.sql.ts';
export { noticeChangesSince } from './notices/read-notices.ts';
export { workflowInterest } from './runs/interest.sql.ts';
export { visibleWorkflowRuns } from './runs/read-runs.ts';
export { createWorkflowWaker as workflowWaker } from './runs/wake-workflows.ts';
export { createWorkflows } from './workflows.module.ts';
