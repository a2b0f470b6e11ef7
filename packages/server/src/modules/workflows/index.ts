export { createWorkflows } from './workflows.module.ts';
