import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../db/database-error.ts';
import { createEachRecord, inBatches } from './each-record.ts';

const records = [{ orgId: 'a' }, { orgId: 'b' }, { orgId: 'c' }];

function walker(recordMs = 5_000, isFrozen: readonly string[] = []) {
  const stop = new AbortController();
  const told: unknown[] = [];
  const log = { warn: (context: unknown) => told.push(context) };
  const frozen = async () => new Set(isFrozen);
  const each = createEachRecord({ log, context: { job: 'trial.do-it' }, frozen, recordMs, stop: stop.signal });
  return { stop, told, each };
}

describe('a record', () => {
  test('that fails is told and passed over', async () => {
    const { each, told } = walker();
    const done: string[] = [];
    const error = new Error('broken');
    await each(records, async ({ orgId }) => {
      if (orgId === 'a') throw error;
      done.push(orgId);
    });
    expect(done).toEqual(['b', 'c']);
    expect(told).toEqual([{ job: 'trial.do-it', record: { orgId: 'a' }, error }]);
  });

  test('that never ends is given up, told of it and passed over', async () => {
    const { each, told } = walker(20);
    const done: string[] = [];
    let given: AbortSignal | undefined;
    await each(records, async ({ orgId }, signal) => {
      if (orgId === 'b') {
        given = signal;
        await new Promise(() => undefined);
      }
      done.push(orgId);
    });
    expect(done).toEqual(['a', 'c']);
    expect(given?.aborted).toBe(true);
    expect(told).toMatchObject([{ record: { orgId: 'b' }, error: { message: 'The record took longer than 20 ms' } }]);
  });
});

test('records that hang leave time for those behind them', async () => {
  const { each, told } = walker(80);
  const done: string[] = [];
  await each([...Array(6).fill({ orgId: 'hangs' }), { orgId: 'last' }], async ({ orgId }) => {
    if (orgId === 'hangs') await new Promise(() => undefined);
    done.push(orgId);
  });
  const late = told.map((each) => (each as { error: Error }).error.message.replace(/\D/g, ''));
  expect([done, late]).toEqual([['last'], ['80', '40', '20', '10', '10', '10']]);
});

test('records of frozen organizations are passed over, and nobody is told', async () => {
  const { each, told } = walker(undefined, ['a', 'c']);
  const done: string[] = [];
  await each(records, async ({ orgId }) => done.push(orgId));
  expect([done, told]).toEqual([['b'], []]);
});

test.each([
  ['08006', 'away'],
  ['53300', 'full'],
  ['25006', 'read-only'],
])('a database that cannot go on (%s, %s) ends the walk, and nobody is blamed', async (code) => {
  const { each, told } = walker();
  const seen: string[] = [];
  const gone = new DatabaseError('gone', code);
  const walked = each(records, async ({ orgId }) => {
    seen.push(orgId);
    throw gone;
  });
  await expect(walked).rejects.toBe(gone);
  expect([seen, told]).toEqual([['a'], []]);
});

test('a walk that is to stop ends with the record that it is at', async () => {
  const { each, told, stop } = walker();
  const seen: string[] = [];
  const walked = each(records, async ({ orgId }, signal) => {
    seen.push(orgId);
    stop.abort(new Error('stopped'));
    signal.throwIfAborted();
  });
  await expect(walked).rejects.toThrow();
  expect([seen, told]).toEqual([['a'], []]);
});

test.each([0, 1, 2, 3, 4])('a list of %i is read whole in batches of two', async (length) => {
  const all = Array.from({ length }, (_none, index) => index + 1);
  const read = async (last: number | undefined, limit: number) =>
    all.filter((each) => each > (last ?? 0)).slice(0, limit);
  const found: number[] = [];
  for await (const each of inBatches(2, read)) found.push(each);
  expect(found).toEqual(all);
});
