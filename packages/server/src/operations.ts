import type { Metric } from 'prom-client';
import { createBacklogs } from './modules/backlogs/index.ts';
import { type BackupPlan, createBackups } from './modules/backups/index.ts';
import { createExamination } from './modules/examination/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import type { Route } from './platform/http/route.ts';
import type { JobDeclaration } from './platform/jobs/job.ts';
import type { JobLog } from './platform/jobs/job-log.ts';

interface OperationsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobLog;
  readonly backups: BackupPlan | undefined;
  readonly dataDir: string | undefined;
}

/** What serves whoever operates the installation, of all organizations together. */
export interface Operations {
  readonly routes: readonly Route[];
  readonly jobs: readonly JobDeclaration[];
  readonly metrics: readonly Metric[];
}

export function createOperations({ database, clock, log, backups: plan, dataDir }: OperationsPorts): Operations {
  const backups = createBackups({ database, clock, plan });
  const backlogs = createBacklogs({ database, clock, log });
  const examination = createExamination({ database, clock, log, backlogs, backups, dataDir });
  return {
    routes: [...backups.routes, ...examination.routes],
    jobs: backups.jobs,
    metrics: [...backlogs.metrics, ...backups.metrics],
  };
}
