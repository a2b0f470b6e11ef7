// Past the rights of callers: for the migrations and the demo alone.
export { deleteOldWriters, listOldWriters, type OldWriter } from './old-writers.store.ts';
export { lockModel, setMigrationPhase, setModel } from './organization.store.ts';
