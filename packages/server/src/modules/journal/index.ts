export { type EntityState, type HistoryRange, readEntityHistory } from './entity-history.ts';
export { createJournal, type Journal } from './journal.module.ts';
export type { VisibleRecords } from './read-audit-log.ts';
export { createFailureRecorder, type Failure, type RecordFailures } from './record-failures.ts';
export { writeRecords } from './write-records.ts';
