export { createBacklogs } from './backlogs.module.ts';
