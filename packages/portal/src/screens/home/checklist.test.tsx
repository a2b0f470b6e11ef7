import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { Checklist } from './checklist.tsx';

const item = (id: 'model' | 'owners' | 'answer', title: string, more: object = {}) => ({
  id,
  title,
  done: false,
  isDismissed: false,
  next: { text: `Do ${id}`, href: '/catalog' },
  ...more,
});

test('each step says whether it is done, how far it is, and what comes next', async () => {
  fakeApi({});
  const items = [
    item('model', 'A model', { done: true }),
    item('owners', 'Owners', { progress: { is: 3, of: 4 } }),
    item('answer', 'An answer', { isDismissed: true }),
  ];
  await draw(<Checklist items={items} canDismiss={false} />);
  expect(screen.getByText('1 of 2 done')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: '1 of 2 steps are done' })).toBeTruthy();
  expect(screen.getByText('3 of 4')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Do owners' }).getAttribute('href')).toBe('/catalog');
  expect(screen.queryByRole('link', { name: 'Do model' })).toBeNull();
  expect(screen.queryByText('An answer')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('an administrator hides a step for the organization', async () => {
  const received = fakeApi({ patchChecklist: () => ({ ok: true }) } as never);
  await draw(<Checklist items={[item('answer', 'An answer')]} canDismiss />);
  fireEvent.click(screen.getByRole('button', { name: 'Hide “An answer”' }));
  await waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]?.sent.body).toEqual({ items: { answer: { isDismissed: true } } });
});
