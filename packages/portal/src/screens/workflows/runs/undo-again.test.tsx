import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import type { WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import { UndoAgain } from './undo-again.tsx';

const nodeRun = (name: string, more: object = {}) => ({
  identifier: `wfnr_${name}`,
  node: { identifier: name },
  nodeTitle: null,
  compensates: null,
  message: null,
  ...more,
});
const runWith = (failedCompensations: readonly string[]) =>
  ({
    identifier: 'wfr_1',
    failedCompensations,
    nodeRuns: [
      nodeRun('rent'),
      nodeRun('book', { nodeTitle: 'Book a room' }),
      nodeRun('unbook', { compensates: 'wfnr_book', message: 'It answered 503' }),
      nodeRun('unrent', { compensates: 'wfnr_rent', message: 'It answered 400' }),
    ],
  }) as unknown as WorkflowRun;

test('what a run failed to undo is named by its step, and is undone again one by one or as a whole', async () => {
  const sent = fakeApi({ repeatCompensations: () => ({ ok: true, run: {} }) } as never);
  await draw(<UndoAgain run={runWith(['wfnr_unbook', 'wfnr_unrent'])} />);
  await screen.findByText('It answered 503');
  fireEvent.click(screen.getByRole('button', { name: 'Undo Book a room again' }));
  const asked = () => sent.filter(({ name }) => name === 'repeatCompensations').map(({ sent: { body } }) => body);
  await waitFor(() => expect(asked()).toEqual([{ nodeRunIdentifiers: ['wfnr_unbook'] }]));
  const all = screen.getByRole('button', { name: 'Undo all again' });
  await waitFor(() => expect(all.hasAttribute('data-loading')).toBe(false));
  fireEvent.click(all);
  await waitFor(() => expect(asked()[1]).toEqual({ nodeRunIdentifiers: ['wfnr_unbook', 'wfnr_unrent'] }));
});

test('a run that failed to undo nothing shows nothing of it', async () => {
  await draw(<UndoAgain run={runWith([])} />);
  expect(screen.queryByText('Not everything was undone')).toBeNull();
});
