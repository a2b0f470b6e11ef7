import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import { getRun, listRuns } from './read-runs.ts';
import { listApprovals, listRunLogRows } from './run.store.ts';
import { presentRun, type StoredRun } from './run.ts';

/** Read-only tools for runs: only people decide on them. */
export function runTools({ database }: { readonly database: Database }): ToolDeclaration[] {
  return [
    tool({
      name: 'list_action_runs',
      title: 'List runs of actions',
      description:
        'Lists runs of actions that the caller may see, newest first, in short form. Drafts, which wait for a person to review them, are listed with status DRAFT alone.',
      effect: 'read',
      scope: 'read:runs',
      audience: 'developer',
      input: z.strictObject({
        action: z.string().min(1).optional().describe('Identifier of the action'),
        blueprint: z.string().min(1).optional(),
        entity: z.string().min(1).optional().describe('Identifier of the entity the action ran on'),
        user: z.string().min(1).optional().describe('Address of the person who asked for the runs'),
        status: z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'WAITING_FOR_APPROVAL', 'DECLINED', 'DRAFT']).optional(),
        limit: z.number().int().min(1).max(100).default(25).describe('How many at most'),
      }),
      run: async ({ actor }, { user, ...filters }) => ({
        runs: (await listRuns(database, actor, { ...filters, user_email: user })).map(shortForm),
      }),
    }),
    tool({
      name: 'track_action_run',
      title: 'Follow a run',
      description:
        'Returns the state of one run, its links, the answer of its backend and its log. Call it again later while the status is IN_PROGRESS or WAITING_FOR_APPROVAL.',
      effect: 'read',
      scope: 'read:runs',
      audience: 'developer',
      input: z.strictObject({
        runId: z.string().min(1).describe('Id of the run, like r_0123456789abcdef'),
        logOffset: z.number().int().min(0).max(1_000_000).default(0).describe('How many lines of the log to skip'),
      }),
      run: ({ actor }, input) => trackRun(database, actor, input.runId, input.logOffset),
    }),
  ];
}

const logLines = 50;

async function trackRun(database: Database, actor: Actor, id: string, offset: number) {
  const run = await getRun(database, actor, id);
  const logs = await listRunLogRows(database, actor.orgId, run.id, { limit: logLines, offset });
  return {
    run: presentRun(run, 'v2', await listApprovals(database, actor.orgId, run.id)),
    logs: logs.map(({ createdAt, ...log }) => ({ ...log, createdAt: createdAt.toISOString() })),
    ...(logs.length === logLines ? { nextLogOffset: offset + logLines } : {}),
  };
}

function shortForm(run: StoredRun) {
  return {
    id: run.id,
    action: run.actionIdentifier,
    status: run.status,
    ...(run.statusLabel === null ? {} : { statusLabel: run.statusLabel }),
    ...(run.blueprint === null ? {} : { blueprint: run.blueprint }),
    ...(run.entity === null ? {} : { entity: run.entity }),
    ...(run.summary === null ? {} : { summary: run.summary }),
    createdBy: run.createdBy,
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
  };
}
