import type { StandingApproval } from '@portolan/contract/standing-approvals';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { StandingApprovals } from './standing-approvals.tsx';

const page: StandingApproval = {
  id: 'standing_1',
  agent: 'triage',
  action: 'page_team',
  actionTitle: 'Page the team',
  entity: ['cart', 'billing'],
  inputs: { severity: { const: 'SEV1' }, note: 'question' },
  maxPerHour: 3,
  expiresAt: '2027-01-31T00:00:00.000Z',
  givenBy: 'ana@acme.dev',
  givenAt: '2026-11-27T00:00:00.000Z',
  revokedBy: null,
  revokedAt: null,
  usedInHour: 1,
  used: 12,
  lastUsedAt: null,
  state: 'active',
  mayRevoke: true,
};
const restart = {
  identifier: 'restart',
  title: 'Restart',
  blueprint: 'service',
  isDestructive: false,
  inputs: [{ key: 'reason', title: 'Reason' }],
};

async function show(approvals: StandingApproval[], givable = [restart], create?: () => never) {
  const sent = fakeApi({
    listStandingApprovals: () => ({ ok: true, approvals, givable }),
    createStandingApproval: create ?? (() => ({ ok: true, approval: page })),
    revokeStandingApproval: () => ({ ok: true }),
  });
  await draw(<StandingApprovals agent="triage" />);
  await screen.findByText(/standing approval lets it run one action/);
  return (name: string) =>
    sent.filter((each) => each.name === name).map(({ sent: { body, params } }) => body ?? params);
}

test('each says its shape, who gave it, until when, and how often it was used', async () => {
  await show([page]);
  const item = within(await screen.findByRole('listitem'));
  item.getByText('Page the team');
  item.getByText('holds');
  item.getByText('On cart, billing · severity: always SEV1 · note: words of the question');
  item.getByText(/given by ana@acme\.dev until .* · 1 of 3 in this hour · 12 runs in all/);
});

test('one that ended says why, and cannot be revoked by whoever may not', async () => {
  await show([{ ...page, state: 'changed', mayRevoke: false }], []);
  await screen.findByText('ended: the action or the agent was changed');
  expect(screen.queryByRole('button')).toBeNull();
  screen.getByText('People who may run and approve an action can give one for it.');
});

test('revoking asks first, and says what it leads to', async () => {
  const sent = await show([page]);
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the standing approval for Page the team' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/The next such call waits for a person/);
  fireEvent.click(dialog.getByRole('button', { name: /^Revoke/ }));
  await expect.poll(() => sent('revokeStandingApproval')).toEqual([{ approval_id: 'standing_1' }]);
});

async function fill() {
  fireEvent.click(await screen.findByRole('button', { name: 'Give a standing approval' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Identifiers' }), { target: { value: 'cart, billing' } });
  return dialog;
}

test('the shape is sent as it was chosen; inputs that were not chosen keep what the form fills in', async () => {
  const sent = await show([]);
  const dialog = await fill();
  fireEvent.click(dialog.getByRole('button', { name: 'Give' }));
  await expect
    .poll(() => sent('createStandingApproval'))
    .toMatchObject([{ agent: 'triage', action: 'restart', entity: ['cart', 'billing'], inputs: {}, maxPerHour: 5 }]);
});

test('without an entity it asks for one, and a refusal is said', async () => {
  const sent = await show([], [restart], () => {
    throw new Refused(403, 'missing_permissions', 'Only who may approve it');
  });
  const dialog = await fill();
  fireEvent.change(dialog.getByRole('textbox', { name: 'Identifiers' }), { target: { value: ' ' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give' }));
  await dialog.findByText('Name at least one entity.');
  expect(sent('createStandingApproval')).toEqual([]);
  fireEvent.change(dialog.getByRole('textbox', { name: 'Identifiers' }), { target: { value: 'cart' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give' }));
  await dialog.findByText(/Only who may approve it/);
});
