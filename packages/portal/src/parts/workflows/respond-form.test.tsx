import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { type NodeRun, RespondForm } from './respond-form.tsx';

const nodeRun = (mayRespond: boolean): NodeRun =>
  ({
    identifier: 'wfnr_1',
    node: { identifier: 'approval' },
    nodeTitle: 'Approval',
    status: 'IN_PROGRESS',
    waitingFor: 'response',
    input: {
      description: 'May it go to production?',
      userInputs: {
        properties: {
          reason: { type: 'string', title: 'Reason' },
          ticket: { type: 'string', title: 'Ticket', visible: { jqQuery: '.form.reason == "urgent"' } },
        },
        required: ['reason'],
        buttons: [
          { identifier: 'approve', label: 'Approve it' },
          { identifier: 'decline', label: 'Decline it', variant: 'DANGER' },
        ],
      },
    },
    responders: {
      users: [],
      roles: ['Admin'],
      teams: ['payments'],
      mayRespond,
      buttons: [{ identifier: 'approve', needed: 2, given: 1 }],
    },
  }) as unknown as NodeRun;

/** Refuses the first response at one of its inputs. */
function server() {
  const state = { isFirst: true };
  return fakeApi({
    respondToNodeRun: () => {
      if (state.isFirst) {
        state.isFirst = false;
        throw new Refused(422, 'invalid_request', 'Not so', [{ path: '/inputs/reason', message: 'is too short' }]);
      }
      return { ok: true, run: { identifier: 'wfr_1', nodeRuns: [] } };
    },
  } as never);
}

test('a response names the button that was pressed, and a refusal stands at its input', async () => {
  const received = server();
  await draw(<RespondForm nodeRun={nodeRun(true)} />);
  await screen.findByText('Approve it', {}, { timeout: 15_000 });
  expect(screen.getByText('Approve it: 1 of 2 presses')).toBeTruthy();

  // what is required is asked for before anything is sent
  fireEvent.click(screen.getByRole('button', { name: 'Decline it' }));
  await screen.findByText('is required');
  expect(received).toEqual([]);

  fireEvent.change(screen.getByLabelText(/Reason/), { target: { value: 'urgent' } });
  await screen.findByLabelText('Ticket');
  fireEvent.click(screen.getByRole('button', { name: 'Decline it' }));
  await screen.findByText('is too short');
  fireEvent.click(screen.getByRole('button', { name: 'Decline it' }));
  await waitFor(() => expect(received).toHaveLength(2));
  expect(received[1]?.sent.body).toEqual({ buttonIdentifier: 'decline', inputs: { reason: 'urgent' } });
  expect(received[1]?.sent.params).toEqual({ node_run_id: 'wfnr_1' });
});

test('whoever is not asked is told who is, and has no button', async () => {
  server();
  await draw(<RespondForm nodeRun={nodeRun(false)} />);
  await screen.findByText('role Admin · team payments');
  expect(screen.queryByRole('button', { name: 'Approve it' })).toBeNull();
});
