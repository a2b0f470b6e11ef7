import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { NoticeItem } from './notice-item.tsx';
import { noticeLink } from './notice-link.ts';

const notice = {
  identifier: 'ntc_1',
  subject: 'It is deployed',
  body: 'All of it.',
  link: null,
  workflow: { identifier: 'deploy', title: null },
  workflowRun: { identifier: 'wfr_1', createdBy: 'ada@example.com' },
  createdAt: '2026-11-01T10:00:00.000Z',
  readAt: null,
} as const;
const nothing = () => undefined;

test('a notice leads to its run and is read by that; without a run that may be seen it leads nowhere', async () => {
  const received = fakeApi({ readNotice: () => ({ ok: true, unread: 0 }) });
  const { path } = await draw(<NoticeItem notice={notice} onGone={nothing} />);
  fireEvent.click(screen.getByRole('link', { name: 'It is deployed' }));
  await waitFor(() =>
    expect(received.map(({ name, sent }) => [name, sent.params])).toEqual([['readNotice', { notice: 'ntc_1' }]]),
  );
  expect(path()).toBe('/workflow-runs/wfr_1');
  await draw(<NoticeItem notice={{ ...notice, subject: 'Hidden', workflowRun: null }} onGone={nothing} />);
  expect(screen.queryByRole('link', { name: 'Hidden' })).toBeNull();
});

test('links lead to https or into the portal, and to nothing else', () => {
  const links = [
    'https://ci.example/1',
    '/e/service/one',
    'http://a.example',
    '//a.example',
    'javascript:alert(1)',
    '#x',
    null,
  ];
  expect(links.map(noticeLink)).toEqual(['https://ci.example/1', '/e/service/one', ...Array(5).fill(undefined)]);
});
