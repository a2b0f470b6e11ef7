import { expect, test } from 'vitest';
import { type Handler, json, type SeenRequest, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const root = '/v1/blueprints/system/users-and-teams-as-blueprints';
const item = (id: string, verdict: string, value?: unknown) => ({
  id,
  verdict,
  ...(value === undefined ? {} : { suggestion: { value, explanation: '', edits: [] } }),
});
const manual = [
  item('breaking', 'breaks', '.team | index("sre")'),
  item('removed', 'breaks', null),
  item('maybe', 'review', '.x'),
  item('by-hand', 'breaks'),
];
const mark = (itemId: string) => ({ itemId, at: '2026-01-01T00:00:00.000Z', by: 'ana', isCurrent: true });
const accept = `POST ${root}/acceptances`;
const taking: Handler = ({ body }) =>
  json({
    ok: true,
    accepted: ((body as { accept?: { itemId: string }[] }).accept ?? []).map(({ itemId }) => mark(itemId)),
  });

async function migrate(given: readonly string[], accepted: readonly string[] = []) {
  const plan = { ok: true, plan: { manual, accepted: accepted.map(mark) } };
  const { fetch, seen } = scriptedFetch({ [`GET ${root}/plan`]: () => json(plan), [accept]: taking });
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['migrate', ...given], context);
  const bodies = seen.filter(({ call }: SeenRequest) => call === accept).map(({ body }) => body);
  return { code, out: out(), err: err(), bodies };
}

test('accept --all takes what would break and is written anew, as it was read', async () => {
  const { code, out, bodies } = await migrate(['accept', '--all']);
  expect([code, bodies]).toEqual([0, [{ accept: [{ itemId: 'breaking', value: '.team | index("sre")' }] }]]);
  expect(out).toBe('1 suggestion accepted, to be written right after the flip.\n');
});

test('a removal is accepted by its name, and what has no suggestion is not', async () => {
  expect((await migrate(['accept', 'removed'])).bodies).toEqual([{ accept: [{ itemId: 'removed', value: null }] }]);
  const { code, err, bodies } = await migrate(['accept', 'by-hand']);
  expect([code, bodies]).toEqual([1, []]);
  expect(err).toContain('Nothing is suggested for "by-hand".');
});

test('withdraw --all takes every mark back, and --json prints what is left', async () => {
  const { out, bodies } = await migrate(['withdraw', '--all', '--json'], ['breaking', 'maybe']);
  expect(bodies).toEqual([{ withdraw: ['breaking', 'maybe'] }]);
  expect(JSON.parse(out)).toEqual({ accepted: [] });
});

test('either items or --all are named', async () => {
  expect((await migrate(['accept'])).code).toBe(2);
  expect((await migrate(['withdraw', 'a', '--all'])).code).toBe(2);
});
