import { expect, test } from 'vitest';
import { type Handler, json, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const geo = {
  scope: 'team',
  id: 'geo',
  title: 'Geo',
  period: 'month',
  requests: 10_000,
  tokens: null,
  usd: 20,
  action: 'warn',
  warnAt: 0.8,
  used: { requests: 6_000, tokens: 5, usd: 17.456 },
  uncosted: 0,
  state: 'near',
  resetDate: '2026-12-01T00:00:00.000Z',
  forecast: { requests: { expected: 8_200, low: 1, high: 9 }, tokens: null, usd: null, daysWithoutData: 3 },
};

async function budget(given: readonly string[], budgets: readonly object[] = [geo]) {
  const handler: Handler = () => json({ ok: true, budgets });
  const { fetch, seen } = scriptedFetch({ 'GET /v1/ai/budgets': handler });
  const { context, out, err } = createTestContext({ fetch });
  const code = await run(['budget', ...given], context);
  return { code, out: out(), err: err(), seen: seen.filter(({ call }) => !call.endsWith('/access_token')) };
}

test('list has a line for each limit, with what is used and what to expect', async () => {
  const { code, out } = await budget(['list']);
  expect(code).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(lines).toEqual([
    ['FOR', 'PERIOD', 'USED', 'AT THE END', 'STATE', 'STARTS AGAIN'],
    [
      'team geo',
      'month',
      '6,000 requests of 10,000 requests',
      'about 8,200 requests',
      'near, only warns',
      '2026-12-01',
    ],
    ['team geo', 'month', '$17.46 of $20', 'not known yet', 'near, only warns', '2026-12-01'],
  ]);
});

test('list says that there is none, and as JSON what the server says', async () => {
  expect((await budget(['list'], [])).out).toBe('There is no budget.\n');
  expect(JSON.parse((await budget(['list', '--json'])).out)).toEqual({ budgets: [geo] });
});

test.each([[[]], [['drop']], [['list', 'geo']]])('"budget %s" is a mistake and sends nothing', async (given) => {
  const { code, seen } = await budget(given);
  expect([code, seen]).toEqual([2, []]);
});
