import { newSpanId, newTraceId, parseTraceparent, type Span } from '../../../platform/telemetry/span-exporter.ts';
import type { LoopUsage } from '../loop/loop-event.ts';
import type { InvocationIdentity } from './invocation-identity.ts';
import type { Timeline } from './invocation-timeline.ts';

export interface EndedInvocation {
  readonly startMs: number;
  readonly endMs: number;
  readonly provider: string;
  readonly model: string;
  readonly usage: LoopUsage;
  readonly error?: string | undefined;
}

/**
 * An invocation as spans of the OpenTelemetry conventions for generative AI (1.38): `invoke_agent` over `chat` and
 * `execute_tool`, without any content. The conventions still change: only this file knows their names.
 */
export function toSpans(
  invocation: InvocationIdentity,
  ended: EndedInvocation,
  { modelCalls, toolCalls }: Timeline,
): Span[] {
  const caller = parseTraceparent(invocation.traceparent);
  const traceId = caller?.traceId ?? newTraceId();
  const rootId = newSpanId();
  const common = {
    'gen_ai.conversation.id': invocation.id,
    'portolan.organization.id': invocation.orgId,
  };
  const { usage } = ended;
  const root: Span = {
    traceId,
    spanId: rootId,
    parentSpanId: caller?.spanId,
    name: invocation.agent === null ? 'invoke_agent' : `invoke_agent ${invocation.agent}`,
    kind: 'internal',
    startMs: ended.startMs,
    endMs: ended.endMs,
    attributes: {
      ...common,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerName(ended.provider),
      'gen_ai.request.model': ended.model,
      'gen_ai.agent.name': invocation.agent ?? 'assistant',
      'gen_ai.agent.id': invocation.agent ?? undefined,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'portolan.usage.cost_usd': usage.costUsd ?? undefined,
      'error.type': ended.error,
    },
    error: ended.error,
  };
  const chats = modelCalls.map(
    (call): Span => ({
      traceId,
      spanId: newSpanId(),
      parentSpanId: rootId,
      name: `chat ${call.model}`,
      kind: 'client',
      startMs: call.startMs,
      endMs: call.endMs,
      attributes: {
        ...common,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerName(call.provider),
        'gen_ai.request.model': call.model,
        'gen_ai.usage.input_tokens': call.inputTokens,
        'gen_ai.usage.output_tokens': call.outputTokens,
        'error.type': call.error,
      },
      error: call.error,
    }),
  );
  const tools = toolCalls.map(
    (call): Span => ({
      traceId,
      spanId: newSpanId(),
      parentSpanId: rootId,
      name: `execute_tool ${call.name}`,
      kind: 'internal',
      startMs: call.startMs,
      endMs: call.endMs,
      attributes: {
        ...common,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.name,
        'gen_ai.tool.call.id': call.id,
        'gen_ai.tool.type': 'function',
        'error.type': call.isError ? 'tool_error' : undefined,
      },
      error: call.isError ? 'tool_error' : undefined,
    }),
  );
  return [root, ...chats, ...tools];
}

const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  'azure-openai': 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  'openai-compatible': 'openai_compatible',
  'built-in': 'portolan',
};

function providerName(provider: string): string {
  return providerNames[provider] ?? provider;
}
