import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import type { WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import { RerunDialog } from './rerun-dialog.tsx';
import { followRun } from './use-run-stream.ts';

const nodeRun = (identifier: string, result: string) => ({
  identifier: `wfnr_${identifier}`,
  node: { identifier },
  nodeTitle: null,
  result,
});
const run = {
  identifier: 'wfr_1',
  workflow: { identifier: 'deploy', title: 'Deploy', version: 3 },
  status: 'COMPLETED',
  nodeRuns: [nodeRun('ask', 'SUCCESS'), nodeRun('call', 'FAILED')],
} as unknown as WorkflowRun;

const step = (nodeIdentifier: string, becomes: string, more: object = {}) => ({
  nodeIdentifier,
  title: null,
  type: 'WEBHOOK',
  becomes,
  reason: null,
  nodeRunIdentifier: null,
  result: null,
  effect: 'outside',
  needsAcknowledgement: false,
  ...more,
});

function server(more: object = {}) {
  return fakeApi({
    getRerunPlan: ({ query }: { query: Record<string, string> }) => ({
      ok: true,
      plan: {
        runIdentifier: 'wfr_1',
        version: query['version'] === 'current' ? 4 : 3,
        currentVersion: 4,
        fromNodeIdentifier: query['from'] ?? null,
        startsAt: query['version'] === 'current' ? 'ask' : (query['from'] ?? 'ask'),
        problem: null,
        mayRerun: true,
        acknowledge: ['call'],
        choices: ['ask', 'call'],
        steps:
          query['version'] === 'current'
            ? [step('ask', 'again', { reason: 'version-changed', effect: 'none' }), step('call', 'again')]
            : [step('ask', 'reused'), step('call', 'again'), step('end', 'ahead')],
        ...more,
      },
    }),
    rerunWorkflowRun: () => ({ ok: true, run: { identifier: 'wfr_2' } }),
  } as never);
}

async function lines() {
  const plan = await screen.findByRole('list', { name: 'What the run would do' });
  return within(plan)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
}

test('the plan is told in words, and starts only once what may count twice is acknowledged', async () => {
  const sent = server();
  const { path } = await draw(<RerunDialog run={run} onClose={() => undefined} />);
  expect(await lines()).toEqual([
    'ask is taken over',
    'call is carried out again · calls others',
    'end may follow · calls others',
  ]);
  // it proposes the step that failed
  expect(sent[0]?.sent.query).toEqual({ version: 'same', from: 'call' });
  const go = screen.getByRole('button', { name: 'Run again' });
  expect(go.hasAttribute('disabled')).toBe(true);
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(go);
  await waitFor(() => expect(path()).toBe('/workflow-runs/wfr_2'));
  const asked = sent.find(({ name }) => name === 'rerunWorkflowRun');
  expect(asked?.sent).toMatchObject({
    params: { run_id: 'wfr_1' },
    body: { version: 'same', fromNodeIdentifier: 'call', acknowledge: ['call'] },
  });
});

test('another version says why it begins earlier', async () => {
  server();
  await draw(<RerunDialog run={run} onClose={() => undefined} />);
  fireEvent.click(await screen.findByText('Version 4, current'));
  expect(await screen.findByText('The run begins earlier, with ask.')).toBeDefined();
  const [first] = await lines();
  expect(first).toBe('ask is carried out again: the decision was made for another version');
});

test.each([
  [{ mayRerun: false }, 'Anyone who may start the workflow may run it again.'],
  [{ currentVersion: null }, 'The workflow is deleted, so that its runs are not run again.'],
  [{ problem: 'The run did not reach the step "x"', startsAt: null, steps: [] }, 'The run did not reach the step "x".'],
])('what cannot be run again says so, and offers no button: %j', async (more, sentence) => {
  server(more);
  await draw(<RerunDialog run={run} onClose={() => undefined} />);
  expect(await screen.findByText(sentence)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
});

test('a stream that breaks off goes on after its last event, and ends with the run', async () => {
  const parts = [
    'id: wfr_1:0\nevent: transition\ndata: {}\n\nid: wfr_1:1\nevent: transition\ndata: {}\n\n',
    'id: wfr_1:2\nevent: transition\ndata: {}\n\nid: wfr_1:2\nevent: end\ndata: {"reason":"run-ended"}\n\n',
  ];
  const sent = fakeApi({
    streamWorkflowRunEvents: () => new Response(parts.shift(), { headers: { 'content-type': 'text/event-stream' } }),
  } as never);
  let events = 0;
  await followRun(
    'wfr_1',
    () => {
      events += 1;
    },
    new AbortController().signal,
  );
  expect(events).toBe(3);
  expect(sent.map(({ sent: { headers } }) => headers['last-event-id'])).toEqual([undefined, 'wfr_1:1']);
});
