import type { InvocationMethod } from '@portolan/contract/invocation-method';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type DispatchJob, storeChangedRun } from '../runs/enter-run.ts';
import { findRun, lockRun, noteOnRun } from '../runs/run.store.ts';
import type { FollowedWork, StoredRun } from '../runs/run.ts';
import { isFinal } from '../runs/run-state.ts';
import { type Backend, type BackendOutcome, failed } from './backend.ts';
import { azureDevopsBackend } from './backends/azure-devops.ts';
import { githubBackend } from './backends/github.ts';
import { gitlabBackend } from './backends/gitlab.ts';
import { kafkaBackend } from './backends/kafka.ts';
import { upsertEntityBackend } from './backends/upsert-entity.ts';
import { webhookBackend } from './backends/webhook.ts';
import { dispatchInput } from './dispatch-job.ts';
import { type FollowJob, followWorkflowJob } from './follow-workflow.ts';
import { readContext } from './read-context.ts';
import { createReceiverPlaces, type ReceiverPlaces } from './receiver-places.ts';
import { type RenderedInvocation, renderInvocation, Unrenderable } from './render-invocation.ts';
import { findAssistantActor, findBookkeepingActor, nobodyBehind, runActorIn } from './run-actors.ts';
import { secretsFor } from './secrets-for.ts';

const attempts = 4;

/**
 * Delivers runs to backends. A process that dies after sending causes a second send, so receivers get the run's id as
 * the idempotency key; runs that have ended are not sent.
 */
export function dispatchJobs(deps: ActionsDeps): { readonly dispatch: DispatchJob; readonly others: JobDeclaration[] } {
  const backends = createBackends(deps);
  const places = createReceiverPlaces();
  const follow: FollowJob = followWorkflowJob(deps, () => job);
  const job: DispatchJob = defineJob({
    name: 'actions.dispatch-run',
    input: dispatchInput,
    attempts,
    timeoutMs: 90_000,
    waitsOutside: true,
    run: async ({ runId }, { orgId, attempt, signal }) => {
      const run = await findRun(deps.database, orgId, runId);
      if (run?.status !== 'IN_PROGRESS') return;
      const opened = createSecretScope();
      const found = await findBookkeepingActor(deps, orgId, run);
      if (!found) return;
      const bookkeeper: Actor = { ...found, opened };
      const acting = await runActorIn(deps, bookkeeper, run);
      const actor = acting && { ...acting, opened };
      const { outcome, rendered } = actor
        ? masked(actor, await deliver({ deps, backends, places, run, actor, signal }))
        : { outcome: failed(nobodyBehind(run)), rendered: undefined };
      const again = outcome.kind === 'failed' && outcome.canRetry && attempt < attempts;
      await recordDispatch({
        deps,
        job,
        follow,
        actor: bookkeeper,
        runId: run.id,
        outcome,
        rendered,
        willRetry: again,
      });
      if (again) throw new Error(`run ${run.id} was not delivered: ${outcome.message}`);
    },
  });
  return { dispatch: job, others: [follow as unknown as JobDeclaration] };
}

type Backends = Partial<Record<InvocationMethod['type'], Backend>>;

function createBackends(deps: ActionsDeps): Backends {
  return {
    WEBHOOK: webhookBackend(deps),
    UPSERT_ENTITY: upsertEntityBackend(deps),
    KAFKA: kafkaBackend(deps),
    GITHUB: githubBackend(deps),
    GITLAB: gitlabBackend(deps),
    AZURE_DEVOPS: azureDevopsBackend(deps),
    // an executor claims the run
    INTEGRATION_ACTION: async () => ({ kind: 'accepted' }),
  };
}

interface BackendResult {
  readonly outcome: BackendOutcome;
  readonly rendered: RenderedInvocation | undefined;
}

/** Masks secrets in everything stored, because receivers echo requests and errors quote them. */
function masked(actor: Actor, { outcome, rendered }: BackendResult): BackendResult {
  const opened = openedFor(actor);
  const { shown, failures, ...sent } = rendered ?? { shown: {}, failures: [], method: {} };
  return {
    outcome: opened.mask(outcome),
    rendered: rendered && { ...sent, shown: opened.mask(shown), failures: opened.mask(failures) },
  };
}

interface DeliveryInput {
  readonly deps: ActionsDeps;
  readonly backends: Backends;
  readonly places: ReceiverPlaces;
  readonly run: StoredRun;
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

/** @throws Postponed while the receiver or the organization has too many active deliveries */
async function deliver({ deps, backends, places, run, signal, ...asked }: DeliveryInput): Promise<BackendResult> {
  const { context, actor } = await readContext(deps, asked.actor, run);
  const { type } = run.action.definition.invocationMethod;
  try {
    const rendered = renderInvocation(run, context, await secretsFor(deps, actor, run), deps.clock.now());
    const backend = backends[type];
    if (!backend) {
      return {
        rendered,
        outcome: { kind: 'failed', message: `No backend of type ${type} is set up`, canRetry: false },
      };
    }
    const place = places.take(actor.orgId, receiverName(rendered));
    if ('waitMs' in place) {
      const until = new Date(deps.clock.now().getTime() + place.waitMs);
      throw new Postponed(until, `the receiver of run ${run.id} is busy with others`);
    }
    try {
      const { method } = rendered;
      const written = run.action.definition.invocationMethod as Readonly<Record<string, unknown>>;
      const asker = (caller: Actor) => findAssistantActor(deps, caller, run);
      const { id, depth } = run;
      return { rendered, outcome: await backend({ id, run, actor, written, method, context, depth, asker, signal }) };
    } finally {
      place.leave();
    }
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    const message = `The action cannot be rendered: ${error.message}`;
    return { rendered: undefined, outcome: { kind: 'failed', message, canRetry: false } };
  }
}

/** Groups deliveries by receiver, so that a slow receiver delays only its own. */
function receiverName({ method: { type, url } }: RenderedInvocation): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : String(type);
}

interface DispatchResult {
  readonly deps: ActionsDeps;
  readonly job: DispatchJob;
  readonly follow: FollowJob;
  readonly actor: Actor;
  readonly runId: string;
  readonly outcome: BackendOutcome;
  readonly rendered: RenderedInvocation | undefined;
  readonly willRetry: boolean;
}

/** Stores what was sent and the result. If the executor has reported meanwhile, its report decides the status. */
async function recordDispatch({
  deps,
  job,
  follow,
  actor,
  runId,
  outcome,
  rendered,
  willRetry,
}: DispatchResult): Promise<void> {
  await deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, runId);
    if (!run) return;
    const lines = [
      ...(rendered?.failures ?? []),
      ...(outcome.message ? [willRetry ? `${outcome.message}; it is tried again` : outcome.message] : []),
    ];
    for (const message of lines) {
      await noteOnRun(work.tx, actor.orgId, runId, { message, createdBy: actor.id, at: work.now });
    }
    const followed = 'follow' in outcome && !isFinal(run.status) ? outcome.follow : undefined;
    const status = isFinal(run.status) || willRetry ? undefined : statusAfter(outcome);
    await storeChangedRun(work, job, run, {
      ...(rendered ? { payload: rendered.shown } : {}),
      ...('response' in outcome && outcome.response !== undefined ? { response: [outcome.response] } : {}),
      ...('link' in outcome && outcome.link !== undefined ? { link: [...run.link, outcome.link] } : {}),
      ...('externalRunId' in outcome && outcome.externalRunId !== undefined
        ? { externalRunId: outcome.externalRunId }
        : {}),
      ...('installationId' in outcome && outcome.installationId !== undefined
        ? { installationId: outcome.installationId }
        : {}),
      ...(followed ? { followed: withNumber(followed, outcome) } : {}),
      ...(status ? { status } : {}),
      ...(status === 'FAILURE' ? { statusLabel: outcome.message?.slice(0, 300) ?? null } : {}),
      dispatchedAt: work.now,
    });
    if (followed) await work.enqueue(follow, { runId });
  });
}

function withNumber(followed: FollowedWork, outcome: BackendOutcome): FollowedWork {
  const id = 'externalRunId' in outcome ? outcome.externalRunId : undefined;
  return id === undefined ? followed : { ...followed, id };
}

function statusAfter({ kind }: BackendOutcome): 'SUCCESS' | 'FAILURE' | undefined {
  if (kind === 'accepted') return undefined;
  return kind === 'succeeded' ? 'SUCCESS' : 'FAILURE';
}
