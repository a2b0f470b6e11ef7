import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type DispatchJob, storeChangedRun } from '../runs/enter-run.ts';
import { findRun, lockRun, noteOnRun } from '../runs/run.store.ts';
import type { FollowedWork, StoredRun } from '../runs/run.ts';
import { followAzureDevops } from './followers/azure-devops.ts';
import type { ExternalRunState } from './followers/follower.ts';
import { followGitHub } from './followers/github.ts';
import { followGitLab } from './followers/gitlab.ts';
import { followInvocation } from './followers/invocation.ts';
import { findBookkeepingActor, nobodyBehind, runActor } from './run-actors.ts';

export const followInput = z.object({ runId: z.string() });
export type FollowJob = JobDeclaration<typeof followInput>;

const dayMs = 86_400_000;
/** GitHub's limit for a workflow; the other services stop earlier. */
const patienceMs = 35 * dayMs;
/** How long a started workflow may take to appear. */
const appearanceMs = dayMs;

const followers = { GITHUB: followGitHub, GITLAB: followGitLab, AZURE_DEVOPS: followAzureDevops };

/**
 * Polls the workflow or invocation of a run, every few seconds and later every minute, and ends the run with it. Safe
 * to repeat: ended runs are not polled.
 */
export function followWorkflowJob(deps: ActionsDeps, dispatch: () => DispatchJob): FollowJob {
  return defineJob({
    name: 'actions.follow-workflow',
    input: followInput,
    attempts: 5,
    timeoutMs: 90_000,
    waitsOutside: true,
    dedupeBy: ({ runId }) => runId,
    run: async ({ runId }, { orgId, signal }) => {
      const run = await findRun(deps.database, orgId, runId);
      if (run?.status !== 'IN_PROGRESS' || !run.followed) return;
      const ageMs = deps.clock.now().getTime() - new Date(run.followed.since).getTime();
      const again = () =>
        new Postponed(new Date(deps.clock.now().getTime() + waitMs(ageMs)), 'what it started goes on');
      const acting = await runActor(deps, orgId, run);
      if (!acting) return giveUp(deps, orgId, run, nobodyBehind(run));
      const opened = createSecretScope();
      let seen: ExternalRunState | undefined | string;
      try {
        seen = opened.mask(await look(deps, { ...acting, opened }, { ...run, followed: run.followed }, signal));
      } catch (error) {
        if (!(error instanceof OutgoingFailure) || error.kind === 'refused') throw error;
      }
      if (typeof seen === 'string') return giveUp(deps, orgId, run, seen);
      if (seen && (await isEnded(deps, dispatch(), orgId, run, seen))) return;
      if (ageMs > (run.followed.id || seen ? patienceMs : appearanceMs)) {
        return giveUp(deps, orgId, run, 'it did not end in time');
      }
      throw again();
    },
  });
}

async function look(
  deps: ActionsDeps,
  actor: Actor,
  run: StoredRun & { readonly followed: FollowedWork },
  signal: AbortSignal,
): Promise<ExternalRunState | undefined | string> {
  const { followed } = run;
  if (followed.service !== 'INVOCATION') {
    return followers[followed.service ?? 'GITHUB'](deps, actor, followed, signal);
  }
  // the invocation may have been asked for by another actor
  const reader = await findBookkeepingActor(deps, actor.orgId, run);
  return reader ? followInvocation(deps, reader, followed, signal) : 'the organization is gone';
}

function waitMs(ageMs: number): number {
  if (ageMs < 120_000) return 5_000;
  return ageMs < 1_800_000 ? 20_000 : 60_000;
}

async function isEnded(
  deps: ActionsDeps,
  dispatch: DispatchJob,
  orgId: string,
  seen: StoredRun,
  { id, link, end }: ExternalRunState,
): Promise<boolean> {
  if (!end && seen.followed?.id === id && (!link || seen.link.includes(link))) return false;
  const actor = await findBookkeepingActor(deps, orgId, seen);
  if (!actor) return true;
  try {
    return await deps.unitOfWork(actor, async (work) => {
      const run = await lockRun(work.tx, orgId, seen.id);
      // a report that arrived first decides
      if (run?.status !== 'IN_PROGRESS' || !run.followed) return true;
      await storeChangedRun(work, dispatch, run, {
        followed: { ...run.followed, id },
        externalRunId: run.externalRunId ?? id,
        ...(link && !run.link.includes(link) ? { link: [...run.link, link] } : {}),
        ...(end ? { status: end.isGood ? 'SUCCESS' : 'FAILURE' } : {}),
        ...(end?.response === undefined ? {} : { response: [end.response] }),
        ...(end && !end.isGood ? { statusLabel: run.statusLabel ?? end.label ?? null } : {}),
      });
      return end !== undefined;
    });
  } catch (error) {
    // another run took the same workflow: look again
    if (error instanceof DatabaseError && error.constraint === 'action_runs_followed') return false;
    throw error;
  }
}

async function giveUp(deps: ActionsDeps, orgId: string, run: StoredRun, why: string): Promise<void> {
  const actor = await findBookkeepingActor(deps, orgId, run);
  if (!actor) return;
  const message = `What it started is not looked after any more (${why}); the run waits for a report`;
  await deps.unitOfWork(actor, ({ tx, now }) =>
    noteOnRun(tx, orgId, run.id, { message, createdBy: actor.id, at: now }),
  );
}
