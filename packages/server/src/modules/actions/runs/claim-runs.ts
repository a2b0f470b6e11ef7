import { agentInstallation } from '@portolan/contract/workflow-node-runs';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type AgentPayload, readAgentPayload } from '../dispatch/agent-payload.ts';
import { ended } from './decide-run.ts';
import { assertExecutor, executesFor, mayTakeSecrets } from './executors.ts';
import { runMissing } from './read-runs.ts';
import { addRunLog } from './report-run.ts';
import { claimRunRows, lockRun, updateRunRow } from './run.store.ts';
import type { StoredRun } from './run.ts';
import type { StartDeps } from './start-run.ts';

export interface Claim {
  readonly installationId: string;
  readonly limit: number;
  readonly visibilityTimeoutMs: number;
  readonly exclude?: readonly string[] | null | undefined;
}

/**
 * Gives waiting runs of an installation to executors, each to one at a time: an unacknowledged claim expires and the
 * run is offered again (api contract §3.6.6). An agent gets calls with their secrets, which nothing stores.
 * @throws AppError `missing_permissions`
 */
export async function claimRuns(deps: StartDeps, actor: Actor, claim: Claim): Promise<StoredRun[]> {
  const { installationId, limit, exclude } = claim;
  assertExecutor(actor, installationId);
  const claimed = await deps.unitOfWork(actor, ({ tx, now }) => {
    const until = new Date(now.getTime() + claim.visibilityTimeoutMs);
    return claimRunRows(tx, actor.orgId, { installationId, limit, exclude: exclude ?? [], now, until });
  });
  const runs = claimed.sort((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  return installationId === agentInstallation ? openForAgent(deps, actor, runs) : runs;
}

/** Fills in the calls. A run that has none any more fails, and one whose secrets the caller may not have is left out. */
async function openForAgent(deps: StartDeps, actor: Actor, runs: readonly StoredRun[]): Promise<StoredRun[]> {
  const opened: { readonly run: StoredRun; readonly call: AgentPayload }[] = [];
  for (const run of runs) {
    const call = await readAgentPayload(deps, actor.orgId, run);
    if (typeof call === 'string') {
      const message = call.slice(0, 300);
      await addRunLog(deps, actor, run.id, { message, terminationStatus: 'FAILURE', statusLabel: message });
    } else if (call.secrets.length === 0 || mayTakeSecrets(actor, agentInstallation)) opened.push({ run, call });
  }
  const withSecrets = opened.filter(({ call }) => call.secrets.length > 0);
  if (withSecrets.length > 0) await recordClaims(deps, actor, withSecrets);
  return opened.map(({ run, call }) => ({ ...run, payload: call.payload }));
}

/** Who was given which secrets; never their values. */
function recordClaims(
  { unitOfWork }: Pick<ActionsDeps, 'unitOfWork'>,
  actor: Actor,
  claims: readonly { readonly run: StoredRun; readonly call: AgentPayload }[],
): Promise<void> {
  return unitOfWork(actor, async (work) => {
    for (const { run, call } of claims) {
      work.record({
        event: 'run.claimed',
        action: 'OTHER',
        resourceType: 'run',
        identifier: run.id,
        context: { runId: run.id, action: run.actionIdentifier },
        message: `Claimed with the secrets ${call.secrets.join(', ')}`,
      });
    }
  });
}

/** Acknowledges a claim. @throws AppError `not_found`, `run_acknowledged` if it already is, `run_ended` */
export function acknowledgeRun(
  { unitOfWork }: Pick<ActionsDeps, 'unitOfWork'>,
  actor: Actor,
  id: string,
): Promise<void> {
  assertExecutor(actor);
  return unitOfWork(actor, async ({ tx, now }) => {
    const run = await lockRun(tx, actor.orgId, id);
    if (!run || run.installationId === null || !executesFor(actor, run.installationId)) throw runMissing(id);
    if (run.acknowledgedAt !== null) {
      throw new AppError('run_acknowledged', `The run "${id}" has been taken by another executor`);
    }
    if (run.status !== 'IN_PROGRESS') throw ended(run);
    await updateRunRow(tx, actor.orgId, { ...run, acknowledgedAt: now, claimedUntil: null });
  });
}

/** Acknowledges each that still can be; answers how many. */
export async function acknowledgeRuns(
  deps: Pick<ActionsDeps, 'unitOfWork'>,
  actor: Actor,
  ids: readonly string[],
): Promise<number> {
  assertExecutor(actor);
  let count = 0;
  for (const id of new Set(ids)) {
    try {
      await acknowledgeRun(deps, actor, id);
      count += 1;
    } catch (error) {
      if (!(error instanceof AppError) || !notOurs.has(error.code)) throw error;
    }
  }
  return count;
}

const notOurs: ReadonlySet<string> = new Set(['not_found', 'run_acknowledged', 'run_ended']);
