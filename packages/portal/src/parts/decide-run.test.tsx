import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi, Refused } from '../../test/fake-api.ts';
import { useRead } from '../api/query.ts';
import { DecideRun } from './decide-run.tsx';

const params = { run_id: 'r_1' };

function Shown() {
  const { data } = useRead('getRun', { params });
  return data ? <DecideRun run={data.run} /> : null;
}

/** A pending draft run; like the server, it refuses a decision on outdated inputs. */
function server() {
  const stored = { size: 1, status: 'DRAFT' };
  const hash = () => `sha256:${stored.size}`;
  const run = () => ({
    id: 'r_1',
    status: stored.status,
    action: 'scale',
    properties: { size: stored.size },
    draft: { inputsHash: hash() },
  });
  const received = fakeApi({
    getRun: () => ({ ok: true, run: run() }),
    getRunDecision: () => ({ ok: true, decision: { mayDecide: true, problems: [] } }),
    decideRun: ({ body }: { body: { inputsHash?: string; status: string } }) => {
      if (stored.status !== 'DRAFT') throw new Refused(409, 'run_ended', 'The run was decided on before.');
      if (body.inputsHash !== hash()) throw new Refused(409, 'draft_changed', 'The draft was changed meanwhile.');
      stored.status = 'IN_PROGRESS';
      return { ok: true, run: run() };
    },
  } as never);
  const decisions = () => received.filter(({ name }) => name === 'decideRun').map(({ sent }) => sent.body);
  return { stored, decisions };
}

const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => fireEvent.click(await button(name));

test('a draft is approved by the hash of the inputs that were on the screen', async () => {
  const { decisions } = server();
  await draw(<Shown />);
  fireEvent.change(await screen.findByLabelText(/Comment/), { target: { value: ' it is needed ' } });
  await press('Approve and run');
  await screen.findByText('Approved');
  expect(decisions()).toEqual([{ status: 'APPROVE', description: 'it is needed', inputsHash: 'sha256:1' }]);
});

test('a draft that was changed meanwhile is refused, shows the change, and waits until it was read', async () => {
  const { stored, decisions } = server();
  await draw(<Shown />);
  await button('Approve and run');
  stored.size = 5;
  await press('Approve and run');

  const alert = (await screen.findByText('The request changed since you read it')).closest<HTMLElement>(
    '[role="alert"]',
  );
  expect(alert && within(alert).getByText('5')).toBeTruthy();
  expect(await screen.findByText('Nothing was decided')).toBeTruthy();
  expect((await button('Approve and run')).disabled).toBe(true);
  expect((await button('Reject')).disabled).toBe(true);
  expect(stored.status).toBe('DRAFT');

  await press('Review the new version');
  expect(screen.queryByText('Nothing was decided')).toBeNull();
  await press('Approve and run');
  await screen.findByText('Approved');
  expect(decisions().at(-1)).toEqual({ status: 'APPROVE', inputsHash: 'sha256:5' });
});

test('a decision that somebody else took first is said as such', async () => {
  const { stored } = server();
  await draw(<Shown />);
  await button('Reject');
  stored.status = 'DECLINED';
  await press('Reject');
  await waitFor(() => expect(screen.getByText('Somebody has decided already; nothing was changed')).toBeTruthy());
});

test('a deletion is told in a sentence, and the button names it without having the focus', async () => {
  fakeApi({
    getRun: () => ({ ok: true, run: { id: 'r_1', status: 'WAITING_FOR_APPROVAL', action: 'retire', properties: {} } }),
    getRunDecision: () => ({
      ok: true,
      decision: {
        mayDecide: true,
        problems: [],
        request: { method: 'DELETE', url: 'https://portal.example/v1/x' },
        effect: {
          certainty: 'exact',
          summary: { verb: 'delete', count: 3 },
          changes: [
            {
              blueprint: { identifier: 'service', title: 'Service' },
              identifier: 'edi',
              title: 'EDI Bridge',
              fields: [],
            },
          ],
          dependents: [
            {
              blueprint: { identifier: 'part', title: 'Part' },
              count: 2,
              sample: [{ identifier: 'p1', title: 'First part' }],
            },
          ],
          referencedBy: [],
          isPartial: false,
          isReversible: false,
          problems: [],
        },
      },
    }),
  } as never);
  await draw(<Shown />);
  await screen.findByText('This will delete the service EDI Bridge and 2 of type Part. This cannot be undone.');
  expect(screen.getByText('First part')).toBeTruthy();
  const approve = await button('Approve deletion');
  expect(document.activeElement).not.toBe(approve);
  expect(screen.getByText('Request details').closest('details')?.open).toBe(false);
});
