import type { Receipts } from '@portolan/contract/receipts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { Turn } from './turn.tsx';

// loading it is not what is tested
beforeAll(() => import('../../kit/markdown-rendered.tsx'));

const text = 'Let me see.\n\n**Map Tiles** is in Go. It runs 4 replicas.\n\n- ETA Forecast is gone\n- `vault` is old';
const said = '**Map Tiles** is in Go. It runs 4 replicas.\n\n- ETA Forecast is gone\n- `vault` is old';
const place = (sentence: string) => ({ start: said.indexOf(sentence), end: said.indexOf(sentence) + sentence.length });

const receipts: Receipts = {
  version: 1,
  length: said.length,
  coverage: 0.5,
  invented: 0,
  units: [
    { ...place('**Map Tiles** is in Go.'), status: 'supported', refs: ['r1'] },
    { ...place('It runs 4 replicas.'), status: 'partly', refs: ['r1', 'c1'], missing: ['4'] },
    { ...place('ETA Forecast is gone'), status: 'unsupported', missing: ['ETA Forecast'] },
    { ...place('`vault` is old'), status: 'hidden' },
  ],
  records: {
    r1: {
      kind: 'entity',
      blueprint: 'service',
      identifier: 'geo.tiles',
      title: 'Map Tiles',
      tool: 'get_entity',
      call: 'call_0',
      readAt: '2026-11-22T14:02:11.310Z',
      fields: ['language'],
      values: { language: 'Go' },
    },
    c1: { kind: 'figures', tool: 'count_entities', call: 'call_1', readAt: '2026-11-22T14:02:11.310Z' },
  },
};

/** The stream of an ended answer, as a server sends it to who asks for receipts. */
function stream(more: readonly [string, unknown][]): Response {
  const events = [
    ['id: i:1\nevent: execution', 'Let me see.\n\n'],
    ['id: i:2\nevent: execution', said],
    ...more,
    ['id: i:3\nevent: done', { status: 'Completed' }],
  ] as const;
  const lines = events.map(([head, data]) => {
    const payload = typeof data === 'string' ? data.replaceAll('\n', '\ndata: ') : JSON.stringify(data);
    return `${head}\ndata: ${payload}\n\n`;
  });
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

async function show(
  more: readonly [string, unknown][] = [['event: receipts', receipts]],
  question: { text: string } | undefined = { text: 'What of them?' },
) {
  const received = fakeApi({
    invokeAssistant: () => stream(more),
    streamInvocation: () => stream(more),
    getEntity: () => ({ ok: true, entity: { title: 'What of them?' } }),
    getAuditLog: () => ({
      ok: true,
      audits: [{ identifier: 'a1', diff: { before: { language: 'Go' }, after: { language: 'Zig' } } }],
    }),
  } as never);
  await draw(
    <Turn
      id="i"
      question={question}
      onChange={() => undefined}
      onStop={() => undefined}
      onAskAgain={() => undefined}
    />,
  );
  await screen.findByText('The answer is complete');
  return received;
}

test.each([
  ['as it comes', { text: 'What of them?' }],
  ['after a reload', undefined],
])('each sentence of an answer says what backs it, %s', async (_, question) => {
  const received = await show(undefined, question);
  expect(received.find(({ name }) => name !== 'getEntity')?.sent.query['receipts']).toBe('true');
  const chips = await screen.findAllByRole('button', { name: /^Source/ });
  expect(chips.map((chip) => chip.getAttribute('aria-label'))).toEqual([
    'Source 1: Map Tiles',
    'Source 1: Map Tiles',
    'Source 2: figures of count_entities',
  ]);
  const paragraph = chips[0]?.closest('p');
  expect(paragraph?.textContent).toBe('Map Tiles is in Go.1 It runs 4 replicas.12Not in these records: 4');
  expect(screen.getByText('not in what was read').closest('li')?.textContent).toContain('ETA Forecast is gone');
  expect(screen.getByText('based on a record you may not read').closest('li')?.textContent).toContain('vault');
  expect(screen.getByText('1 of 3 sentences backed by what was read')).toBeTruthy();
});

test('what is missing is underlined, and nothing else', async () => {
  await show();
  await screen.findAllByRole('button', { name: /^Source/ });
  const underlined = [...document.querySelectorAll('[class*="noteWord"]')].map(({ textContent }) => textContent);
  expect(underlined).toEqual(['4', 'ETA Forecast']);
});

test('a chip opens the record as it was read, with what changed since, by keyboard alone', async () => {
  const received = await show();
  const [chip] = await screen.findAllByRole('button', { name: 'Source 1: Map Tiles' });
  chip?.focus();
  expect(document.activeElement).toBe(chip);
  fireEvent.click(chip as HTMLElement);
  const card = await screen.findByRole('dialog');
  const leadsTo = (name: string) => within(card).getByRole('link', { name }).getAttribute('href');
  expect(decodeURIComponent(leadsTo('Map Tiles') ?? '')).toBe('/e/service/geo.tiles?as_of=2026-11-22T14:02:11.310Z');
  expect(leadsTo('As it is now')).toBe('/e/service/geo.tiles');
  expect(within(card).getByText('language')).toBeTruthy();
  await within(card).findByText('1 change since');
  expect(received.find(({ name }) => name === 'getAuditLog')?.sent.query).toMatchObject({
    entity: 'geo.tiles',
    blueprint: 'service',
    from: '2026-11-22T14:02:11.310Z',
  });
});

test('an answer without receipts is the answer alone, and no name in it becomes a source', async () => {
  await show([]);
  await waitFor(() => expect(document.body.textContent).toContain(text.slice(-6)));
  expect(screen.queryByRole('button', { name: /^Source/ })).toBeNull();
  expect(document.body.textContent).not.toContain('backed by what was read');
});

test('a record that the answer does not rest on is not offered, whatever a sentence names', async () => {
  const units = [{ ...place('It runs 4 replicas.'), status: 'supported' as const, refs: ['r9', '__proto__'] }];
  await show([['event: receipts', { ...receipts, units }]]);
  await screen.findByText('1 of 1 sentence backed by what was read');
  expect(screen.queryByRole('button', { name: /^Source/ })).toBeNull();
});
