import { describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { createSampler, type SamplerConfig } from './sampler.ts';
import { formatTraceparent, newTraceId, parseTraceparent, type Span } from './span-exporter.ts';
import { traceDatabase, traceOutgoing } from './trace-ports.ts';
import { createTracing, sampleSpans } from './tracing.ts';

function traced(sampler?: SamplerConfig) {
  const sent: Span[] = [];
  const exporter = { export: (spans: readonly Span[]) => void sent.push(...spans), close: () => Promise.resolve() };
  return { sent, exporter, sampler: createSampler(sampler), tracing: createTracing(exporter, createSampler(sampler)) };
}
const start = (name: string) => ({ name, kind: 'internal' as const });

describe('spans', () => {
  test('of one chain of calls belong to each other, and those of another do not', async () => {
    const { sent, tracing } = traced();
    await Promise.all([
      tracing.run(start('a'), () => tracing.run(start('b'), async () => 1)),
      tracing.run(start('c'), async () => 1),
    ]);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => sent.find((span) => span.name === name));
    expect([b?.parentSpanId, b?.traceId]).toEqual([a?.spanId, a?.traceId]);
    expect([a?.parentSpanId, c?.parentSpanId, c?.traceId === a?.traceId]).toEqual([undefined, undefined, false]);
    expect(tracing.current()).toBe(undefined);
  });

  test('end with the code of an error and without its message', async () => {
    const { sent, tracing } = traced();
    const failure = Object.assign(new Error('the password is 123'), { code: '57014' });
    await expect(tracing.run(start('a'), () => Promise.reject(failure))).rejects.toBe(failure);
    await expect(tracing.run(start('b'), () => Promise.reject(new TypeError('123')))).rejects.toThrow();
    expect(sent.map(({ error, attributes }) => [error, attributes['error.type']])).toEqual([
      ['57014', '57014'],
      ['TypeError', 'TypeError'],
    ]);
    expect(JSON.stringify(sent)).not.toContain('123');
  });
});

describe('sampling', () => {
  const caller = (isSampled: boolean): string =>
    formatTraceparent({ traceId: newTraceId(), spanId: 'b7ad6b7169203331', isSampled });

  test.each<[SamplerConfig['name'], number, number, number]>([
    ['always_on', 1, 1, 1],
    ['always_off', 0, 0, 0],
    ['parentbased_always_on', 1, 1, 0],
    ['parentbased_always_off', 0, 1, 0],
    ['traceidratio', 0, 0, 0],
    ['parentbased_traceidratio', 0, 1, 0],
  ])('%s at a ratio of 0', async (name, root, ofSampled, ofUnsampled) => {
    const counts = [undefined, caller(true), caller(false)].map((traceparent) => {
      const { sent, tracing } = traced({ name, ratio: 0 });
      tracing.begin({ ...start('a'), traceparent }).end();
      return sent.length;
    });
    expect(counts).toEqual([root, ofSampled, ofUnsampled]);
  });

  test.each(['parentbased_always_off', 'parentbased_always_on', 'traceidratio'] as const)(
    '%s: what is linked to a span is sent if that one is, in a trace of its own',
    (name) => {
      const { sent, tracing } = traced({ name, ratio: 0 });
      for (const isSent of [true, false]) tracing.begin({ ...start(String(isSent)), link: caller(isSent) }).end();
      expect(sent.map((span) => [span.name, span.parentSpanId, span.link?.spanId])).toEqual(
        name === 'traceidratio' ? [] : [['true', undefined, 'b7ad6b7169203331']],
      );
      expect(sent.every(({ traceId, link }) => traceId !== link?.traceId)).toBe(true);
    },
  );

  test('by ratio takes the same traces in every process', () => {
    const [one, other] = [0.25, 0.25].map((ratio) => createSampler({ name: 'traceidratio', ratio }));
    const low = `${'0'.repeat(18)}${'bf'.padEnd(14, '0')}`;
    const high = `${'0'.repeat(18)}${'c'.padEnd(14, '0')}`;
    expect([one?.(low, undefined), one?.(high, undefined)]).toEqual([false, true]);
    expect([other?.(low, true), other?.(high, false)]).toEqual([false, true]);
  });

  test('what belongs to a span that is not sent is not sent either, and says so to others', async () => {
    const { sent, tracing } = traced({ name: 'parentbased_always_off', ratio: 1 });
    const context = await tracing.run(start('a'), () => tracing.run(start('b'), async (span) => span.context));
    expect(sent).toEqual([]);
    expect(parseTraceparent(formatTraceparent(context))?.isSampled).toBe(false);
  });

  test('holds for spans that were made elsewhere', () => {
    const { sent, exporter, sampler } = traced({ name: 'parentbased_always_off', ratio: 1 });
    const span = {
      traceId: newTraceId(),
      spanId: 'a',
      kind: 'internal',
      startMs: 0,
      endMs: 1,
      attributes: {},
    } as const;
    sampleSpans(exporter, sampler).export([{ ...span, name: 'root' }]);
    sampleSpans(exporter, sampler).export([{ ...span, name: 'of a caller', parentSpanId: 'b' }]);
    expect(sent.map(({ name }) => name)).toEqual(['of a caller']);
  });
});

test('without a collector nothing stands between the product and its ports', () => {
  const [database, outgoing] = [{} as Database, {} as Outgoing];
  expect(traceDatabase(database, undefined)).toBe(database);
  expect(traceOutgoing(outgoing, undefined)).toBe(outgoing);
});
