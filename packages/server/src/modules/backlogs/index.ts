export { type Backlogs, createBacklogs } from './backlogs.module.ts';
export type { Backlog } from './look-at-backlog.ts';
