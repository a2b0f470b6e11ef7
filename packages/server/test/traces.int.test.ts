import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSampler } from '../src/platform/telemetry/sampler.ts';
import type { Span } from '../src/platform/telemetry/span-exporter.ts';
import { createTracing } from '../src/platform/telemetry/tracing.ts';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { createBlueprint, unique } from './catalog-fixtures.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const sent: Span[] = [];
let app: TestApp;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const exporter = { export: (spans: readonly Span[]) => void sent.push(...spans) };
  app = await createTestApp({ tracing: createTracing(exporter, createSampler()) });
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  sent.length = 0;
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = (flags: '00' | '01') => ({ headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` } });

test('a request is a span by its route over its transactions, and goes on with the trace of its caller', async () => {
  const blueprint = await createBlueprint(app.request, 'traced');
  sent.length = 0;
  const name = unique('entity');
  const path = `/v1/blueprints/${blueprint}/entities?upsert=true&run_id=a-run`;
  const answer = await app.request('POST', path, { body: { identifier: name, properties: {} }, ...caller('01') });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const root = sent.find(({ kind }) => kind === 'server');
  expect(root).toMatchObject({
    ...{ traceId, parentSpanId: 'b7ad6b7169203331', error: undefined },
    attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201 },
  });
  expect(root?.name).toBe(`POST ${root?.attributes['http.route']}`);
  const parts = sent.filter((span) => span !== root && span.traceId === traceId);
  expect(parts.map((span) => span.name)).toContain('transaction');
  expect(parts.every((span) => span.parentSpanId === root?.spanId)).toBe(true);
  const written = JSON.stringify(sent);
  for (const part of [blueprint, name, 'a-run', 'upsert', app.organization.id]) expect(written).not.toContain(part);
});

test('a request of a caller that keeps no trace, a probe and a scrape are none', async () => {
  await app.request('GET', '/v1/blueprints', caller('00'));
  for (const url of ['/health', '/ready', '/metrics']) await app.app.http.inject({ url, ...caller('01') });
  expect(sent).toEqual([]);
});

test('a job is a span over its calls, and who is called can go on with it', async () => {
  const identifier = unique('action');
  const invocationMethod = { type: 'WEBHOOK', url: `${receiver.url}/secret-path?key=secret` };
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const saved = await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  const run = await app.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties: {} } });
  expect(run.status, JSON.stringify(run.body)).toBeLessThan(300);
  await app.app.jobs.drain();
  const call = sent.find((span) => span.kind === 'client' && span.name === 'POST');
  expect(call).toMatchObject({ name: 'POST', attributes: { 'http.response.status_code': 200 } });
  const job = sent.find(({ spanId }) => spanId === call?.parentSpanId);
  expect(job).toMatchObject({ kind: 'consumer', attributes: { 'portolan.job.outcome': 'completed' } });
  expect(job?.name).toMatch(/^job actions\./);
  expect(receiver.received.at(-1)?.headers['traceparent']).toBe(`00-${call?.traceId}-${call?.spanId}-01`);
  const written = JSON.stringify(sent);
  for (const part of ['secret', '127.0.0.1', identifier]) expect(written).not.toContain(part);
});
