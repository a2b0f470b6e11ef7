import { z } from 'zod';
import { DatabaseError } from '../../../platform/db/engine.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type DispatchJob, storeChangedRun } from '../runs/enter-run.ts';
import { findRun, listFollowedIds, lockRun, noteOnRun } from '../runs/run.store.ts';
import type { FollowedWorkflow, StoredRun } from '../runs/run.ts';
import { answerFailure } from './backends/answers.ts';
import { type GitHubApi, githubApi, githubPath } from './backends/github-api.ts';
import { organizationActor } from './run-actors.ts';

export const followInput = z.object({ runId: z.string() });
export type FollowJob = JobDeclaration<typeof followInput>;

/** Clocks of others may be behind by this much. */
const skewMs = 10_000;
const dayMs = 86_400_000;
/** The longest that GitHub lets a workflow go on. */
const patienceMs = 35 * dayMs;
/** How long a workflow that was asked for may take to be seen. */
const appearanceMs = dayMs;

interface Workflow {
  readonly id: number;
  readonly html_url?: string;
  readonly status?: string;
  readonly conclusion?: string | null;
  readonly created_at?: string;
  readonly head_branch?: string | null;
}

/**
 * Looks every few seconds, later every minute, how the workflow that a run started goes on, and ends the run with it.
 * Looking twice changes nothing: a run that has ended is not looked after.
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
      const again = () => new Postponed(new Date(deps.clock.now().getTime() + waitMs(ageMs)), 'the workflow goes on');
      const api = await githubApi(deps, orgId, signal);
      if (!api) return giveUp(deps, orgId, run, 'the secret GITHUB_TOKEN is gone');
      let seen: Workflow | undefined | string;
      try {
        seen = await look(deps, api, orgId, run.followed);
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

function waitMs(ageMs: number): number {
  if (ageMs < 120_000) return 5_000;
  return ageMs < 1_800_000 ? 20_000 : 60_000;
}

/** The workflow as it is; undefined while it cannot be told; a sentence if it never will be. */
async function look(
  deps: ActionsDeps,
  api: GitHubApi,
  orgId: string,
  { org, repo, workflow, ref, since, id }: FollowedWorkflow,
): Promise<Workflow | undefined | string> {
  const repository = `/repos${githubPath(org, repo)}/actions`;
  const from = new Date(new Date(since).getTime() - skewMs);
  const query = new URLSearchParams({
    event: 'workflow_dispatch',
    created: `>=${from.toISOString().slice(0, 19)}Z`,
    per_page: '100',
  });
  const path = id === undefined ? `/workflows${githubPath(workflow)}/runs?${query}` : `/runs${githubPath(id)}`;
  const answer = await api.ask('GET', `${repository}${path}`);
  if (answer.status !== 200) {
    const failure = answerFailure('GitHub', answer);
    return failure.kind === 'failed' && !failure.canRetry ? failure.message : undefined;
  }
  const body = parsed(answer.body);
  if (id !== undefined) return body as Workflow;
  const branch = ref.replace(/^refs\/(heads|tags)\//, '');
  const begun = ((body as { workflow_runs?: Workflow[] } | undefined)?.workflow_runs ?? [])
    .filter(({ created_at: at, head_branch: on }) => new Date(at ?? 0) >= from && (on === undefined || on === branch))
    .sort((left, right) => left.id - right.id);
  const taken = new Set(
    await listFollowedIds(
      deps.database,
      orgId,
      { org, repo },
      begun.map((each) => String(each.id)),
    ),
  );
  return begun.find((each) => !taken.has(String(each.id)));
}

/** Keeps which workflow it is, and ends the run if that has ended. */
async function isEnded(
  deps: ActionsDeps,
  dispatch: DispatchJob,
  orgId: string,
  seen: StoredRun,
  workflow: Workflow,
): Promise<boolean> {
  const { status, conclusion, html_url: link } = workflow;
  const id = String(workflow.id);
  const hasEnded = status === 'completed';
  if (!hasEnded && seen.followed?.id === id && (!link || seen.link.includes(link))) return false;
  const actor = await organizationActor(deps, orgId, seen);
  if (!actor) return true;
  try {
    return await deps.unitOfWork(actor, async (work) => {
      const run = await lockRun(work.tx, orgId, seen.id);
      // whoever reported on it meanwhile has the last word
      if (run?.status !== 'IN_PROGRESS' || !run.followed) return true;
      const isGood = conclusion === 'success' || conclusion === 'neutral';
      await storeChangedRun(work, dispatch, run, {
        followed: { ...run.followed, id },
        externalRunId: run.externalRunId ?? id,
        ...(link && !run.link.includes(link) ? { link: [...run.link, link] } : {}),
        ...(hasEnded ? { status: isGood ? 'SUCCESS' : 'FAILURE' } : {}),
        ...(hasEnded && !isGood ? { statusLabel: run.statusLabel ?? conclusion ?? null } : {}),
      });
      return hasEnded;
    });
  } catch (error) {
    // another run found the same workflow first; this one looks again
    if (error instanceof DatabaseError && error.constraint === 'action_runs_followed') return false;
    throw error;
  }
}

async function giveUp(deps: ActionsDeps, orgId: string, run: StoredRun, why: string): Promise<void> {
  const actor = await organizationActor(deps, orgId, run);
  if (!actor) return;
  const message = `The workflow is not looked after any more (${why}); the run waits for a report`;
  await deps.unitOfWork(actor, ({ tx, now }) =>
    noteOnRun(tx, orgId, run.id, { message, createdBy: actor.id, at: now }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
