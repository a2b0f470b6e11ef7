import * as contract from '@portolan/contract';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { deleteOldRecords } from './delete-old-records.ts';
import { type AuditPorts, readAuditLog } from './read-audit-log.ts';

export interface JournalOptions extends AuditPorts {
  readonly clock: Clock;
  /** Days that records are kept. */
  readonly keptDays: number;
}

export interface Journal {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

/** The reading side of the journal; `writeRecords` is the writing side. */
export function createJournal(options: JournalOptions): Journal {
  return { routes: auditRoutes(options), jobs: [deleteOldRecords(options, options.keptDays)] };
}

function auditRoutes(ports: AuditPorts): Route[] {
  return [
    route(contract.getAuditLog, async ({ query }, { actor }) => {
      const { audits, next } = await readAuditLog(ports, actor, query);
      return { audits, ...(next === undefined ? {} : { next }) };
    }),
  ];
}
