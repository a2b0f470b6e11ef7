import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { WorkflowDraftCard } from './workflow-draft.tsx';

const draft = (more: object = {}) => ({
  identifier: 'wfr_1',
  state: 'DRAFT',
  workflow: { identifier: 'take_note', title: 'Take a note', version: 3 },
  nodeIdentifier: 'form',
  userInputs: { properties: { n: { type: 'string', title: 'Name' } } },
  inputs: { n: 'one' },
  inputsHash: 'sha256:1',
  reason: 'Runs are approved by a person here. Asked for: What is new?',
  agent: null,
  invocation: 'inv_1',
  createdAt: '2026-11-01T10:00:00.000Z',
  createdBy: 'ada@example.com',
  expiresAt: '2100-11-08T10:00:00.000Z',
  decidedAt: null,
  decidedBy: null,
  comment: null,
  mayDecide: true,
  ...more,
});

test('a decision names exactly what is shown, and a refusal is told', async () => {
  let isFirst = true;
  const received = fakeApi({
    getWorkflowDraft: () => ({ ok: true, draft: draft() }),
    decideWorkflowDraft: () => {
      if (!isFirst) return { ok: true, draft: draft({ state: 'STARTED' }) };
      isFirst = false;
      throw new Refused(409, 'draft_changed', 'Its workflow was changed');
    },
  } as never);
  await draw(<WorkflowDraftCard id="wfr_1" />);
  await screen.findByText('one', {}, { timeout: 15_000 });
  expect(screen.getByText(/Asked for: What is new/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Comment'), { target: { value: 'fine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Approve and run' }));
  await screen.findByText('Its workflow was changed');
  fireEvent.click(screen.getByRole('button', { name: 'Approve and run' }));
  const decisions = () => received.filter(({ name }) => name === 'decideWorkflowDraft');
  await waitFor(() => expect(decisions()).toHaveLength(2));
  expect(decisions()[1]?.sent).toMatchObject({
    params: { run_id: 'wfr_1' },
    body: { status: 'APPROVE', inputsHash: 'sha256:1', description: 'fine' },
  });
});

test('whoever may not decide sees no buttons, and what cannot be approved says why', async () => {
  fakeApi({
    getWorkflowDraft: () => ({ ok: true, draft: draft({ mayDecide: false, obstacle: 'It changed' }) }),
  } as never);
  await draw(<WorkflowDraftCard id="wfr_1" />);
  await screen.findByText('It changed', {}, { timeout: 15_000 });
  expect(screen.queryByRole('button', { name: 'Approve and run' })).toBeNull();
});
