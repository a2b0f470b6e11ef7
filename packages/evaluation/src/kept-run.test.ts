import { describe, expect, test } from 'vitest';
import { compareCases } from './compare-baseline.ts';
import { keepRun, readKeptRun, toRunEntities } from './kept-run.ts';
import type { VariantReport } from './report-variants.ts';

const told = { answer: '', durationMs: 1, costUsd: 0 };
const hostile = 'a | b [x](/ai/invocations/evil) \\ `c`';

const variant: VariantReport = {
  name: 'openai/gpt',
  models: ['openai/gpt'],
  counts: { right: 1, refused: 0, wrong: 1, failed: 0, undecided: 0 },
  share: 0.5,
  interval: { low: 0.1, high: 0.9 },
  unsteady: 0,
  p50Ms: 20,
  p95Ms: 40,
  costUsd: null,
  cases: [
    { case: 'good', outcome: 'right', trials: [{ ...told, outcome: 'right', invocation: 'i1', grades: [] }] },
    {
      case: 'bad|one',
      outcome: 'wrong',
      trials: [
        { ...told, outcome: 'right', invocation: 'i2', grades: [] },
        {
          ...told,
          outcome: 'wrong',
          invocation: 'i3',
          grades: [
            { grader: 'contains', passed: false, reason: hostile },
            { grader: 'asks', passed: false, reason: 'it does not ask' },
          ],
        },
      ],
    },
  ],
};

test('a run that was kept is read as it was, whatever signs its texts have', () => {
  const [entity] = toRunEntities({ run: 'r', startedAt: '2026-03-02T09:00:00.000Z', variants: [variant] });
  expect(entity?.identifier).toBe('r-1');
  expect(readKeptRun(entity ?? {})).toEqual({
    identifier: 'r-1',
    run: 'r',
    startedAt: '2026-03-02T09:00:00.000Z',
    variant: 'openai/gpt',
    share: 0.5,
    low: 0.1,
    high: 0.9,
    count: 2,
    counts: { right: 1, refused: 0, wrong: 1, failed: 0, undecided: 0 },
    p50Ms: 20,
    p95Ms: 40,
    costUsd: null,
    cases: [
      {
        case: 'bad|one',
        outcome: 'wrong',
        why: `contains: ${hostile}; asks: it does not ask`,
        invocations: ['i3', 'i2'],
      },
      { case: 'good', outcome: 'right', why: '', invocations: ['i1'] },
    ],
  });
});

test('what somebody else wrote into a run is read as nothing', () => {
  const odd = readKeptRun({ identifier: 3, properties: { share: 'x', results: '| a | b | c | d |\nno table' } });
  expect(odd).toMatchObject({ identifier: '3', share: 0, cases: [] });
});

test.each([
  [6, 0, 'worse'],
  [0, 6, 'better'],
  [5, 0, 'cannot tell'],
  [0, 5, 'cannot tell'],
  [7, 6, 'cannot tell'],
])('%d worse and %d better is: %s', (worse, better, word) => {
  const was = [...Array(worse).fill('right'), ...Array(better).fill('wrong')] as const;
  const is = [...Array(worse).fill('wrong'), ...Array(better).fill('right')] as const;
  const toCases = (outcomes: readonly ('right' | 'wrong')[]) =>
    outcomes.map((outcome, index) => ({ case: `c${index}`, outcome }));
  const undecided = { case: 'u', outcome: 'undecided' } as const;
  const told = compareCases([...toCases(was), undecided], [...toCases(is), { case: 'u', outcome: 'right' }]);
  expect(told).toMatchObject({ word, pairs: worse + better });
});

describe('keeping a run', () => {
  const counts = { right: 0, refused: 0, wrong: 1, failed: 0, undecided: 1 };
  const run = { run: 'r1', startedAt: '2026-03-02T09:00:00.000Z', variants: [{ ...variant, counts }] };
  const refusal = new Error('undecided is not a property');

  test('leaves out of an older blueprint what it does not have', async () => {
    const kept: object[] = [];
    const create = async ({ properties }: { readonly properties: object }) => {
      if ('undecided' in properties) throw refusal;
      kept.push(properties);
    };
    await keepRun(run, create, (error) => error === refusal);
    expect(kept).toMatchObject([{ variant: 'openai/gpt', wrong: 1 }]);
  });

  test('writes nothing a second time that failed for another reason', async () => {
    let count = 0;
    const create = async () => {
      count += 1;
      throw refusal;
    };
    await expect(keepRun(run, create, () => false)).rejects.toBe(refusal);
    expect(count).toBe(1);
  });
});
