import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { NextTick, PauseButton, Pauses, type TriggerState } from './pausing.tsx';

const trigger = (nodeIdentifier: string, more: Partial<TriggerState> = {}): TriggerState => ({
  workflowIdentifier: 'deploy',
  nodeIdentifier,
  type: 'SCHEDULE_TRIGGER',
  published: true,
  paused: null,
  nextRunAt: null,
  ...more,
});
const pause = {
  scope: 'workflow',
  reason: 'The receiver moves',
  since: '2030-01-02T03:04:05.000Z',
  by: 'ada',
} as const;

test('one trigger is paused with a reason, and all of a workflow where none is chosen', async () => {
  const sent = fakeApi({ pauseWorkflow: () => ({ ok: true, triggers: [] }) } as never);
  const triggers = [trigger('tick'), trigger('event')];
  await draw(<PauseButton workflow={{ identifier: 'deploy', name: 'Deploy' }} triggers={triggers} paused={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Pause triggers' }));
  fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'moving' } });
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ name: 'pauseWorkflow', sent: { body: { reason: 'moving' } } });
  await screen.findByText('Nothing starts by these triggers now');
});

test('what is paused is resumed by one press', async () => {
  const sent = fakeApi({ resumeWorkflows: () => ({ ok: true, triggers: [], paused: null }) } as never);
  await draw(<PauseButton paused />);
  fireEvent.click(screen.getByRole('button', { name: 'Resume all triggers' }));
  await screen.findByText('The triggers are resumed');
  expect(sent.map(({ name }) => name)).toEqual(['resumeWorkflows']);
});

test('whoever may not pause is told what that needs', async () => {
  const sent = fakeApi({});
  await draw(<PauseButton paused={false} />, { access: ['token'] });
  const button = screen.getByRole('button', { name: /Pause all triggers/ });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(screen.queryByLabelText('Reason')).toBeNull();
  expect(sent).toEqual([]);
});

test('a pause of the workflow is told once, with its reason, and a schedule says when it runs next', async () => {
  fakeApi({});
  await draw(
    <>
      <Pauses triggers={[trigger('a', { paused: pause }), trigger('b', { paused: pause })]} />
      <NextTick triggers={[trigger('c', { nextRunAt: '2030-01-02T04:00:00.000Z' })]} />
    </>,
  );
  expect(screen.getAllByText(/The workflow is paused/)).toHaveLength(1);
  expect(screen.getByText(/The receiver moves/)).toBeDefined();
  expect(screen.getByText(/Next run/).querySelector('time')?.dateTime).toBe('2030-01-02T04:00:00.000Z');
});
