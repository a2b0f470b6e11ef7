import { createHash } from 'node:crypto';
import { entityIdentifier, type InvokeRequest } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { mayRegister } from '../catalog/index.ts';
import { cutoverOf, findOrganization, type Organization, quotasOf } from '../identity/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { type EventBatch, insertEventBatches } from './event.store.ts';
import { findByIdempotencyKey, findInvocation, type Invocation, insertInvocation } from './invocation.store.ts';
import { holdInvocations, storable, titleOf, writeInvocationEntity } from './invocation-entity.ts';
import { promptVersion } from './loop/prompt-text.ts';
import { reserveRequest, type UsageNow } from './usage-ledger.ts';

export interface StartInput {
  readonly request: InvokeRequest;
  /** A key chosen by the caller: the identifier of the invocation. */
  readonly identifier?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The action run that asked, if one did. */
  readonly runId?: string | undefined;
}

export type Started =
  | {
      readonly isNew: true;
      readonly invocation: Invocation;
      readonly organization: Organization;
      readonly usage: UsageNow;
    }
  /** The same request was made before: its run goes on, none is started. */
  | { readonly isNew: false; readonly invocation: Invocation };

/**
 * Accepts a question: rights, limits, the record, its entity and the first event of its stream, in one short
 * transaction. The same key with the same request answers the run that exists.
 * @throws AppError `ai_not_enabled`, `ai_not_allowed`, `ai_quota_exceeded`, `ai_rate_limited`,
 *   `idempotency_key_reused`, `not_found` (the key is another caller's)
 */
export async function startInvocation(deps: AssistantDeps, actor: Actor, input: StartInput): Promise<Started> {
  const id = input.identifier ?? newUuid();
  if (!entityIdentifier.safeParse(id).success) {
    throw new AppError('invalid_request', 'invocation_identifier may not be the identifier of an entity');
  }
  const invocation = newInvocation(deps, actor, id, input);
  const isNamed = input.identifier !== undefined || input.idempotencyKey !== undefined;
  const known = isNamed ? await findKnown(deps, actor, invocation) : undefined;
  if (known) return { isNew: false, invocation: known };
  const started = await deps.unitOfWork(actor, async (work): Promise<Started | undefined> => {
    const { organization, blueprint, entity } = await admit(work, actor, invocation);
    if (!(await insertInvocation(work.tx, { ...invocation, askedAt: work.now }))) return undefined;
    await insertEventBatches(work.tx, [firstBatch(actor.orgId, id)]);
    const isChosen = input.identifier !== undefined;
    await writeInvocationEntity(deps.catalog, work, blueprint, isChosen ? 'new' : 'fresh', entity);
    const usage = await reserveRequest(work.tx, actor.orgId, quotasOf(organization), work.now);
    return { isNew: true, invocation: { ...invocation, askedAt: work.now }, organization, usage };
  });
  if (started) return started;
  // somebody used the key between our look and our write
  const winner = await findKnown(deps, actor, invocation);
  if (!winner) throw new AppError('idempotency_key_reused', 'The identifier of the invocation is in use');
  return { isNew: false, invocation: winner };
}

/** Every stream begins with its identifier. */
export function firstBatch(orgId: string, id: string): EventBatch {
  return { orgId, invocationId: id, events: [{ sequence: 1, event: 'invocationIdentifier', data: id }] };
}

function newInvocation(deps: AssistantDeps, actor: Actor, id: string, input: StartInput): Invocation {
  const { request, idempotencyKey, runId } = input;
  return {
    orgId: actor.orgId,
    id,
    state: 'running',
    askedBy: actor.id,
    requestHash: hashOf(request),
    idempotencyKey: idempotencyKey ?? null,
    prompt: storable(request.userPrompt),
    labels: { ...request.labels, ...(runId ? { _run_id: runId } : {}) },
    agent: null,
    ...deps.modelName,
    promptVersion,
    response: null,
    errorCode: null,
    errorMessage: null,
    usage: null,
    runner: deps.runner,
    askedAt: deps.clock.now(),
    repliedAt: null,
  };
}

async function findKnown(
  { database }: AssistantDeps,
  actor: Actor,
  asked: Invocation,
): Promise<Invocation | undefined> {
  const byKey = asked.idempotencyKey
    ? await findByIdempotencyKey(database, actor.orgId, actor.id, asked.idempotencyKey)
    : undefined;
  const known = byKey ?? (await findInvocation(database, actor.orgId, asked.id));
  if (!known) return undefined;
  if (known.askedBy !== actor.id) throw notFound('Invocation', asked.id);
  if (known.requestHash === asked.requestHash) return known;
  throw new AppError('idempotency_key_reused', 'The key was used for another request; use a new key for a new request');
}

/** The right to use the assistant is the right to register invocations (assistant reference §1.4). */
async function admit(work: Work, actor: Actor, invocation: Invocation) {
  const organization = await findOrganization(work.tx, actor.orgId);
  if (!organization) throw notFound('Organization', actor.orgId, 'id');
  if (cutoverOf(organization.cutover, work.now).stage === 'legacy') {
    throw new AppError('ai_not_enabled', 'The assistant is not enabled for this organization yet');
  }
  const blueprint = await holdInvocations(work);
  const entity = entityOf(invocation, actor, organization, work.now);
  if (!(await mayRegister(work, blueprint, { ...entity, icon: null }))) {
    throw new AppError(
      'ai_not_allowed',
      'You may not use the assistant. An administrator can grant the right to register invocations.',
    );
  }
  return { organization, blueprint, entity };
}

function entityOf(
  { id, prompt, labels, provider, model }: Invocation,
  actor: Actor,
  organization: Organization,
  now: Date,
) {
  const knowsUsers = organization.model !== 'legacy' && actor.userId !== undefined;
  return {
    identifier: id,
    title: titleOf(prompt),
    properties: {
      status: 'In Progress',
      asked_at: now.toISOString(),
      prompt,
      labels: JSON.parse(JSON.stringify(labels)) as Record<string, never>,
      provider,
      model,
    },
    relations: knowsUsers ? { asked_by: actor.userId as string } : {},
  };
}

/** Equal requests have equal hashes, in whatever order their members were written. */
function hashOf(request: InvokeRequest): string {
  const sorted = JSON.stringify(request, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
