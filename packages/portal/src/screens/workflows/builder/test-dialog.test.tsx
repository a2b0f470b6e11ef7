import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import type { Definition } from '../document/definition.ts';
import { TestDialog } from './test-dialog.tsx';
import { startSample, toEvent } from './test-sample.ts';

const draft: Definition = {
  identifier: 'deploy',
  nodes: [
    {
      identifier: 'form',
      config: {
        type: 'SELF_SERVE_TRIGGER',
        userInputs: { properties: { name: { type: 'string', default: 'cart' }, size: { enum: ['s', 'm'] } } },
      },
    },
    {
      identifier: 'ask',
      title: 'May it?',
      config: { type: 'INPUT', outlets: [{ identifier: 'yes', title: 'Yes' }] },
    },
  ],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'ask' }],
};
const step = (more: object) => ({
  node: 'ask',
  title: 'May it?',
  type: 'INPUT',
  status: 'WAITS',
  from: 'step',
  input: null,
  output: null,
  outlet: null,
  message: 'It waits for a person to press a button',
  waitingFor: 'response',
  changes: [],
  ...more,
});

test('a test sends the definition as it stands with the sample, and goes on with a button where it waits', async () => {
  let isFirst = true;
  const received = fakeApi({
    listWorkflowRuns: () => ({ ok: true, runs: [] }),
    testWorkflow: () => {
      const steps = isFirst ? [step({})] : [step({ status: 'SUCCESS', from: 'pinned', outlet: 'yes', message: null })];
      const ended = isFirst ? 'WAITS' : 'SUCCESS';
      isFirst = false;
      return { ok: true, test: { trigger: 'form', inputs: {}, ended, message: null, issues: [], steps } };
    },
  } as never);
  await draw(<TestDialog draft={draft} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }, { timeout: 15_000 }));
  fireEvent.click(await screen.findByRole('button', { name: 'Go on with Yes' }));
  await screen.findByText(/The run would succeed/);
  const tests = received.filter(({ name }) => name === 'testWorkflow').map(({ sent }) => sent.body);
  await waitFor(() => expect(tests).toHaveLength(2));
  const sample = { name: 'cart', size: 's' };
  expect(tests).toEqual([
    { definition: draft, trigger: 'form', sample, pinned: {} },
    { definition: draft, trigger: 'form', sample, pinned: { ask: { outlet: 'yes' } } },
  ]);
});

test('a step can be let fail, and what would be undone is shown in its order', async () => {
  const undoing: Definition = {
    ...draft,
    nodes: [
      ...draft.nodes,
      { identifier: 'rent', compensatedBy: 'unrent', config: { type: 'WEBHOOK' } },
      { identifier: 'unrent', config: { type: 'WEBHOOK' } },
    ],
  };
  const received = fakeApi({
    listWorkflowRuns: () => ({ ok: true, runs: [] }),
    testWorkflow: () => {
      const compensations = [
        step({ node: 'unrent', title: null, type: 'WEBHOOK', status: 'SUCCESS', from: 'nothing', compensates: 'rent' }),
      ];
      const test = {
        trigger: 'form',
        inputs: {},
        ended: 'FAILED',
        message: null,
        issues: [],
        steps: [],
        compensations,
      };
      return { ok: true, test };
    },
  } as never);
  await draw(<TestDialog draft={undoing} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole('combobox', { name: 'Let a step fail' }, { timeout: 15_000 }));
  expect(screen.queryByRole('option', { name: 'unrent' })).toBeNull();
  fireEvent.click(await screen.findByRole('option', { name: 'May it?' }));
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  const list = await screen.findByRole('list', { name: 'What would be undone' });
  expect(list.textContent).toContain('undoes rent');
  expect(received.find(({ name }) => name === 'testWorkflow')?.sent.body).toMatchObject({ failAt: 'ask' });
});

test('a sample begins with the shape that the trigger gives', () => {
  const event = { type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } };
  expect(JSON.parse(startSample({ identifier: 'e', config: event }))).toMatchObject({
    context: { blueprintIdentifier: 'service' },
    diff: { after: { blueprint: 'service' } },
  });
});

test('what triggers listen to gives samples of its shape, and what happened is one', () => {
  const sample = (config: object) => JSON.parse(startSample({ identifier: 't', config } as never));
  expect(sample({ type: 'WEBHOOK_TRIGGER' })).toEqual({ body: {}, headers: {}, queryParams: {} });
  const ended = { type: 'RUN_TRIGGER', event: { type: 'WORKFLOW_RUN_ENDED', workflowIdentifier: 'deploy' } };
  expect(sample(ended)).toMatchObject({ type: 'WORKFLOW_RUN_ENDED', run: { workflow: 'deploy', result: 'SUCCESS' } });
  const happened = { action: 'UPDATE', resourceType: 'entity', context: { blueprint: 'service', entity: 'cart' } };
  expect(toEvent({ ...happened, diff: { before: null, after: { identifier: 'cart' } } } as never)).toMatchObject({
    action: 'UPDATE',
    context: { blueprintIdentifier: 'service', entityIdentifier: 'cart', propertyIdentifier: null },
    diff: { after: { identifier: 'cart' } },
  });
});
