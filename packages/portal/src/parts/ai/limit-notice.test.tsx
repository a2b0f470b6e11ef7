import type { AiBudget } from '@portolan/contract/ai-budgets';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { ApiError } from '../../api/api.ts';
import { BudgetLine, Refusal } from './limit-notice.tsx';

const refusal = {
  ok: false,
  error: 'ai_budget_exceeded',
  message: 'Team Geo has used its 500 requests of November 2026.',
  scope: 'team',
  title: 'Geo',
  period: 'month',
  measure: 'requests',
  limit: 500,
  used: 500,
  resetDate: '2026-12-01T00:00:00.000Z',
};
const refused = (change: object = {}) => new ApiError(429, { ...refusal, ...change } as never, refusal.message);

test('a question that a budget refuses says whose it is, how much it was, when it begins anew and who may raise it', async () => {
  await draw(<Refusal error={refused()} />);
  await screen.findByText(
    /^Team Geo has used its 500 questions of November\. The budget starts again on (1 December|December 1); administrators of the organization may raise it\.$/,
  );
});

test('a person is addressed, and what is left but too little is told', async () => {
  await draw(<Refusal error={refused({ scope: 'user', period: 'day', limit: 5, used: 5 })} />);
  await screen.findByText(/^You have used your 5 questions of today\./);
  await draw(<Refusal error={refused({ measure: 'tokens', limit: 1_000, used: 900 })} />);
  await screen.findByText(/^Of the 1,000 tokens of Team Geo, 100 tokens are left: too few for this question\./);
});

const budget = (change: Partial<AiBudget>): AiBudget => ({
  scope: 'organization',
  id: 'all',
  title: 'all',
  period: 'month',
  requests: 100,
  tokens: null,
  usd: null,
  action: 'stop',
  warnAt: 0.8,
  used: { requests: 10, tokens: 0, usd: 0 },
  uncosted: 0,
  state: 'within',
  resetDate: '2026-12-01T00:00:00.000Z',
  forecast: { requests: null, tokens: null, usd: null, daysWithoutData: 28 },
  ...change,
});

test('what is left of the tightest budget stands where questions are asked, one that only warns aside', async () => {
  const used = (requests: number) => ({ requests, tokens: 0, usd: 0 });
  fakeApi({
    listAiBudgets: () => ({
      ok: true,
      budgets: [
        budget({}),
        budget({ scope: 'team', id: 'geo', title: 'Geo', used: used(60) }),
        budget({ scope: 'user', id: 'ada@example.com', action: 'warn', used: used(99) }),
      ],
    }),
  });
  await draw(<BudgetLine />);
  await screen.findByText('40 questions left in the budget of Team Geo');
});

test('without a budget nothing is said', async () => {
  const received = fakeApi({ listAiBudgets: () => ({ ok: true, budgets: [] }) });
  await draw(<BudgetLine />);
  expect([received.length, screen.queryByText(/left/)]).toEqual([1, null]);
});
