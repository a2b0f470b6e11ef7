import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { sessionKey } from '../../api/session.ts';
import { OwnCampaigns } from './own-campaigns.tsx';

function SignedIn({ teams, children }: { teams: readonly object[]; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => queries.setQueryData(sessionKey, { ok: true, user: { email: 'me@x.example', teams }, roles: [] }));
  return children;
}

const drawn = (teams: readonly object[] = [{ identifier: 'core', name: 'Core' }]) =>
  draw(
    <SignedIn teams={teams}>
      <OwnCampaigns />
    </SignedIn>,
  );

const entities = [
  { identifier: 'rate-engine', title: 'Rate Engine' },
  { identifier: 'untitled', title: null },
];
const work = {
  campaign: { id: 'c1', title: 'Everything at Gold', blueprint: 'service', dueDate: '2020-01-31' },
  total: 12,
  open: 7,
  exempt: 2,
  remindedAt: '2020-01-24T08:00:00.000Z',
  entities,
};

test('each campaign says how much is left and for how long, and leads to the entities', async () => {
  fakeApi({ listOwnCampaigns: () => ({ ok: true, campaigns: [work] }) });
  await drawn();
  expect((await screen.findByRole('link', { name: 'Everything at Gold' })).getAttribute('href')).toBe(
    '/builder/campaigns/c1?mine=true',
  );
  expect(screen.getByText(/^7 of 12 open · [\d,.]+ days overdue · .*2 exempt$/)).toBeTruthy();
  expect(screen.getByText('Reminder of Jan 24, 2020')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Rate Engine' }).getAttribute('href')).toBe('/e/service/rate-engine');
  expect(screen.getByRole('link', { name: 'untitled' })).toBeTruthy();
  expect(screen.getByText('and 5 more')).toBeTruthy();
});

test('where nothing is asked there is nothing to see', async () => {
  const received = fakeApi({ listOwnCampaigns: () => ({ ok: true, campaigns: [] }) });
  await drawn();
  await waitFor(() => expect(received.map(({ name }) => name)).toContain('listOwnCampaigns'));
  expect(screen.queryByText('Campaigns')).toBeNull();
});

test('who is in no team is asked nothing', async () => {
  const received = fakeApi({});
  await drawn([]);
  expect(received).toEqual([]);
});

test('a failure is told, with a way to try again', async () => {
  fakeApi({
    listOwnCampaigns: () => {
      throw new Refused(422, 'invalid_request', 'No');
    },
  });
  await drawn();
  await screen.findByText('Your campaigns could not be read');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
