export {
  type Delivery,
  dropDeliveries,
  listDeliveries,
  listWaitingTargets,
  type Target,
  takeDeliveries,
} from './delivery.store.ts';
export { readEntityHistory } from './entity-history.ts';
export { listRecordsOfEntities } from './entity-records.store.ts';
export { createJournal } from './journal.module.ts';
export {
  findRecord,
  listRecordsOfEntity,
  listTouchedEntities,
  type Position,
  redactRecordedTexts,
  type StoredRecord,
  type TouchedEntity,
} from './journal.store.ts';
export { createLiveFeed } from './live/live-feed.ts';
export type { HistoryRange, PastKey } from './past.store.ts';
export {
  findNextBlueprintChange,
  listRenamedBlueprints,
  type RecordedBlueprint,
  selectKeyChanges,
} from './past-blueprints.store.ts';
export {
  type AskedName,
  findLostNames,
  findNewNames,
  listBlueprintsWithDeletions,
  type NamedSpan,
  type RecordedEntity,
  selectChangesBetween,
  selectDeletions,
  selectStatesAround,
} from './past-states.store.ts';
export { presentRecord, type TeamNames, teamReferencesIn } from './present-record.ts';
export type { VisibleRecords } from './read-audit-log.ts';
export { createFailureRecorder, type Failure, type RecordFailures } from './record-failures.ts';
export { readValuesAt } from './values-at.ts';
export { createRecordWriter, type Interest } from './write-records.ts';
