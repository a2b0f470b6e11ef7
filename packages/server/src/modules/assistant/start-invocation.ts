import { createHash } from 'node:crypto';
import type { InvokeRequest, ReceiptsMode } from '@portolan/contract/assistant';
import type { InvocationEvents } from '@portolan/contract/invocation-stream';
import { isRecord } from '@portolan/contract/json-value';
import { entityIdentifier } from '@portolan/contract/wire';
import type { Actor } from '../../platform/actor.ts';
import { storable } from '../../platform/db/storable.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { nameAuthor, outside } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { mayRegister } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { currentCutover, effectiveQuotas, findOrganization, type Organization } from '../organizations/index.ts';
import { can } from '../rights/index.ts';
import { type Agent, toAgent } from './agents/agent.ts';
import { type FoundAgent, findAgent, routeQuestion } from './agents/find-agent.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import type { Payer } from './budgets/budget.ts';
import { claimPlace, placeTurn, type TurnPlace } from './conversations/place-turn.ts';
import { deleteOldCalls, noteOldCall } from './cutover/cutover.store.ts';
import type { AdmittedInvocation, CutoverNow } from './cutover/decide-invocation.ts';
import type { EventBatch } from './event.store.ts';
import { findByIdempotencyKey, findInvocation, type Invocation, insertInvocation } from './invocation.store.ts';
import { holdInvocations, invocationTitle, setUp, writeInvocationEntity } from './invocation-entity.ts';
import { promptVersion } from './loop/prompt-text.ts';
import type { ChosenModel, ModelHint } from './providers/offered-models.ts';
import { readUsage, type UsageNow } from './usage-now.ts';

export interface StartInput {
  readonly request: InvokeRequest;
  /** A key chosen by the caller, which becomes the identifier. */
  readonly identifier?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The action run that asks, if any. */
  readonly runId?: string | undefined;
  /** How the request of an agent or the router was admitted; absent for the general assistant. */
  readonly agentPath?: AgentPath | undefined;
}

export interface AgentPath {
  readonly isRouter: boolean;
  readonly now: CutoverNow;
  readonly admitted: AdmittedInvocation;
}

interface AgentChoice {
  readonly agent?: Agent;
  /** Keys of the teams that own the agent. */
  readonly owners?: readonly string[];
  /** Reason why no agent answers; fails the invocation. */
  readonly refusal?: AppError;
  /** The router's choice, for readers of the stream. */
  readonly selection?: InvocationEvents['agentSelection'];
}

export type StartedInvocation =
  | {
      readonly isNew: true;
      readonly invocation: Invocation;
      readonly organization: Organization;
      readonly usage: UsageNow;
      readonly agent?: Agent;
      readonly model: ChosenModel;
      /** Of the request, its agent or the organization, the first that says. */
      readonly receipts: ReceiptsMode;
      readonly refusal?: AppError;
      /** Already stored. */
      readonly first: EventBatch;
    }
  /** A repeated request: the existing invocation continues, and none is started. */
  | { readonly isNew: false; readonly invocation: Invocation };

/**
 * Accepts a question in one short transaction: checks rights, writes the record, its entity and the first event of its
 * stream. Its request is counted before, and given back if the question is not accepted. The same key with the same
 * request returns the existing invocation.
 * @throws AppError `ai_not_enabled`, `ai_not_allowed`, `ai_quota_exceeded`, `ai_rate_limited`, `ai_budget_exceeded`,
 * `idempotency_key_reused`, `not_found` (the key is another caller's, or there is no such agent), `agent_inactive`,
 * `agent_schema_outdated`, and those of `placeTurn`
 */
export async function startInvocation(
  deps: AssistantDeps,
  actor: Actor,
  input: StartInput,
): Promise<StartedInvocation> {
  const id = input.identifier ?? newUuid();
  if (!entityIdentifier.safeParse(id).success) {
    throw new AppError('invalid_request', 'invocation_identifier may not be the identifier of an entity');
  }
  const asked = newInvocation(deps, actor, id, input);
  const isNamed = input.identifier !== undefined || input.idempotencyKey !== undefined;
  const known = isNamed ? await findKnown(deps, actor, asked) : undefined;
  if (known) return { isNew: false, invocation: known };
  const place = await placeTurn(deps.database, actor, id, input.request);
  const choice = input.agentPath ? await chooseAgentFor(deps, actor, input.request, input.agentPath) : {};
  const { agent, selection, refusal } = choice;
  const first = firstBatch(actor.orgId, id, selection, place);
  const isAssistant = input.agentPath === undefined;
  const isCounted = input.agentPath?.admitted.isCounted ?? true;
  const now = deps.clock.now();
  const reservation = isCounted
    ? await deps.ledger.reserve(actor.orgId, now, { invocation: id, payer: payerOf(actor, choice) })
    : undefined;
  const started = await deps
    .unitOfWork(actor, async (work) => {
      const { organization, blueprint, model, receipts } = await lookUp(deps, work, [input.request, agent], {
        isAssistant,
        known: reservation?.organization,
      });
      const names = { provider: model.provider, model: model.model };
      const invocation: Invocation = {
        ...asked,
        ...(place ? placeColumns(place) : {}),
        agent: agent?.identifier ?? null,
        ...names,
        askedAt: now,
      };
      // the prompt of an agent has authors of its own, and a run may have filled in anybody's text
      const authors = agent || input.runId ? [outside] : [nameAuthor(actor)];
      const entity = toInvocationEntity(invocation, buildPrompt(input.request, agent), actor, organization);
      if (!(await mayRegister(work, blueprint, { ...entity, icon: null }))) throw notAllowed();
      const inserting = insertInvocation(work.tx, invocation, first, work.now).then((isNew) => {
        if (!isNew) throw new DuplicateKey();
      });
      // a generated identifier is never taken; if a chosen one is, the error must name the key, not the entity
      if (input.identifier !== undefined) await inserting;
      // travels with the rest; a refusal is told only if nothing else refuses
      const counting = reservation
        ? deps.ledger.claim(work.tx, reservation)
        : readUsage(work.tx, actor.orgId, effectiveQuotas(organization), now);
      counting.catch(() => undefined);
      const expects = input.identifier === undefined ? 'fresh' : 'new';
      await Promise.all([inserting, writeInvocationEntity(deps.catalog, work, blueprint, expects, entity, authors)]);
      if (place) await claimPlace(work.tx, place, invocation, work.now);
      if (currentCutover(organization.cutover, work.now).stage !== 'cutover') await noteForm(work, actor, input, agent);
      return { invocation, organization, model, receipts, usage: await counting };
    })
    .catch(async (error: unknown) => {
      if (reservation) await deps.ledger.release(reservation);
      if (error instanceof DuplicateKey) return undefined;
      throw error;
    });
  if (started) {
    return {
      isNew: true,
      ...started,
      first,
      ...(agent ? { agent } : {}),
      ...(refusal ? { refusal } : {}),
    };
  }
  // the key was used after our lookup
  const winner = await findKnown(deps, actor, asked);
  if (!winner) throw new AppError('idempotency_key_reused', 'The identifier of the invocation is in use');
  return { isNew: false, invocation: winner };
}

/** Whose budgets the question counts against. */
function payerOf({ userId, teamKeys }: Actor, { agent, owners = [] }: AgentChoice): Payer {
  // a name that means no team owns nothing
  const owning = owners.filter((owner) => !owner.startsWith('?'));
  return { userId, teamKeys, agent: agent ? { identifier: agent.identifier, teamKeys: owning } : null };
}

/** Rolls back: the identifier or the key is in use. */
class DuplicateKey extends Error {
  override readonly name = 'KeyTaken';
}

/** Every stream starts with its identifier; that of its conversation and the router's choice follow. */
function firstBatch(
  orgId: string,
  id: string,
  selection: AgentChoice['selection'],
  place: TurnPlace | undefined,
): EventBatch {
  const events = [
    { event: 'invocationIdentifier', data: id },
    ...(place ? [{ event: 'conversationIdentifier', data: place.conversationId }] : []),
    ...(selection ? [{ event: 'agentSelection', data: selection }] : []),
  ];
  return { orgId, invocationId: id, events: events.map((event, index) => ({ sequence: index + 1, ...event })) };
}

function placeColumns({ conversationId, parentId, replacesId, turn }: TurnPlace) {
  return { conversationId, parentId, replacesId, turn };
}

async function chooseAgentFor(
  deps: AssistantDeps,
  actor: Actor,
  { agent: named, userPrompt }: InvokeRequest,
  { isRouter, now, admitted }: AgentPath,
): Promise<AgentChoice> {
  const runnable = (found: FoundAgent) => toAgent(found.identifier, found.properties, now, admitted.generation);
  if (named !== undefined) {
    const found = await findAgent(deps, actor, named);
    const chosen = { agent: runnable(found), owners: found.teamRefs };
    return isRouter ? { ...chosen, selection: selected(named, 'The request names it') } : chosen;
  }
  const routed = await routeQuestion(deps, actor, userPrompt);
  if (routed.agent) {
    const { identifier, teamRefs: owners } = routed.agent;
    return { agent: runnable(routed.agent), owners, selection: selected(identifier, routed.reason) };
  }
  return { refusal: routed.error, selection: { type: 'NO_AGENT_MATCH', thought_process: routed.error.message } };
}

function selected(identifier: string, thought: string): InvocationEvents['agentSelection'] {
  return { type: 'SELECTED_AGENT', identifier, thought_process: thought };
}

/**
 * The recorded prompt: the question, then the agent's prompt (specification, `prompt`) or the request's instructions.
 */
function buildPrompt({ userPrompt, systemPrompt }: StartInput['request'], agent: Agent | undefined): string {
  const asked = storable(userPrompt);
  if (agent) return `## User Request\n\n${asked}\n\n## Agent Prompt\n\n${agent.prompt}`;
  return systemPrompt ? `## User Request\n\n${asked}\n\n## System Prompt\n\n${storable(systemPrompt)}` : asked;
}

/** Before the cutover, records callers that use old forms, and clears those that have moved on. */
async function noteForm(work: Work, actor: Actor, { agentPath, request }: StartInput, agent?: Agent): Promise<void> {
  const { tx, now } = work;
  if (!agentPath?.admitted.isOldForm) return deleteOldCalls(tx, actor.orgId, actor.id, agent?.identifier);
  const endpoint = agentPath.isRouter ? 'router' : 'agent';
  await noteOldCall(tx, actor.orgId, { caller: actor.id, endpoint, agent: request.agent ?? '' }, now);
}

function newInvocation(deps: AssistantDeps, actor: Actor, id: string, input: StartInput): Invocation {
  const { request, idempotencyKey, runId } = input;
  return {
    orgId: actor.orgId,
    id,
    state: 'running',
    askedBy: actor.id,
    requestHash: hashRequest(request),
    idempotencyKey: idempotencyKey ?? null,
    prompt: storable(request.userPrompt),
    labels: { ...request.labels, ...(runId ? { _run_id: runId } : {}) },
    agent: null,
    // chosen when the request is known to be new
    provider: '',
    model: '',
    promptVersion,
    response: null,
    errorCode: null,
    errorMessage: null,
    usage: null,
    runner: deps.runner,
    askedAt: deps.clock.now(),
    repliedAt: null,
    contentRemovedAt: null,
    conversationId: null,
    parentId: null,
    replacesId: null,
    turn: null,
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
  throw new AppError(
    'idempotency_key_reused',
    'The key was used for another request; use a new key for a new request, and `conversation` to continue one',
  );
}

/**
 * Reads everything that acceptance needs, concurrently. The right to use the assistant is the right to register
 * invocations (assistant reference §1.4).
 */
async function lookUp(
  deps: AssistantDeps,
  work: Work,
  asked: readonly ((ModelHint & Pick<InvokeRequest, 'receipts'>) | undefined)[],
  { isAssistant, known }: { readonly isAssistant: boolean; readonly known: Organization | undefined },
) {
  const { tx, actor, now } = work;
  const [organization, held, { model, receipts }] = await Promise.all([
    known ?? findOrganization(tx, actor.orgId),
    holdInvocations(work),
    deps.models.choose(tx, actor.orgId, asked),
  ]);
  if (!organization) throw notFound('Organization', actor.orgId, 'id');
  if (isAssistant && currentCutover(organization.cutover, now).stage === 'legacy') {
    throw new AppError('ai_not_enabled', 'The assistant is not enabled for this organization yet');
  }
  const wanted = asked.find((one) => one?.receipts)?.receipts;
  return { organization, blueprint: setUp(held), model, receipts: wanted ?? receipts };
}

/**
 * An early check for callers without any right to invoke; policies are evaluated when the invocation is written.
 * @throws AppError `ai_not_allowed`
 */
export function assertInvoker(actor: Actor, blueprint: StoredBlueprint): void {
  if (!can(actor, 'register', blueprint)) throw notAllowed();
}

function notAllowed(): AppError {
  return new AppError(
    'ai_not_allowed',
    'You may not use the assistant. An administrator can grant the right to register invocations.',
  );
}

function toInvocationEntity(
  { id, prompt: question, labels, provider, model, agent, askedAt }: Invocation,
  prompt: string,
  actor: Actor,
  organization: Organization,
) {
  const knowsUsers = organization.model !== 'legacy' && actor.userId !== undefined;
  return {
    identifier: id,
    title: invocationTitle(question),
    properties: {
      status: 'In Progress',
      asked_at: askedAt.toISOString(),
      prompt,
      labels: JSON.parse(JSON.stringify(labels)) as Record<string, never>,
      provider,
      model,
    },
    relations: { ...(agent === null ? {} : { agent }), ...(knowsUsers ? { asked_by: actor.userId as string } : {}) },
  };
}

/** Independent of the order of keys. */
function hashRequest(request: InvokeRequest): string {
  const sorted = JSON.stringify(request, (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
