import type { AiBudget } from '@portolan/contract/ai-budgets';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { BudgetsBlock } from './budgets-block.tsx';

const geo: AiBudget = {
  scope: 'team',
  id: 'geo',
  title: 'Geo',
  period: 'month',
  requests: 10_000,
  tokens: null,
  usd: null,
  action: 'stop',
  warnAt: 0.8,
  used: { requests: 6_000, tokens: 0, usd: 0 },
  uncosted: 0,
  state: 'within',
  resetDate: '2026-12-01T00:00:00.000Z',
  forecast: {
    requests: { expected: 8_200, low: 7_500, high: 9_400 },
    tokens: null,
    usd: null,
    daysWithoutData: 0,
  },
};

const listed = (...budgets: readonly AiBudget[]) => ({
  listAiBudgets: () => ({ ok: true as const, budgets: [...budgets] }),
});

test('a budget shows what is used, what to expect by when, and when it begins anew', async () => {
  fakeApi(listed(geo));
  await draw(<BudgetsBlock />);
  const row = within(await screen.findByRole('row', { name: /Team Geo/ }));
  row.getByText('6,000 questions of 10,000 questions');
  row.getByText(
    /^About 8,200 questions of 10,000 questions by (30 November|November 30), between 7,500 questions and 9,400 questions$/,
  );
  expect(row.getByRole('progressbar', { name: 'Team Geo: 60 % used' }).getAttribute('aria-valuenow')).toBe('60');
  expect(screen.queryByText(/used up/i)).toBeNull();
});

test('without a forecast it says why, and names days and costs that are not known', async () => {
  const forecast = { ...geo.forecast, requests: null, daysWithoutData: 5 };
  fakeApi(listed({ ...geo, usd: 5, uncosted: 2, forecast }));
  await draw(<BudgetsBlock />);
  expect(await screen.findAllByText('No day was counted yet, so there is no forecast.')).toHaveLength(2);
  await screen.findByText('5 of the last 28 days were not counted yet.');
  await screen.findByText('The cost of 2 answers is not known and not counted.');
});

test('administrators are told which budgets are used up, and which nearly', async () => {
  fakeApi(listed({ ...geo, state: 'spent' }, { ...geo, scope: 'organization', id: 'all', state: 'near' }));
  await draw(<BudgetsBlock />);
  await screen.findByText('Used up: Team Geo');
  await screen.findByText('Nearly used up: The organization');
});

test('a budget is added with its limits, and shown', async () => {
  const stored: AiBudget[] = [];
  const received = fakeApi({
    listAiBudgets: () => ({ ok: true, budgets: [...stored] }),
    putAiBudget: ({ body }) => {
      const budget = { ...geo, scope: 'organization' as const, id: 'all', requests: body.requests ?? null };
      stored.push(budget);
      return { ok: true, budget };
    },
  });
  await draw(<BudgetsBlock />);
  await screen.findByText('There is no budget.');
  fireEvent.click(screen.getByRole('button', { name: 'Add a budget' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText('Enter at least one limit.');
  expect(received.map(({ name }) => name)).not.toContain('putAiBudget');
  fireEvent.change(dialog.getByLabelText('Questions'), { target: { value: '500' } });
  fireEvent.click(dialog.getByLabelText('Daily'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByRole('row', { name: /The organization/ });
  const sent = received.find(({ name }) => name === 'putAiBudget')?.sent;
  expect(sent).toMatchObject({
    params: { scope: 'organization', budget_identifier: 'all', period: 'day' },
    body: { requests: 500, action: 'stop', warnAt: 0.8 },
  });
});

test('a refusal stands in the form, and keeps what was entered', async () => {
  fakeApi({
    ...listed(geo),
    putAiBudget: () => {
      throw new Refused(404, 'not_found', 'There is no team "geo"');
    },
  });
  await draw(<BudgetsBlock />);
  fireEvent.click(await screen.findByRole('button', { name: 'Change the budget of Team Geo' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect((dialog.getByLabelText('Questions') as HTMLInputElement).value).toBe('10,000');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/There is no team "geo"/);
  expect((dialog.getByLabelText('Questions') as HTMLInputElement).value).toBe('10,000');
});

test('a budget is removed once the person is sure', async () => {
  const stored = [geo];
  const received = fakeApi({
    listAiBudgets: () => ({ ok: true, budgets: [...stored] }),
    deleteAiBudget: () => {
      stored.pop();
      return { ok: true };
    },
  });
  await draw(<BudgetsBlock />);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the budget of Team Geo' }));
  await screen.findByText('From now on, nothing is limited by it. What was used is no longer counted for it.');
  expect(received.map(({ name }) => name)).not.toContain('deleteAiBudget');
  fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  await screen.findByText('There is no budget.');
  await waitFor(() =>
    expect(received.find(({ name }) => name === 'deleteAiBudget')?.sent.params).toEqual({
      scope: 'team',
      budget_identifier: 'geo',
      period: 'month',
    }),
  );
});
