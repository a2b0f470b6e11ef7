import { afterAll, expect, test } from 'vitest';
import { createBatchRunner } from './batch-runner.ts';

const runner = createBatchRunner({ workers: 1, budget: { wallTimeMs: 1e9, stepsMax: 1e15 } });
afterAll(() => runner.close());

test('each item has its own result, in order', async () => {
  const results = await runner.evaluate([
    { expression: '.a, 2', input: { a: 1 } },
    { expression: '.a(', input: null },
    { expression: '.a.b', input: { a: 1 } },
    { expression: '$x + .', input: 1, variables: { x: 2 } },
    { expression: '"abab" | test("(ab)\\\\1")', input: null },
    { expression: 'halt', input: null },
  ]);
  expect(results).toMatchObject([
    { ok: true, outputs: [1, 2] },
    { ok: false, error: { kind: 'syntax', position: { line: 1, column: 3 } } },
    { ok: false, error: { kind: 'runtime', message: 'Cannot index number with string "b"' } },
    { ok: true, outputs: [3] },
    { ok: true, outputs: [true] },
    { ok: false, error: { kind: 'refused' } },
  ]);
});

test('a runaway is stopped at the deadline, only it fails, and the next batch runs', async () => {
  const runaway = { expression: 'until(false; .)', input: null };
  const fine = { expression: '. + 1', input: 1 };
  const results = await runner.evaluate([fine, runaway, fine, fine], { deadlineMs: 150 });
  expect(results).toMatchObject([
    { ok: true, outputs: [2] },
    { ok: false, error: { kind: 'budget', limit: 'deadline' } },
    { ok: true, outputs: [2] },
    { ok: true, outputs: [2] },
  ]);
  expect(await runner.evaluate([fine])).toMatchObject([{ ok: true, outputs: [2] }]);
});

test('a closed runner refuses', async () => {
  const closed = createBatchRunner();
  await closed.close();
  await expect(closed.evaluate([{ expression: '.', input: 1 }])).rejects.toThrow('closed');
});
