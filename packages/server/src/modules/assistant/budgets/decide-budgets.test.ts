import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amounts, BudgetState, Subject } from './budget.ts';
import { type AskedOfBudgets, decideBudgets } from './decide-budgets.ts';

const now = new Date('2026-11-27T12:00:00Z');
const all: Subject = { scope: 'organization', subject: 'all' };
const geo: Subject = { scope: 'team', subject: 'geo' };
const ada: Subject = { scope: 'user', subject: 'ada' };
const guide: Subject = { scope: 'agent', subject: 'guide' };

function budget(subject: Subject, change: Partial<BudgetState> = {}): BudgetState {
  return {
    ...subject,
    period: 'month',
    limits: { requests: 2, tokens: null, usd: null },
    action: 'stop',
    warnAt: 0.8,
    countedSince: '2026-11-01',
    used: { requests: 0, tokens: 0, usd: 0 },
    uncosted: 0,
    id: subject.subject,
    title: null,
    ...change,
  };
}

const asked = (subjects: readonly Subject[], expected = { tokens: 0, usd: 0 }): AskedOfBudgets => ({
  subjects,
  expected,
});
const granted = (decisions: ReturnType<typeof decideBudgets>) => decisions.map(({ isGranted }) => isGranted);

test('requests are granted in order, each counted before the next is looked at', () => {
  const three = Array.from({ length: 3 }, () => asked([all, geo]));
  expect(granted(decideBudgets([budget(geo)], three, 9, now))).toEqual([true, true, false]);
});

test('what is granted is charged to those with a budget, in the order of its subjects, and to nobody else', () => {
  const budgets = [budget(all), budget(geo, { period: 'day' }), budget(geo)];
  expect(decideBudgets(budgets, [asked([all, geo, ada])], 1, now)).toEqual([{ isGranted: true, charged: [all, geo] }]);
  expect(decideBudgets([], [asked([all])], 1, now)).toEqual([{ isGranted: true, charged: [] }]);
});

test('a request that one budget refuses takes nothing of another, and nothing of the quota', () => {
  const budgets = [budget(all, { limits: { requests: 1, tokens: null, usd: null } }), budget(ada)];
  const full = budget(geo, { used: { requests: 2, tokens: 0, usd: 0 } });
  const decisions = decideBudgets([full, ...budgets], [asked([all, geo]), asked([all, ada])], 1, now);
  expect(granted(decisions)).toEqual([false, true]);
});

test('the quota refuses what no budget does, and names none', () => {
  expect(decideBudgets([budget(all)], [asked([all]), asked([all])], 1, now)).toEqual([
    { isGranted: true, charged: [all] },
    { isGranted: false },
  ]);
  expect(decideBudgets([], [asked([all])], 0, now)).toEqual([{ isGranted: false }]);
});

describe('of tokens and money', () => {
  const tokens = (used: number, expected: number) => {
    const state = budget(all, {
      limits: { requests: null, tokens: 100, usd: null },
      used: { requests: 0, tokens: used, usd: 0 },
    });
    return decideBudgets([state], [asked([all], { tokens: expected, usd: 0 })], 9, now)[0];
  };

  test.each([
    [0, 100, true],
    [60, 40, true],
    [60, 41, false],
    [99, 0, true],
    [100, 0, false],
  ])('with %s of 100 used, a run of %s may begin: %s', (used, expected, may) => {
    expect(tokens(used, expected)?.isGranted).toBe(may);
  });

  test('the next run finds what the one before will need taken', () => {
    const state = budget(all, { limits: { requests: null, tokens: null, usd: 1 } });
    const each = asked([all], { tokens: 0, usd: 0.4 });
    const decisions = decideBudgets([state], [each, each, each], 9, now);
    expect(granted(decisions)).toEqual([true, true, false]);
    expect(decisions[2]).toMatchObject({ spent: { measure: 'usd', used: 0.8, needed: 0.4 } });
  });
});

describe('the refusal that is named', () => {
  const spent: Partial<BudgetState> = { used: { requests: 2, tokens: 0, usd: 0 } };
  const nameOf = (budgets: readonly BudgetState[]) => {
    const [decision] = decideBudgets(budgets, [asked([all, geo, ada, guide])], 9, now);
    return decision?.isGranted === false ? decision.spent?.budget : undefined;
  };

  test('is of the budget that holds longest', () => {
    const month = budget(all, spent);
    expect(nameOf([budget(ada, { ...spent, period: 'day' }), month])).toBe(month);
    expect(nameOf([month, budget(ada, { ...spent, period: 'day' })])).toBe(month);
  });

  test('and of several the narrowest: person, agent, team, organization', () => {
    const [a, b, c, d] = [budget(all, spent), budget(geo, spent), budget(guide, spent), budget(ada, spent)];
    expect(nameOf([a, b])).toBe(b);
    expect(nameOf([a, b, c])).toBe(c);
    expect(nameOf([a, b, c, d])).toBe(d);
    expect(nameOf([d, c, b, a])).toBe(d);
  });
});

test('a budget that warns counts, and refuses nothing', () => {
  const warning = budget(all, { action: 'warn', limits: { requests: 0, tokens: 0, usd: 0 } });
  expect(decideBudgets([warning], [asked([all])], 1, now)).toEqual([{ isGranted: true, charged: [all] }]);
});

test('no budget that stops is ever given away twice, and none is refused with room everywhere', () => {
  const subjects = [all, geo, ada, guide];
  const budgets = fc.array(
    fc.record({
      subject: fc.constantFrom(...subjects),
      limit: fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }),
      tokens: fc.option(fc.integer({ min: 0, max: 60 }), { nil: null }),
      used: fc.integer({ min: 0, max: 6 }),
      action: fc.constantFrom('stop' as const, 'warn' as const),
    }),
    { maxLength: 5 },
  );
  const requests = fc.array(fc.record({ subjects: fc.subarray(subjects), tokens: fc.integer({ min: 0, max: 20 }) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(budgets, requests, fc.integer({ min: 0, max: 10 }), (written, questions, room) => {
      const states = written.map(({ subject, limit, tokens, used, action }) =>
        budget(subject, {
          action,
          limits: { requests: limit, tokens, usd: null },
          used: { requests: used, tokens: used * 10, usd: 0 },
        }),
      );
      const decisions = decideBudgets(
        states,
        questions.map((each) => asked(each.subjects, { tokens: each.tokens, usd: 0 })),
        room,
        now,
      );
      const counts = (state: BudgetState, index: number) =>
        questions[index]?.subjects.some(({ scope, subject }) => scope === state.scope && subject === state.subject);
      const usedBefore = (state: BudgetState, until: number): Amounts => {
        const mine = decisions
          .slice(0, until)
          .flatMap((each, index) => (each.isGranted && counts(state, index) ? [index] : []));
        const tokens = mine.reduce((sum, index) => sum + (questions[index]?.tokens ?? 0), state.used.tokens);
        return { requests: state.used.requests + mine.length, tokens, usd: 0 };
      };
      for (const [index, decision] of decisions.entries()) {
        const stops = states.filter((state) => state.action === 'stop' && counts(state, index));
        const hasRoom = stops.every(({ limits }, place) => {
          const used = usedBefore(stops[place] as BudgetState, index);
          const need = { requests: 1, tokens: questions[index]?.tokens ?? 0 };
          return (['requests', 'tokens'] as const).every((measure) => {
            const limit = limits[measure];
            return limit === null || (used[measure] < limit && used[measure] + need[measure] <= limit);
          });
        });
        const before = decisions.slice(0, index).filter(({ isGranted }) => isGranted).length;
        expect(decision.isGranted).toBe(hasRoom && before < room);
      }
    }),
  );
});
