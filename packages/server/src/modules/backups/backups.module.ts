import { takeBackup } from '@portolan/contract/operator';
import type { Metric } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { RawAnswer, type Route, route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { streamBackup } from './backup-file.ts';
import { backupFileName } from './backup-folder.ts';
import { openBackup } from './open-backup.ts';
import {
  type BackupPlan,
  type BackupState,
  backupMetrics,
  lookAtBackups,
  scheduledBackupJobs,
} from './scheduled-backups.ts';

export interface BackupsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** When it takes backups by itself; never, if there is none. */
  readonly plan: BackupPlan | undefined;
}

export interface Backups {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  readonly metrics: readonly Metric[];
  look(): Promise<BackupState>;
}

/** Backups that a running server takes of its own database. */
export function createBackups({ database, clock, plan }: BackupsDeps): Backups {
  let isUnderWay = false;
  const alone = async (take: () => Promise<void>): Promise<boolean> => {
    if (isUnderWay) return false;
    isUnderWay = true;
    try {
      await take();
    } finally {
      isUnderWay = false;
    }
    return true;
  };
  return {
    jobs: scheduledBackupJobs({ database, clock, plan, alone }),
    metrics: backupMetrics({ clock, plan }),
    look: () => lookAtBackups(plan, clock.now()),
    routes: [
      route(takeBackup, async (_input, { log }) => {
        if (isUnderWay)
          throw new AppError('limit_reached', 'This process is taking a backup already; wait for its end');
        isUnderWay = true;
        const backup = await openBackup(database.engine, clock.now()).catch((error: unknown) => {
          isUnderWay = false;
          throw error;
        });
        return new RawAnswer(async (response) => {
          response.writeHead(200, {
            'content-type': 'application/gzip',
            'content-disposition': `attachment; filename="${backupFileName(backup.header.takenAt)}"`,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
          });
          try {
            // a failure cuts the answer, which then lacks the end of a backup
            await streamBackup(backup, response);
          } catch (error) {
            log.warn({ error }, 'a backup broke off');
          } finally {
            isUnderWay = false;
            await backup.close();
          }
        });
      }),
    ],
  };
}
