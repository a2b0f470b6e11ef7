import type { InvocationMethod } from '@portolan/contract';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { newId } from '../../../platform/ids.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { findOrganization } from '../../identity/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type DispatchJob, storeChangedRun } from '../runs/enter-run.ts';
import { findRun, insertRunLog, lockRun } from '../runs/run.store.ts';
import type { StoredRun } from '../runs/run.ts';
import { isFinal } from '../runs/run-state.ts';
import type { Backend, Outcome } from './backend.ts';
import { upsertEntityBackend } from './backends/upsert-entity.ts';
import { webhookBackend } from './backends/webhook.ts';
import { dispatchInput } from './dispatch-job.ts';
import { type Rendered, renderInvocation, Unrenderable } from './render-invocation.ts';
import { type TemplateContext, templateContext } from './template-context.ts';

const attempts = 4;

/**
 * Hands a run to its backend. It may be handed over twice (a process that dies after sending sends again), so receivers
 * get the run's id as the idempotency key; a run that has ended meanwhile is not sent.
 */
export function dispatchRunJob(deps: ActionsDeps): DispatchJob {
  const backends = backendsOf(deps);
  const job: DispatchJob = defineJob({
    name: 'actions.dispatch-run',
    input: dispatchInput,
    attempts,
    timeoutMs: 90_000,
    run: async ({ runId }, { orgId, attempt, signal }) => {
      const run = await findRun(deps.database, orgId, runId);
      if (run?.status !== 'IN_PROGRESS') return;
      const actor = await organizationActor(deps, orgId, run);
      if (!actor) return;
      const { outcome, rendered } = await deliver(deps, backends, run, actor, signal);
      const again = outcome.kind === 'failed' && outcome.canRetry && attempt < attempts;
      await settle(deps, job, actor, run.id, outcome, rendered, again);
      if (again) throw new Error(`run ${run.id} was not delivered: ${outcome.message}`);
    },
  });
  return job;
}

type Backends = Partial<Record<InvocationMethod['type'], Backend>>;

function backendsOf(deps: ActionsDeps): Backends {
  return {
    WEBHOOK: webhookBackend(deps),
    UPSERT_ENTITY: upsertEntityBackend(deps),
    // waits until an executor claims it
    INTEGRATION_ACTION: async () => ({ kind: 'accepted' }),
  };
}

interface Delivered {
  readonly outcome: Outcome;
  readonly rendered: Rendered | undefined;
}

async function deliver(
  deps: ActionsDeps,
  backends: Backends,
  run: StoredRun,
  actor: Actor,
  signal: AbortSignal,
): Promise<Delivered> {
  const context: TemplateContext = await templateContext(deps, actor, run);
  const { type } = run.action.definition.invocationMethod;
  try {
    const rendered = renderInvocation(run, context, await deps.secrets.secretsOf(actor.orgId), deps.clock.now());
    const backend = backends[type];
    if (!backend) {
      return {
        rendered,
        outcome: { kind: 'failed', message: `No backend of type ${type} is set up`, canRetry: false },
      };
    }
    return { rendered, outcome: await backend({ run, actor, rendered, context, signal }) };
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    const message = `The action cannot be rendered: ${error.message}`;
    return { rendered: undefined, outcome: { kind: 'failed', message, canRetry: false } };
  }
}

/** Keeps what was sent and what came of it. Whoever reported on the run meanwhile has the last word on its status. */
async function settle(
  deps: ActionsDeps,
  job: DispatchJob,
  actor: Actor,
  runId: string,
  outcome: Outcome,
  rendered: Rendered | undefined,
  willRetry: boolean,
): Promise<void> {
  await deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, runId);
    if (!run) return;
    const lines = [
      ...(rendered?.failures ?? []),
      ...(outcome.message ? [willRetry ? `${outcome.message}; it is tried again` : outcome.message] : []),
    ];
    for (const message of lines) {
      const log = {
        id: newId('log_'),
        runId,
        message: message.slice(0, 10_000),
        createdBy: actor.id,
        createdAt: work.now,
      };
      await insertRunLog(work.tx, actor.orgId, log);
    }
    const status = isFinal(run.status) || willRetry ? undefined : statusAfter(outcome);
    await storeChangedRun(work, job, run, {
      ...(rendered ? { payload: rendered.shown } : {}),
      ...('response' in outcome && outcome.response !== undefined ? { response: [outcome.response] } : {}),
      ...('link' in outcome && outcome.link !== undefined ? { link: [...run.link, outcome.link] } : {}),
      ...('externalRunId' in outcome && outcome.externalRunId !== undefined
        ? { externalRunId: outcome.externalRunId }
        : {}),
      ...(status ? { status } : {}),
      ...(status === 'FAILURE' ? { statusLabel: outcome.message?.slice(0, 300) ?? null } : {}),
      dispatchedAt: work.now,
    });
  });
}

function statusAfter({ kind }: Outcome): 'SUCCESS' | 'FAILURE' | undefined {
  if (kind === 'accepted') return undefined;
  return kind === 'succeeded' ? 'SUCCESS' : 'FAILURE';
}

/**
 * Runs act for the organization, with an administrator's rights, but under the rules that bind people: evidence and
 * managed fields stay the platform's.
 */
async function organizationActor(deps: ActionsDeps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  if (!organization) return undefined;
  return {
    ...systemActor(orgId, organization.model),
    kind: 'machine',
    id: run.createdBy,
    origin: run.source === 'AUTOMATION' ? 'AUTOMATION' : 'API',
    runId: run.id,
  };
}
