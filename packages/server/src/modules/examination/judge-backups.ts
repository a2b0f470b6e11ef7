import type { InstallationCheck } from '@portolan/contract/operator';
import type { BackupState } from '../backups/index.ts';

const hourMs = 3_600_000;
/** A backup may take a while, and its job a second try. */
const lateMs = 2 * hourMs;

/** How old the newest backup is, where this server takes them. */
export function judgeBackups(state: BackupState, kind: 'embedded' | 'postgres', now: Date): InstallationCheck {
  const name = 'backups';
  if (state.kind === 'unplanned') {
    if (kind === 'postgres')
      return { name, status: 'ok', message: 'not scheduled here: PostgreSQL is backed up by its own tools' };
    const message =
      'No backups are scheduled, and the database is a folder of this server. Set PORTOLAN_BACKUP_SCHEDULE.';
    return { name, status: 'warning', code: 'no_backups', message };
  }
  const { newest, due } = state;
  if (newest === undefined) {
    const message = 'None was taken yet that this server sees.';
    return { name, status: 'warning', code: 'no_backups', message };
  }
  const hours = ((now.getTime() - newest.getTime()) / hourMs).toFixed(1);
  if (newest < due && now.getTime() - due.getTime() > lateMs) {
    const message = `The newest is ${hours} hours old, and one was due at ${due.toISOString()}. The log says why it failed.`;
    return { name, status: 'failed', code: 'backup_late', message };
  }
  return { name, status: 'ok', message: `the newest is ${hours} hours old` };
}
