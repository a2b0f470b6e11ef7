import { join } from 'node:path';
import { Gauge, type Metric } from 'prom-client';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import { takeBackupFile } from './backup-file.ts';
import { backupFileName, keepNewest, lookIntoFolder, prepareFolder } from './backup-folder.ts';

/** Backups that a server takes by itself. */
export interface BackupPlan {
  readonly folder: string;
  /** So many are kept. */
  readonly keep: number;
  /** At a time of the day, in milliseconds after midnight in UTC, or after so long. */
  readonly schedule: { readonly atMs: number } | { readonly everyMs: number };
}

export interface ScheduledDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly plan: BackupPlan | undefined;
  /** Runs it unless this process is taking a backup already. */
  readonly alone: (take: () => Promise<void>) => Promise<boolean>;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** After a failure so long, so that a full disk is not asked every minute. */
const againMs = 15 * minuteMs;

/** The last moment by which a backup should have been taken. */
export function lastDue(schedule: BackupPlan['schedule'], now: Date): Date {
  const nowMs = now.getTime();
  if ('everyMs' in schedule) return new Date(nowMs - schedule.everyMs);
  const today = nowMs - (nowMs % dayMs) + schedule.atMs;
  return new Date(today > nowMs ? today - dayMs : today);
}

/** Looks every minute whether a backup is due. Twice is harmless: the second finds the first. */
export function scheduledBackupJobs({ database, clock, plan, alone }: ScheduledDeps): JobDeclaration[] {
  if (plan === undefined) return [];
  let triedAt: number | undefined;
  return [
    defineJob({
      name: 'backups.take-scheduled',
      input: z.object({}),
      attempts: 1,
      timeoutMs: 6 * 60 * minuteMs,
      everyMs: minuteMs,
      // it waits for the disk, and must not take the place of other work for so long
      waitsOutside: true,
      run: async () => {
        const now = clock.now();
        if (triedAt !== undefined && now.getTime() - triedAt < againMs) return;
        triedAt = now.getTime();
        const { newest, isBusy } = await lookIntoFolder(plan.folder);
        const isDue = !isBusy && (newest === undefined || newest < lastDue(plan.schedule, now));
        if (isDue) {
          await alone(async () => {
            await prepareFolder(plan.folder);
            await takeBackupFile(database.engine, join(plan.folder, backupFileName(now.toISOString())), now);
            await keepNewest(plan.folder, plan.keep);
          });
        }
        // only what failed waits
        triedAt = undefined;
      },
    }),
  ];
}

/** What a schedule wants, and what this process sees of it. */
export type BackupState =
  | { readonly kind: 'unplanned' }
  | { readonly kind: 'planned'; readonly newest: Date | undefined; readonly due: Date };

/** @throws Error for a folder that cannot be read */
export async function lookAtBackups(plan: BackupPlan | undefined, now: Date): Promise<BackupState> {
  if (plan === undefined) return { kind: 'unplanned' };
  const { newest } = await lookIntoFolder(plan.folder);
  return { kind: 'planned', newest, due: lastDue(plan.schedule, now) };
}

/** How old the newest backup is that this process sees; the age of the process while there is none. */
export function backupMetrics({ clock, plan }: Pick<ScheduledDeps, 'clock' | 'plan'>): readonly Metric[] {
  const begun = clock.now();
  const age = new Gauge({
    name: 'portolan_backup_age_seconds',
    help: 'How old the newest scheduled backup is in the folder of this process, or the process itself while there is none; absent without a schedule',
    registers: [],
    async collect() {
      this.remove();
      if (plan === undefined) return;
      const found = await lookIntoFolder(plan.folder).catch(() => undefined);
      // a folder that cannot be read has no age, and its alert says so
      if (found !== undefined) this.set((clock.now().getTime() - (found.newest ?? begun).getTime()) / 1000);
    },
  });
  return [age];
}
