import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  startAssistantHarness,
  type TestOrganization,
  until,
} from '../../../../test/assistant-harness.ts';
import { createSpanExporter, type SpanExporter } from '../../../platform/telemetry/span-exporter.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

let collector: Server;
let requests: { readonly path: string; readonly headers: Record<string, unknown>; readonly body: string }[] = [];
/** Statuses with which the collector refuses the next requests before it accepts again. */
let refusals: number[] = [];
let harness: AssistantHarness;
let spans: SpanExporter;
let organization: TestOrganization;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const refusal = refusals.shift();
      if (refusal === undefined) requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(refusal ?? 200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  spans = createSpanExporter({
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    headers: { 'x-collector-key': 'abc' },
    serviceName: 'portolan-test',
    log: { warn: () => {} },
  });
  harness = await startAssistantHarness({ betweenContentsMs: 300 }, { ai: { spans } });
});
afterAll(async () => {
  await harness.close();
  await spans.close();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});
beforeEach(async () => {
  requests = [];
  refusals = [];
  organization = await harness.organization();
});

function sentSpans(): SentSpan[] {
  const all = requests.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as SentSpan[]);
  return all.filter((span) => readAttributes(span)['portolan.organization.id'] === organization.id);
}

function readAttributes({ attributes }: SentSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

async function ask(headers: Record<string, string> = {}) {
  const answer = await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'A secret question' }, headers);
  return readEvents(answer);
}

test('a run is one trace of the caller: the agent over model calls and tools, and nothing that was said', async () => {
  harness.model.script(
    { text: 'A secret answer.', calls: [{ name: 'list_blueprints' }, { name: 'no_such_tool' }], firstMs: 20 },
    { text: 'The end of secrets.', usage: { input: 7, output: 3 } },
  );
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const [first] = await ask({ traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  await until('spans are sent', async () => sentSpans().length >= 5);

  const [root, ...parts] = sentSpans() as [SentSpan, ...SentSpan[]];
  expect(root).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', name: 'invoke_agent', kind: 1 });
  expect(readAttributes(root)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': first?.data,
    'gen_ai.usage.input_tokens': '107',
    'gen_ai.usage.output_tokens': '23',
    'portolan.organization.id': organization.id,
    'portolan.usage.cost_usd': (107 * 2 + 23 * 10) / 1e6,
  });
  expect(
    parts.map(({ name, parentSpanId, traceId: of }) => [name, parentSpanId === root.spanId, of === traceId]),
  ).toEqual(
    ['chat mock', 'chat mock', 'execute_tool list_blueprints', 'execute_tool no_such_tool'].map((name) => [
      name,
      true,
      true,
    ]),
  );
  expect(readAttributes(parts[0] as SentSpan)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'mock',
    'gen_ai.usage.input_tokens': '100',
  });
  expect(readAttributes(parts[3] as SentSpan)).toMatchObject({
    'gen_ai.tool.call.id': 'call_1',
    'error.type': 'tool_error',
  });
  expect(parts[3]?.status.code).toBe(2);
  for (const span of parts) {
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano) - 5_000_000n);
  }
  const chat = parts[0] as SentSpan;
  expect(Number(BigInt(chat.endTimeUnixNano) - BigInt(chat.startTimeUnixNano)) / 1e6).toBeGreaterThanOrEqual(15);
  expect(requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'abc' } });
  expect(requests[0]?.body).toContain('portolan-test');
  expect(requests.map(({ body }) => body).join()).not.toMatch(/secret|sk-never-shown/);
});

test('a model that falls silent is a failed call in a failed run', async () => {
  harness.model.script({ text: 'Half', stalls: true });
  await ask({ traceparent: 'nonsense' });
  await until('spans are sent', async () => sentSpans().length >= 2);
  const [root, chat] = sentSpans() as [SentSpan, SentSpan];
  expect(root.parentSpanId).toBeUndefined();
  expect([root, chat].map((span) => [readAttributes(span)['error.type'], span.status.code])).toEqual([
    ['llm_provider_timeout', 2],
    ['llm_provider_timeout', 2],
  ]);
});

test('a collector that is busy is asked again; one that is gone holds nobody up', async () => {
  refusals = [503, 429];
  harness.model.script({ text: 'Fine.' });
  await ask();
  await until('spans are sent', async () => sentSpans().length >= 2);
  refusals = Array(20).fill(400);
  harness.model.script({ text: 'Fine.' });
  expect((await ask()).at(-1)?.event).toBe('done');
});

test('Prometheus is shown outcomes, durations, tokens and tool calls', async () => {
  const read = async () => {
    const text = await (await fetch(`${harness.url}/metrics`)).text();
    return (series: string) =>
      Number(new RegExp(`^${series.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  const names = {
    completed: 'portolan_ai_invocations_total{outcome="completed"}',
    refused: 'portolan_ai_invocations_total{outcome="llm_provider_refused"}',
    limited: 'portolan_ai_invocations_total{outcome="ai_quota_exceeded"}',
    lasted: 'portolan_ai_invocation_duration_seconds_count{outcome="completed"}',
    firstText: 'portolan_ai_first_text_seconds_count',
    input: 'portolan_ai_tokens_total{direction="input",provider="openai-compatible"}',
    output: 'portolan_ai_tokens_total{direction="output",provider="openai-compatible"}',
    tools: 'portolan_ai_tool_calls_total{outcome="ok"}',
    calls: 'portolan_ai_model_calls_total{provider="openai-compatible",outcome="ok"}',
    failedCalls: 'portolan_ai_model_calls_total{provider="openai-compatible",outcome="llm_provider_refused"}',
  };
  organization = await harness.organization({ quotas: { monthlyInvocations: 3 } });
  const before = await read();
  harness.model.script({ calls: [{ name: 'list_blueprints' }] }, { text: 'Done.' }, { status: 401 });
  await ask();
  await ask();
  expect((await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'x' })).status).toBe(200);
  expect((await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'x' })).status).toBe(429);
  await until('the third has ended', async () => (await read())(names.completed) - before(names.completed) === 2);
  const after = await read();
  const changes = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, after(name) - before(name)]));
  expect(changes).toEqual({
    completed: 2,
    refused: 1,
    limited: 1,
    lasted: 2,
    firstText: 2,
    input: 300,
    output: 60,
    tools: 1,
    calls: 3,
    failedCalls: 1,
  });
});
