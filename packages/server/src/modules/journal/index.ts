export {
  type Delivery,
  dropDeliveries,
  listDeliveries,
  listWaitingTargets,
  type Target,
  takeDeliveries,
} from './deliveries.ts';
export { type HistoryRange, readEntityHistory } from './entity-history.ts';
export { forgetRecordedTexts } from './forget-recorded-texts.ts';
export { createJournal } from './journal.module.ts';
export { findRecord, type StoredRecord } from './journal.store.ts';
export { createLiveFeed } from './live/live-feed.ts';
export { presentRecord, type TeamNames, teamReferencesIn } from './present-record.ts';
export type { VisibleRecords } from './read-audit-log.ts';
export { createFailureRecorder, type Failure, type RecordFailures } from './record-failures.ts';
export { listTouchedEntities, type TouchedEntity } from './touched-entities.ts';
export { type PastKey, readValuesAt } from './values-at.ts';
export { createRecordWriter, type Interest } from './write-records.ts';
