import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi, Refused } from '../../test/fake-api.ts';
import { DecideInPlace } from './decide-in-place.tsx';

const effect = {
  certainty: 'exact',
  summary: { verb: 'change', count: 1 },
  target: null,
  changes: [],
  dependents: [],
  referencedBy: [],
  problems: [],
  isPartial: false,
  isReversible: true,
};

async function drawRow(decision: object, decide: () => unknown = () => ({ ok: true, run: {} })) {
  const received = fakeApi({
    getRunDecision: () => ({
      ok: true,
      decision: { mayDecide: true, request: null, problems: [], effect, ...decision },
    }),
    decideRun: decide,
  } as never);
  const onDecided = vi.fn();
  const { queries } = await draw(<DecideInPlace run="r_1" title="Retire" onDecided={onDecided} />);
  await waitFor(() =>
    expect(queries.getQueryCache().find({ queryKey: ['getRunDecision'], exact: false })?.state.status).toBe('success'),
  );
  const decisions = () => received.filter(({ name }) => name === 'decideRun').map(({ sent }) => sent.body);
  return { onDecided, decisions };
}

test('what the sentence says completely is approved by one press, which says its deed', async () => {
  const { decisions, onDecided } = await drawRow({});
  fireEvent.click(await screen.findByRole('button', { name: 'Approve change: Retire' }));
  await screen.findByText('Approved');
  expect(decisions()).toEqual([{ status: 'APPROVE' }]);
  expect(onDecided).toHaveBeenCalledOnce();
});

test('and rejected', async () => {
  const { decisions } = await drawRow({});
  fireEvent.click(await screen.findByRole('button', { name: 'Reject: Retire' }));
  await screen.findByText('Rejected');
  expect(decisions()).toEqual([{ status: 'DECLINE' }]);
});

test.each([
  ['is not known', { effect: { ...effect, certainty: 'unknown' } }],
  ['is only declared', { effect: { ...effect, certainty: 'declared' } }],
  ['is hidden in part', { effect: { ...effect, isPartial: true } }],
  ['would fail', { effect: { ...effect, problems: ['The value is no number'] } }],
  ['breaks references', { effect: { ...effect, referencedBy: [{ blueprint: { identifier: 'a' }, count: 1 }] } }],
  ['is not told', { effect: undefined }],
  ['cannot be worked out', { problems: ['.x is no number'] }],
  ['cannot be approved any more', { obstacle: 'The action was changed' }],
  ['is for others to decide', { mayDecide: false }],
])('nothing is decided in a row where it %s', async (_why, decision) => {
  await drawRow(decision);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a decision that somebody else took first is said as such, and the row stays', async () => {
  const { onDecided } = await drawRow({}, () => {
    throw new Refused(409, 'run_ended', 'The run was decided on before.');
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Approve change: Retire' }));
  await screen.findByText('Somebody has decided already.');
  expect(onDecided).not.toHaveBeenCalled();
});
