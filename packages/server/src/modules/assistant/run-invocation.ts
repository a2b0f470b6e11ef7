import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultToolPatterns, type InvokeRequest } from '@portolan/contract/assistant';
import type { Actor } from '../../platform/actor.ts';
import { waitsForDatabase } from '../../platform/db/passing-failure.ts';
import { type AppError, asAppError } from '../../platform/errors.ts';
import { nameAuthor } from '../../platform/text-authors.ts';
import type { CallFacts } from '../../platform/tools/call-decision.ts';
import { callTool } from '../../platform/tools/call-tool.ts';
import type { CallingInvocation } from '../../platform/tools/tool.ts';
import type { Organization } from '../organizations/index.ts';
import type { Agent } from './agents/agent.ts';
import { boundedMode } from './agents/bounded-mode.ts';
import { withinBlueprints } from './agents/within-blueprints.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { createCallJudge } from './calls/judge-calls.ts';
import { noteEgress } from './calls/note-egress.ts';
import { openLabel } from './calls/open-label.ts';
import { readReceiptsMode } from './calls/policy.store.ts';
import { loadHistory } from './conversations/load-history.ts';
import type { NumberedEvent } from './event.store.ts';
import type { EventStream, LeftOfStream } from './event-log.ts';
import { finishInvocation, type InvocationResult } from './finish-invocation.ts';
import type { Invocation } from './invocation.store.ts';
import { createExecutionLog } from './loop/execution-log.ts';
import type { FindUnbacked } from './loop/hold-back.ts';
import type { LoopInput } from './loop/loop-input.ts';
import { createRecall } from './loop/recall.ts';
import { runLoop } from './loop/run-loop.ts';
import { buildSystemPrompt } from './loop/system-prompt.ts';
import { toInvocationEvents } from './loop/wire-events.ts';
import { readUsedNotes } from './memory/use-notes.ts';
import type { ObservedInvocation } from './observe/invocation-observer.ts';
import type { ChosenModel } from './providers/offered-models.ts';
import { readEarlier, wantedIn } from './receipts/earlier-records.ts';
import { createRunReceipts, type RunReceipts } from './receipts/run-receipts.ts';
import { createStandings } from './standing/standings.ts';

/** A minute at least: longer than a failover takes. */
const finishAttempts = 60;
const finishPauseMs = 1_000;

export interface InvocationInput {
  readonly actor: Actor;
  readonly invocation: Invocation;
  readonly organization: Organization;
  readonly model: ChosenModel;
  readonly request: InvokeRequest;
  readonly agent?: Agent;
  readonly refusal?: AppError;
  /** Stores single deltas too, because the first reader asked for them. */
  readonly deltas: boolean;
  /** Aborts the invocation; an `AppError` as its reason becomes its failure. */
  readonly signal: AbortSignal;
  /** The caller's span (W3C Trace Context). */
  readonly traceparent?: string;
}

/** Drives an accepted invocation to its end, without an open transaction. Never rejects. */
export async function runInvocation(deps: AssistantDeps, stream: EventStream, input: InvocationInput): Promise<void> {
  const { invocation } = input;
  const observed = deps.observer.begin({
    orgId: invocation.orgId,
    id: invocation.id,
    agent: invocation.agent,
    provider: input.model.provider,
    model: input.model.model,
    traceparent: input.traceparent,
  });
  let ended = await runConversation(deps, stream, input, observed).catch((cause: unknown) =>
    endedBy(deps, input, cause),
  );
  const left = await stream.settled().catch((cause: unknown) => {
    ended = {
      ...ended,
      error: reported(deps, asAppError(cause, 'The events could not be stored')),
    };
    return undefined;
  });
  try {
    stream.close((await finishPatiently(deps, invocation, ended, left)) ?? []);
    observed.end(ended);
  } catch (error) {
    deps.log.error({ err: error, invocation: invocation.id }, 'an invocation could not be ended');
    // its heartbeat has stopped, so the sweep marks it failed once the database is reachable
    stream.close([]);
  }
}

/** An answer is not thrown away because the database takes no writes for a while. */
async function finishPatiently(
  deps: AssistantDeps,
  invocation: Invocation,
  ended: InvocationResult,
  left: LeftOfStream | undefined,
): Promise<NumberedEvent[] | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await finishInvocation(deps, invocation, ended, { left });
    } catch (error) {
      if (attempt >= finishAttempts || !waitsForDatabase(error)) throw error;
      await delay(finishPauseMs);
    }
  }
}

async function runConversation(
  deps: AssistantDeps,
  stream: EventStream,
  input: InvocationInput,
  observed: ObservedInvocation,
): Promise<InvocationResult> {
  const { actor, request, organization, signal, deltas, agent, refusal } = input;
  if (refusal) throw refusal;
  const { model, fallback } = await deps.models.open(actor.orgId, input.model);
  let answering = model;
  // a request can narrow an agent's tools, never widen them
  const caller: Actor = { ...actor, origin: 'AI' };
  const offered = await deps.offer(caller, request.tools ?? agent?.tools ?? defaultToolPatterns, agent?.tools);
  const executionMode = boundedMode(request.executionMode, agent?.executionMode);
  const { label, trigger, ...vouched } = await openLabel(deps, input, offered.describedBy);
  const { orgId } = actor;
  const standings = agent && createStandings(deps, { orgId, agent, question: vouched.question, trigger });
  const judge = createCallJudge(deps, { orgId, mode: executionMode, ...vouched, standings });
  const calling = {
    id: input.invocation.id,
    executionMode,
    question: request.userPrompt,
    ...(agent ? { agent: agent.identifier } : {}),
  };
  const recordsOf = (name: string) => deps.tools.registry.find(name)?.declaration.recordsOf;
  const nameOf = ({ provider, model: name }: typeof model): string => `${actor.orgId} ${provider}/${name}`;
  const [history, notes, ofAll] = await Promise.all([
    loadHistory(deps, actor, input.invocation, { ratio: deps.tokenRatios.of(nameOf(model)), recordsOf }),
    readUsedNotes(deps.database, actor, input.invocation),
    request.receipts ?? agent?.receipts ?? readReceiptsMode(deps.database, orgId),
  ]);
  if (notes && notes.length > 0) label.addNotes(nameAuthor(actor));
  if (history) label.add(history.label, 'an earlier turn of this conversation');
  const fenceMark = history?.fenceMark ?? randomBytes(8).toString('hex');
  const executionLog = createExecutionLog(request.userPrompt, { context: request.context });
  const receipts = createRunReceipts({
    recordsOf,
    now: deps.clock.now,
    earlier: history && {
      numbers: history.numbers,
      read: (text, cited) =>
        readEarlier(deps, actor.orgId, history.turns, wantedIn(text, cited, history.turns), recordsOf),
    },
  });
  const recall = history && createRecall(receipts.numbers);
  const loop: LoopInput = {
    model,
    fallback,
    question: request.userPrompt,
    context: request.context,
    notes,
    earlier: history,
    systemPrompt: buildSystemPrompt({
      executionMode,
      hasActionTools: offered.hasActionTools,
      fenceMark,
      ...(history ? {} : { today: deps.clock.now().toISOString().slice(0, 10) }),
      organization: organization.name,
      ...(agent ? { agentPrompt: agent.prompt } : {}),
      ...(request.systemPrompt && !agent ? { requestPrompt: request.systemPrompt } : {}),
    }),
    tools: offered.tools,
    callTool: withinBlueprints(agent?.blueprints, (name, args, toolSignal, callId) => {
      // all calls of a step begin before any of their results is read
      const read = label.snapshot();
      const decide = async (facts: CallFacts) => {
        const decision = await judge(callId, read, facts);
        await noteEgress(deps, { orgId: actor.orgId, id: calling.id, callId }, facts, decision);
        return decision;
      };
      const invocation: CallingInvocation = {
        ...calling,
        callId,
        decide,
        ...(standings ? { useStanding: (...use) => standings.use(callId, ...use) } : {}),
      };
      return callTool(
        offered,
        name,
        args,
        { actor: caller, signal: toolSignal, invocation },
        {
          onUnexpected: (error, tool) =>
            deps.log.error({ err: error, tool, invocation: input.invocation.id }, 'a tool failed'),
        },
      );
    }),
    fenceMark,
    limits: deps.limits,
    signal,
    clock: { now: () => performance.now() },
    deltas,
    onPromptCounted:
      history && ((counted, characters, tokens) => deps.tokenRatios.correct(nameOf(counted), characters, tokens)),
    receipts,
    findUnbacked: ofAll === 'strict' ? strictly(deps, input, receipts) : undefined,
    onFallback: (error) => {
      deps.log.warn({ err: error, invocation: input.invocation.id }, 'the fallback model takes over');
      answering = fallback ?? model;
    },
  };
  const last = await runLoop(loop, (event) => {
    executionLog.record(event);
    observed.record(event);
    if (event.type === 'tool-call') recall?.call(event.id, event.name, event.arguments);
    if (event.type === 'tool-result') {
      const { name: tool, id: call, content, isError } = event;
      recall?.result(call, content, isError);
      label.show({ tool, call, content, isError }, event.texts ?? new Map());
    }
    stream.append(toInvocationEvents(event));
  });
  const { provider, model: name, isLanguageModel } = answering;
  const text = last.type === 'finish' ? last.answer : last.text;
  const isWithheld = last.type === 'finish' && last.isWithheld === true;
  return {
    text,
    // an answer is worth more than its receipts
    receipts: isWithheld ? undefined : await receipts.finish(text).catch((error) => unchecked(deps, input, error)),
    ...(last.type === 'failure' ? { error: reported(deps, last.error) } : {}),
    executionLog: executionLog.render(),
    label: label.snapshot().label,
    usage: last.usage,
    provider,
    model: name,
    isLanguageModel,
    notesUsed: notes?.length,
    ...(history && recall ? { contextUsage: history.usage, recalled: recall.calls() } : {}),
  };
}

/** An answer that cannot be checked is not backed. */
function strictly(deps: AssistantDeps, input: InvocationInput, receipts: RunReceipts): FindUnbacked {
  return (text) =>
    receipts.findUnbacked(text).catch((error: unknown) => {
      unchecked(deps, input, error);
      return [{ sentence: 'The answer could not be compared with what was read.', missing: [] }];
    });
}

function unchecked(deps: AssistantDeps, { invocation }: InvocationInput, error: unknown): undefined {
  deps.log.error({ err: error, invocation: invocation.id }, 'an answer could not be checked');
}

/** Logs internal failures, but not those of the caller or the provider. */
function reported(deps: AssistantDeps, error: AppError): AppError {
  if (error.code === 'internal_error') deps.log.error({ err: error }, 'an invocation failed inside');
  return error;
}

function endedBy(deps: AssistantDeps, { invocation, request }: InvocationInput, cause: unknown): InvocationResult {
  const { provider, model } = invocation;
  const error = reported(deps, asAppError(cause));
  const usage = { inputTokens: 0, outputTokens: 0, steps: 0, toolCalls: 0, unreportedSteps: 0, costUsd: 0 };
  const executionLog = createExecutionLog(request.userPrompt, { context: request.context });
  executionLog.record({ type: 'failure', error, text: '', usage });
  return {
    text: '',
    error,
    executionLog: executionLog.render(),
    usage,
    provider,
    model,
    isLanguageModel: provider !== 'built-in',
  };
}
