import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { findCovering } from './exempt-mark.tsx';
import { ExemptionList } from './exemption-list.tsx';

const scorecard = { identifier: 'ready', rules: [{ identifier: 'booked', title: 'Has a runbook' }] } as Parameters<
  typeof ExemptionList
>[0]['scorecard'];
const exemption = (id: string, rule: string | null) => ({
  id,
  entity: { identifier: id, title: `Entity ${id}` },
  rule,
  reason: 'Replaced in spring',
  until: '2027-03-31',
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: 'ada@example.com',
});
const rights = (may: boolean) => {
  const right = {
    allowed: may ? 'always' : 'never',
    needs: { roles: [], users: [], teams: [], ownedByTeam: false, policy: false },
  };
  return {
    ok: true,
    rights: {
      register: right,
      edit: right,
      unregister: right,
      update: right,
      updateProperties: {},
      updateRelations: {},
    },
  } as never;
};
const list = (...exemptions: ReturnType<typeof exemption>[]) => ({
  listExemptions: () => ({ ok: true as const, exemptions }),
});
const drawn = (rules?: string[]) =>
  draw(<ExemptionList blueprint="service" scorecard={scorecard} rules={rules} rule="booked" />);

test('each says in words until when, from what, why and by whom', async () => {
  fakeApi({ ...list(exemption('a', 'booked'), exemption('b', null)), getOwnRights: () => rights(false) });
  await drawn();
  expect(await screen.findByRole('link', { name: 'Entity a' })).toBeTruthy();
  expect(screen.getAllByText('Exempt until Mar 31, 2027')).toHaveLength(2);
  expect(screen.getByText('Has a runbook')).toBeTruthy();
  expect(screen.getByText('All rules')).toBeTruthy();
  expect(screen.getAllByText(/Replaced in spring/)).toHaveLength(2);
  expect(screen.getAllByText(/by ada@example\.com/)).toHaveLength(2);
});

test('of some rules are those of the rules and of all', async () => {
  fakeApi({
    ...list(exemption('a', 'booked'), exemption('b', null), exemption('c', 'other')),
    getOwnRights: () => rights(false),
  });
  await drawn(['booked']);
  await screen.findByRole('link', { name: 'Entity a' });
  expect(screen.getByRole('link', { name: 'Entity b' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Entity c' })).toBeNull();
});

test('who may not change them is offered nothing', async () => {
  const received = fakeApi({ ...list(), getOwnRights: () => rights(false) });
  await drawn();
  await waitFor(() => expect(received.map(({ name }) => name)).toContain('listExemptions'));
  expect(screen.queryByRole('button', { name: 'Exempt until…' })).toBeNull();
});

test('one is ended after a question', async () => {
  const received = fakeApi({
    ...list(exemption('a', 'booked')),
    getOwnRights: () => rights(true),
    deleteExemption: () => ({ ok: true }),
  });
  await drawn();
  fireEvent.click(await screen.findByRole('button', { name: 'End the exemption of Entity a' }));
  expect(received.map(({ name }) => name)).not.toContain('deleteExemption');
  fireEvent.click(await screen.findByRole('button', { name: 'End' }));
  await waitFor(() =>
    expect(received.find(({ name }) => name === 'deleteExemption')?.sent.params).toMatchObject({ exemption_id: 'a' }),
  );
});

test('one of the rule itself is shown before one of all', () => {
  const [own, all] = [exemption('own', 'booked'), exemption('all', null)];
  expect(findCovering([all, own], 'booked')).toBe(own);
  expect(findCovering([all], 'booked')).toBe(all);
  expect(findCovering([own], 'other')).toBeUndefined();
  expect(findCovering(undefined, 'booked')).toBeUndefined();
});
