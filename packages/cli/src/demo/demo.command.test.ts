import { expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const there = { id: 'org_demo', name: 'Halyard Freight', createdAt: '2026-11-23T00:00:00.000Z', isBeingRemoved: false };

async function demo(given: readonly string[], script: Record<string, Handler> = {}) {
  const { fetch, seen } = scriptedFetch(script);
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['demo', ...given], context);
  return { code, out: out(), err: err(), seen: seen.filter(({ call }) => !call.endsWith('/access_token')) };
}

test('add makes the demo and says where to enter it', async () => {
  const done = await demo(['add'], { 'POST /v1/organization/demo': () => json({ ok: true, demo: there }, 201) });
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toBe('Halyard Freight is there (org_demo). Enter it in the user menu of the portal.\n');
});

test('show says whether there is one, and how to make one', async () => {
  const answer = (body: object) => ({ 'GET /v1/organization/demo': () => json({ ok: true, ...body }) });
  expect((await demo(['show'], answer({ demo: there, isOffered: true }))).out).toBe('Halyard Freight (org_demo)\n');
  expect((await demo(['show'], answer({ demo: null, isOffered: true }))).out).toContain(
    '"portolan demo add" makes one',
  );
  const printed = await demo(['show', '--json'], answer({ demo: there, isOffered: true }));
  expect(JSON.parse(printed.out)).toEqual({ demo: there });
});

test('remove sends nothing without the name, and shows what the server refuses', async () => {
  const unnamed = await demo(['remove']);
  expect([unnamed.code, unnamed.seen]).toEqual([2, []]);
  expect(unnamed.err).toContain('--confirm');
  const asked = 'DELETE /v1/organization/demo';
  const gone = await demo(['remove', '--confirm', 'Halyard Freight'], {
    [asked]: () => json({ ok: true, demo: { ...there, isBeingRemoved: true } }, 202),
  });
  expect(gone.out).toBe('Halyard Freight is removed. Its data is being deleted.\n');
  expect(gone.seen[0]?.query).toEqual({ confirm: 'Halyard Freight' });
  const refused = await demo(['remove', '--confirm', 'Halyard Freight'], {
    [asked]: () => refusal(404, 'not_found', 'There is no demo beside this organization'),
  });
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('There is no demo beside this organization'),
  ]);
});
