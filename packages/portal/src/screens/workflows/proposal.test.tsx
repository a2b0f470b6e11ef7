import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { ProposalCard } from '../../parts/workflows/proposal-card.tsx';
import { Shown } from './proposal.screen.tsx';
import { Proposals } from './proposals.tsx';
import { WhoMay } from './who-may.tsx';

const listed = {
  identifier: 'wfp_1',
  state: 'OPEN',
  goal: 'Expire what nobody uses',
  workflow: { identifier: 'expire', title: 'Expire a sandbox' },
  baseVersion: null,
  createdAt: '2026-11-01T10:00:00.000Z',
  createdBy: 'ada@example.com',
  agent: null,
  expiresAt: '2100-11-08T10:00:00.000Z',
};
const definition = {
  identifier: 'expire',
  title: 'Expire a sandbox',
  nodes: [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER', published: false } },
    { identifier: 'gone', title: 'Remove it', config: { type: 'TRANSFORM', expression: '1' } },
  ],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'gone' }],
};
const step = {
  node: 'gone',
  title: 'Remove it',
  type: 'TRANSFORM',
  status: 'WAITS',
  from: 'step',
  input: null,
  output: null,
  outlet: null,
  message: 'It waits for a person to press a button',
  waitingFor: 'response',
  changes: [],
};
const proposal = (more: object = {}) =>
  ({
    ...listed,
    definition,
    warnings: [{ path: '/nodes/1', code: 'x', message: 'names a secret that is not there' }],
    test: { trigger: 'form', inputs: {}, ended: 'WAITS', message: null, issues: [], steps: [step] },
    questions: ['Which secret?'],
    invocation: 'inv_1',
    textAuthors: ['outside'],
    decidedAt: null,
    decidedBy: null,
    comment: null,
    mayAccept: true,
    ...more,
  }) as never;

test('an answer and the list of workflows lead to what was proposed', async () => {
  fakeApi({
    getWorkflowProposal: () => ({ ok: true, proposal: proposal() }),
    listWorkflowProposals: () => ({ ok: true, proposals: [listed] }),
  } as never);
  await draw(
    <>
      <Proposals />
      <ProposalCard id="wfp_1" />
    </>,
  );
  const link = await screen.findByRole('link', { name: 'Look at it' }, { timeout: 15_000 });
  expect(link.getAttribute('href')).toBe('/workflows/proposals/wfp_1');
  const inList = await screen.findByRole('link', { name: 'Expire a sandbox' });
  expect(inList.getAttribute('href')).toBe('/workflows/proposals/wfp_1');
});

test('a proposal shows its test, what was noticed and what led to it, and saving it in the builder accepts it', async () => {
  const sent = fakeApi({
    acceptWorkflowProposal: () => ({ ok: true, proposal: proposal({ state: 'ACCEPTED' }), warnings: [] }),
    validateWorkflow: () => ({ ok: true, isValid: true, issues: [], warnings: [] }),
  } as never);
  await draw(<Shown proposal={proposal()} />);
  expect(screen.getByText('Texts from outside led to this')).toBeTruthy();
  expect(screen.getByText('Which secret?')).toBeTruthy();
  expect(screen.getByText(/names a secret that is not there/)).toBeTruthy();
  expect(screen.getByText(/The run would wait here/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }, { timeout: 15_000 }));
  await waitFor(() => expect(sent.some(({ name }) => name === 'acceptWorkflowProposal')).toBe(true));
  expect(sent.find(({ name }) => name === 'acceptWorkflowProposal')?.sent).toMatchObject({
    params: { proposal: 'wfp_1' },
    body: { definition },
  });
});

test('a proposal is dismissed with a reason, and whoever may not save workflows accepts none', async () => {
  const sent = fakeApi({
    dismissWorkflowProposal: () => ({ ok: true, proposal: proposal({ state: 'DISMISSED' }) }),
    validateWorkflow: () => ({ ok: true, isValid: true, issues: [], warnings: [] }),
  } as never);
  await draw(<Shown proposal={proposal({ mayAccept: false })} />, { access: ['token'] });
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  const reason = await screen.findByLabelText('Reason', {}, { timeout: 15_000 });
  fireEvent.change(reason, { target: { value: ' We have one. ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss the proposal' }));
  await waitFor(() => expect(sent.map(({ name }) => name)).toContain('dismissWorkflowProposal'));
  expect(sent.find(({ name }) => name === 'dismissWorkflowProposal')?.sent).toMatchObject({
    body: { comment: 'We have one.' },
  });
  expect(sent.map(({ name }) => name)).not.toContain('acceptWorkflowProposal');
});

test('who may do what is told with the rule that says so', async () => {
  const verdict = (allowed: string, why: string) => ({ allowed, rule: null, why });
  fakeApi({
    listUsers: () => ({ ok: true, users: [] }),
    explainWorkflow: () => ({
      ok: true,
      explanation: {
        workflow: { identifier: 'expire', version: 1 },
        user: { identifier: 'ada@example.com', roles: ['Member'] },
        see: verdict('yes', 'Whoever may start a workflow sees it'),
        change: verdict('no', 'Only administrators save workflows'),
        seeRuns: verdict('depends', 'They see runs that they started'),
        start: [{ nodeIdentifier: 'form', title: 'Ask', ...verdict('yes', 'The form names them') }],
        respond: [],
      },
    }),
  } as never);
  await draw(<WhoMay workflow="expire" />);
  const row = await screen.findByRole('row', { name: /Start it by Ask/ }, { timeout: 15_000 });
  expect(row.textContent).toBe('Start it by AskYesThe form names them');
  expect(screen.getByRole('row', { name: /Change it/ }).textContent).toContain('Only administrators save workflows');
});
