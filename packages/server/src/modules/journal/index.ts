export { type HistoryRange, readEntityHistory } from './entity-history.ts';
export { createJournal } from './journal.module.ts';
export type { VisibleRecords } from './read-audit-log.ts';
export { createFailureRecorder, type Failure, type RecordFailures } from './record-failures.ts';
export { listTouchedEntities, type TouchedEntity } from './touched-entities.ts';
export { type PastKey, readValuesAt } from './values-at.ts';
export { writeRecords } from './write-records.ts';
