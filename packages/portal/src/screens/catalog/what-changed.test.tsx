import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import type { TimelineEvent } from './timeline-marks.ts';
import { WhatChanged } from './what-changed.tsx';

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const event = (hours: number, kind: TimelineEvent['kind'], title: string, more: Partial<TimelineEvent> = {}) => ({
  at: ago(hours),
  kind,
  title,
  ...more,
});
const answers = (events: readonly TimelineEvent[], truncated = false) =>
  fakeApi({ getEntityTimeline: () => ({ ok: true, events: [...events], truncated }) });
const strip = () => draw(<WhatChanged blueprint="service" identifier="quote" />);

// the choice of a second lane is remembered there
beforeEach(() => localStorage.clear());

test('the three newest are told with the way to each, and all of them as text', async () => {
  answers(
    [
      event(1, 'incident', 'Down', { outcome: 'failure', entity: { blueprint: 'incident', identifier: 'i-1' } }),
      event(2, 'run', 'Restart', { outcome: 'success', run: 'r_1' }),
      event(3, 'owner', 'Owner: A → B', { audit: 'event_1' }),
      event(4, 'changed', 'Tier: 2 → 1', { audit: 'event_2' }),
    ],
    true,
  );
  await strip();
  expect((await screen.findByRole('link', { name: 'Down' })).getAttribute('href')).toBe('/e/incident/i-1');
  expect(screen.getByRole('link', { name: 'Restart' }).getAttribute('href')).toBe('/runs/r_1');
  expect(screen.getByRole('link', { name: 'Owner: A → B' }).getAttribute('href')).toBe('/e/service/quote/audit');
  expect(screen.queryByRole('link', { name: 'Tier: 2 → 1' })).toBeNull();
  expect(screen.getByText('1 more on the line')).toBeTruthy();
  const twin = screen.getByRole('list', { name: 'All events, newest first' });
  expect(twin.textContent).toMatch(
    /Incident: Down, open.*Action: Restart, succeeded.*Tier: 2 → 1.*Older events are left out/,
  );
});

test('another span asks for its own beginning', async () => {
  const received = answers([]);
  await strip();
  await screen.findByText('Nothing changed in this time.');
  fireEvent.click(screen.getByRole('radio', { name: '30 d' }));
  await expect.poll(() => received.length).toBe(2);
  const [week, month] = received.map(({ sent }) => Date.parse(sent.query['from'] ?? ''));
  expect(((week ?? 0) - (month ?? 0)) / 86_400_000).toBe(23);
});

test('what could not be read says so, and is read again', async () => {
  let isRefused = true;
  fakeApi({
    getEntityTimeline: () => {
      if (isRefused) throw new Refused(404, 'not_found', 'gone');
      return { ok: true, events: [event(1, 'created', 'Created', { audit: 'event_1' })], truncated: false };
    },
  });
  await strip();
  const again = await screen.findByRole('button', { name: 'Try again' });
  isRefused = false;
  fireEvent.click(again);
  await screen.findByRole('link', { name: 'Created' });
});

test('changes of dependencies are asked for on demand, told with their entity, and remembered', async () => {
  const dependency = { blueprint: 'database', identifier: 'orders', title: 'Orders' };
  const received = fakeApi({
    getEntityTimeline: ({ query }) => ({
      ok: true,
      events: [event(2, 'run', 'Restart', { outcome: 'success', run: 'r_1' })],
      truncated: false,
      ...(query['include'] === 'dependencies'
        ? {
            dependencies: {
              events: [{ ...event(1, 'changed', 'Tier: 2 → 1', { audit: 'event_1' }), dependency }],
              truncated: true,
              entities: 2,
            },
          }
        : {}),
    }),
  });
  await strip();
  await screen.findByRole('link', { name: 'Restart' });
  expect(received.map(({ sent }) => sent.query['include'])).toEqual([undefined]);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Dependencies' }));
  expect((await screen.findByRole('link', { name: 'Tier: 2 → 1' })).getAttribute('href')).toBe(
    '/e/database/orders/audit',
  );
  expect(screen.getByText('2 dependencies')).toBeTruthy();
  const twin = screen.getByRole('list', { name: 'All events, newest first' });
  expect(twin.textContent).toMatch(/^Change of Orders: Tier: 2 → 1.*Action: Restart.*Older events are left out/);
  cleanup();
  await strip();
  await screen.findByRole('link', { name: 'Tier: 2 → 1' });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Dependencies' }));
  await expect.poll(() => screen.queryByRole('link', { name: 'Tier: 2 → 1' })).toBeNull();
  expect(localStorage.getItem('portolan-changes-of-dependencies')).toBe('false');
});
