import * as contract from '@portolan/contract/audit';
import * as live from '@portolan/contract/live';
import type { Actor } from '../../platform/actor.ts';
import { LineStreamAnswer } from '../../platform/http/line-stream.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import { deleteOldRecords } from './delete-old-records.ts';
import { journalTools } from './journal.tools.ts';
import { createFollowing, type LiveDeps } from './live/follow-changes.ts';
import { type AuditPorts, exportAuditLog, readAuditLog } from './read-audit-log.ts';

export interface JournalOptions extends AuditPorts, LiveDeps {
  readonly keptDays: number;
}

export interface Journal {
  readonly routes: Route[];
  readonly tools: ToolDeclaration[];
  readonly jobs: JobDeclaration[];
  /** Readable audit records of a run, oldest first. */
  recordsOfRun(actor: Actor, runId: string): Promise<Partial<contract.AuditRecord>[]>;
}

const recordsMax = 200;

/** Reads the journal; `writeRecords` writes it. */
export function createJournal(options: JournalOptions): Journal {
  return {
    routes: [...auditRoutes(options), ...liveRoutes(options)],
    tools: journalTools(options),
    jobs: [deleteOldRecords(options, options.keptDays)],
    recordsOfRun: async (actor, runId) => {
      const query = contract.auditQuery.parse({ run_id: runId, limit: recordsMax });
      return (await readAuditLog(options, actor, query)).audits.reverse();
    },
  };
}

function liveRoutes(deps: LiveDeps): Route[] {
  const follow = createFollowing(deps);
  return [route(live.followChanges, async ({ query: { since } }, request) => follow(request, since))];
}

function auditRoutes(ports: AuditPorts): Route[] {
  return [
    route(contract.getAuditLog, async ({ query }, { actor }) => {
      const { audits, next } = await readAuditLog(ports, actor, query);
      return { audits, ...(next === undefined ? {} : { next }) };
    }),
    route(
      contract.exportAuditLog,
      async ({ query }, { actor }) => new LineStreamAnswer(await exportAuditLog(ports, actor, query)),
    ),
  ];
}
