import type { JSONSchema7, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { AppError, asAppError } from '../../../platform/errors.ts';
import type { ToolOutcome } from '../../../platform/tools/call-tool.ts';
import type { AssistantModel } from '../model/create-model.ts';
import { abortReason } from '../model/open-model-stream.ts';
import { callModel } from './call-model.ts';
import { callOfferedTool, refusedCall } from './call-offered-tool.ts';
import type { HistoryMessage } from './history.ts';
import { holdText, repairText, type Unbacked, withheldText } from './hold-back.ts';
import type { LoopEvent, LoopUsage } from './loop-event.ts';
import type { LoopInput, LoopLimits, OfferedTool } from './loop-input.ts';
import type { RequestedCall, StepResult } from './read-step.ts';
import { boundOutput, fenceContext, fenceNotes, fenceOutput } from './tool-output.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

/** Default limits of an invocation (assistant reference §3.3). */
export const loopLimits: LoopLimits = {
  toolCallsMax: 15,
  stepsMax: 12,
  tokensMax: 400_000,
  outputTokensMax: 8_000,
  totalMs: 300_000,
  firstContentMs: 60_000,
  betweenContentsMs: 60_000,
  toolMs: 30_000,
  toolOutputBytesMax: 32 * 1024,
};

export type LoopEnd = Extract<LoopEvent, { type: 'finish' | 'failure' }>;

/**
 * Answers a question: calls the model, executes the tool calls it requests, and calls it again with the results until
 * it answers. Emits every event, exactly one `finish` or `failure` last, and resolves with that one. Never rejects;
 * `each` must not throw.
 */
export async function runLoop(input: LoopInput, each: (event: LoopEvent) => void): Promise<LoopEnd> {
  let end: LoopEnd | undefined;
  await runToEnd(input, createWatchdog(input.limits, input.signal), (event) => {
    if (event.type === 'finish' || event.type === 'failure') end = event;
    each(event);
  });
  if (!end) throw new Error('the loop ended without an end');
  return end;
}

const refusedStepsMax = 2;

type Emit = (event: LoopEvent) => void;

/** Never rejects. */
async function runToEnd(input: LoopInput, watchdog: Watchdog, emit: Emit): Promise<void> {
  const state: LoopState = {
    model: input.model,
    text: '',
    inputTokens: 0,
    outputTokens: 0,
    steps: 0,
    toolCalls: 0,
    unreportedSteps: 0,
    costUsd: 0,
    refusedSteps: 0,
    repairs: 0,
  };
  try {
    const { text: answer, ...end } = await runSteps(input, state, watchdog, emit);
    watchdog.dispose();
    emit({ type: 'finish', answer, text: state.text, ...end, usage: toLoopUsage(state) });
  } catch (cause) {
    watchdog.abandon();
    emit({ type: 'failure', error: asAppError(cause), text: state.text, usage: toLoopUsage(state) });
  }
}

interface LoopState {
  /** Current model: primary or fallback. */
  model: AssistantModel;
  text: string;
  inputTokens: number;
  outputTokens: number;
  steps: number;
  toolCalls: number;
  unreportedSteps: number;
  costUsd: number | null;
  /** Answers that exceeded a bound. */
  refusedSteps: number;
  /** Answers that were not backed, and asked for again. */
  repairs: number;
}

function toLoopUsage(state: LoopState): LoopUsage {
  const { inputTokens, outputTokens, steps, toolCalls, unreportedSteps, costUsd } = state;
  return { inputTokens, outputTokens, steps, toolCalls, unreportedSteps, costUsd };
}

type LoopAnswer = Pick<Extract<LoopEvent, { type: 'finish' }>, 'reason' | 'isWithheld'> & { readonly text: string };

async function runSteps(input: LoopInput, state: LoopState, watchdog: Watchdog, emit: Emit): Promise<LoopAnswer> {
  const { limits } = input;
  const prompt: LanguageModelV3Prompt = [
    { role: 'system', content: input.systemPrompt },
    ...(input.earlier?.messages ?? []).map(toPromptMessage),
    { role: 'user', content: askedTexts(input).map((text) => ({ type: 'text', text })) },
  ];
  const tools = input.tools.map(declare);
  const offered = new Set(input.tools.map((tool) => tool.name));
  for (;;) {
    if (watchdog.signal.aborted) throw abortReason(watchdog.signal);
    state.steps++;
    // the last step, and the one after the last call, must be an answer
    const mustAnswer = state.steps >= limits.stepsMax || state.toolCalls >= limits.toolCallsMax;
    const say: Emit = (event) => {
      if (event.type === 'segment') state.text += event.text;
      emit(event);
    };
    const held = input.findUnbacked ? holdText(say) : undefined;
    const step = await callModel(input, watchdog, state, { prompt, tools, mustAnswer }, held?.emit ?? say);
    if (step.refusal !== undefined) {
      refuse(state, step, mustAnswer, prompt, emit);
      continue;
    }
    if (step.reason !== 'tool-calls') {
      if (step.text.trim() !== '') {
        const unbacked = await input.findUnbacked?.(step.text);
        held?.release(unbacked === undefined);
        if (unbacked === undefined) return { text: step.text, reason: step.reason };
        if (!mayRepair(input, state)) return withhold(unbacked, say);
        repair(state, unbacked, step, prompt, emit);
        continue;
      }
      throw new AppError('llm_provider_unavailable', `The model provider ${state.model.provider} gave an empty answer`);
    }
    if (mustAnswer)
      throw new AppError(
        'invocation_limit_reached',
        `No answer after ${state.steps} steps and ${state.toolCalls} tool calls`,
      );
    if (state.inputTokens + state.outputTokens > limits.tokensMax) {
      throw new AppError('invocation_limit_reached', `The invocation used more than ${limits.tokensMax} tokens`);
    }
    prompt.push(step.message);
    await callTools(input, watchdog, prompt, offered, step.calls, state, emit);
  }
}

/** The question first; what stands beside it are texts of their own. */
function askedTexts({ question, earlier, context, notes, fenceMark }: LoopInput): string[] {
  return [
    question,
    ...(earlier ? [earlier.context] : []),
    ...(context ? [fenceContext(context, fenceMark)] : []),
    ...(notes ? [fenceNotes(notes, fenceMark)] : []),
  ];
}

function toPromptMessage({ role, text }: HistoryMessage): LanguageModelV3Prompt[number] {
  return { role, content: [{ type: 'text', text }] };
}

/** Once: an answer that is not backed then is not given. The built-in planner would only repeat itself. */
function mayRepair({ limits }: LoopInput, { repairs, steps, model, inputTokens, outputTokens }: LoopState): boolean {
  const hasRoom = steps < limits.stepsMax && inputTokens + outputTokens <= limits.tokensMax;
  return repairs === 0 && hasRoom && model.isLanguageModel;
}

function repair(
  state: LoopState,
  unbacked: readonly Unbacked[],
  { message }: StepResult,
  prompt: LanguageModelV3Prompt,
  emit: Emit,
): void {
  state.repairs++;
  const text = repairText(unbacked);
  emit({ type: 'refusal', message: text });
  if (message.content.length > 0) prompt.push(message);
  prompt.push({ role: 'user', content: [{ type: 'text', text }] });
}

function withhold(unbacked: readonly Unbacked[], say: Emit): LoopAnswer {
  const text = withheldText(unbacked);
  say({ type: 'segment', text });
  return { text, reason: 'stop', isWithheld: true };
}

/** Tells the model which bound its answer exceeded; none of it was executed. A second refusal ends the invocation. */
function refuse(
  state: LoopState,
  { refusal = '', message }: StepResult,
  isLast: boolean,
  prompt: LanguageModelV3Prompt,
  emit: Emit,
): void {
  emit({ type: 'refusal', message: refusal });
  state.refusedSteps++;
  if (isLast || state.refusedSteps >= refusedStepsMax) {
    throw new AppError(
      'invocation_limit_reached',
      `The model ${state.model.model} did not keep to the limits: ${refusal}`,
    );
  }
  if (message.content.length > 0) prompt.push(message);
  prompt.push({ role: 'user', content: [{ type: 'text', text: refusal }] });
}

function declare({ name, description, inputSchema }: OfferedTool): LanguageModelV3FunctionTool {
  return { type: 'function', name, description, inputSchema: inputSchema as JSONSchema7 };
}

async function callTools(
  input: LoopInput,
  watchdog: Watchdog,
  prompt: LanguageModelV3Prompt,
  offered: ReadonlySet<string>,
  calls: readonly RequestedCall[],
  state: LoopState,
  emit: Emit,
): Promise<void> {
  const { limits, clock, fenceMark } = input;
  const firstId = state.toolCalls;
  for (const [index, call] of calls.entries()) {
    emit({ type: 'tool-call', id: `call_${firstId + index}`, name: call.name, arguments: call.arguments });
  }
  const options = { callTool: input.callTool, offered, toolMs: limits.toolMs, signal: watchdog.signal };
  const running = calls.map(async (call, index): Promise<{ outcome: ToolOutcome; durationMs: number }> => {
    const startedAt = clock.now();
    const isBeyond = firstId + index >= limits.toolCallsMax;
    const callId = `call_${firstId + index}`;
    const outcome = isBeyond ? refusedCall(limits.toolCallsMax) : await callOfferedTool(call, { ...options, callId });
    return { outcome, durationMs: clock.now() - startedAt };
  });
  const results: Extract<LanguageModelV3Prompt[number], { role: 'tool' }>['content'] = [];
  for (const [index, call] of calls.entries()) {
    const { outcome, durationMs } = await running[index]!;
    if (watchdog.signal.aborted) throw abortReason(watchdog.signal);
    const { full, bounded } = boundOutput(outcome.content, limits.toolOutputBytesMax);
    emit({
      type: 'tool-result',
      id: `call_${firstId + index}`,
      name: call.name,
      content: bounded,
      fullContent: full,
      isError: outcome.isError,
      texts: outcome.texts,
      durationMs,
    });
    const approvals = outcome.isError ? [] : (outcome.approvals ?? []);
    for (const request of approvals) emit({ type: 'approval-request', id: `call_${firstId + index}`, request });
    const result = { tool: call.name, call: `call_${firstId + index}`, asked: call.input, text: bounded };
    const told = outcome.isError ? bounded : (input.receipts?.show(result) ?? bounded);
    results.push({
      type: 'tool-result',
      toolCallId: call.providerCallId,
      toolName: call.name,
      output: { type: outcome.isError ? 'error-text' : 'text', value: fenceOutput(told, fenceMark) },
    });
  }
  state.toolCalls += calls.length;
  prompt.push({ role: 'tool', content: results });
}
