import { takeBackup } from '@portolan/contract/operator';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { RawAnswer, type Route, route } from '../../platform/http/route.ts';
import { streamBackup } from './backup-file.ts';
import { openBackup } from './open-backup.ts';

export interface BackupsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Backups that a running server takes of its own database. */
export function createBackups({ database, clock }: BackupsDeps): { readonly routes: Route[] } {
  let isUnderWay = false;
  return {
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
            'content-disposition': `attachment; filename="${fileName(backup.header.takenAt)}"`,
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

/** `portolan-20261127T051500Z.ptb` */
function fileName(takenAt: string): string {
  return `portolan-${takenAt.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.ptb`;
}
