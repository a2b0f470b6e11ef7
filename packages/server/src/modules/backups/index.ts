export { explainFile, takeBackup, takeBackupFile } from './backup-file.ts';
export { BackupError, type BackupHeader } from './backup-format.ts';
export { createBackups } from './backups.module.ts';
export { planRestore } from './plan-restore.ts';
export { restoreBackup } from './restore-backup.ts';
export { restoreFolder } from './restore-folder.ts';
export type { BackupPlan } from './scheduled-backups.ts';
export { type DatabaseCheck, verifyDatabase } from './verify-database.ts';
