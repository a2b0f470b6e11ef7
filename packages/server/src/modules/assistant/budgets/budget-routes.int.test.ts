import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AssistantHarness, startAssistantHarness } from '../../../../test/assistant-harness.ts';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createEntity, issuePaths } from '../../../../test/catalog-fixtures.ts';
import { systemClock } from '../../../platform/clock.ts';
import { warnOfBudgets } from './warn-budgets.ts';

let app: TestApp;
let own: TestOrganization;
let ada: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  own = await app.createOrganization();
  await createEntity(own.request, '_team', { identifier: 'geo', title: 'Geo' });
  await createEntity(own.request, '_team', { identifier: 'maps', title: 'Maps' });
  for (const name of ['ada', 'bo']) {
    await createEntity(own.request, '_user', {
      identifier: `${name}@example.com`,
      properties: { status: 'Active', port_role: 'Member' },
      ...(name === 'ada' ? { relations: {}, team: ['geo'] } : {}),
    });
  }
  ada = await own.personToken('ada@example.com');
});

const path = (scope: string, id: string, period = 'month') => `/v1/ai/budgets/${scope}/${id}/${period}`;
const put = (scope: string, id: string, body: unknown, period?: string) =>
  own.request('PUT', path(scope, id, period), { body });
// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
const list = async (token?: string): Promise<any[]> =>
  (await own.request('GET', '/v1/ai/budgets', token ? { token } : {})).body.budgets;
const names = async (token?: string) => (await list(token)).map(({ scope, id, period }) => `${scope} ${id} ${period}`);

test('a budget is set, changed, listed with what is used, and removed', async () => {
  const made = await put('team', 'geo', { requests: 500, usd: 20 });
  expect([made.status, made.body]).toEqual([
    200,
    {
      ok: true,
      budget: {
        scope: 'team',
        id: 'geo',
        title: 'Geo',
        period: 'month',
        requests: 500,
        tokens: null,
        usd: 20,
        action: 'stop',
        warnAt: 0.8,
        used: { requests: 0, tokens: 0, usd: 0 },
        uncosted: 0,
        state: 'within',
        resetDate: expect.stringMatching(/-01T00:00:00\.000Z$/),
        forecast: { requests: null, tokens: null, usd: null, daysWithoutData: 28 },
      },
    },
  ]);
  const changed = await put('team', 'geo', { tokens: 9, action: 'warn', warnAt: 0.5 });
  expect(changed.body.budget).toMatchObject({ requests: null, tokens: 9, usd: null, action: 'warn', warnAt: 0.5 });
  expect(await names()).toEqual(['team geo month']);
  expect((await own.journal()).filter((entry) => entry.includes('ai-budget'))).toHaveLength(2);
  const removed = await own.request('DELETE', path('team', 'geo'));
  expect([removed.status, removed.body]).toEqual([200, { ok: true }]);
  expect([await names(), (await own.request('DELETE', path('team', 'geo'))).status]).toEqual([[], 404]);
  expect(await app.count('ai_budget_days', own.id)).toBe(0);
});

test.each([
  ['a body without a limit', {}, ['']],
  ['limits below nothing, shares beyond all', { requests: -1, warnAt: 2 }, ['/requests', '/warnAt']],
  ['an action and a field that are not known', { requests: 1, action: 'beg', more: 1 }, ['/action', '/more']],
  ['parts of requests', { requests: 1.5, tokens: 'many' }, ['/requests', '/tokens']],
])('%s is refused with every place, and nothing is written', async (_name, body, at) => {
  const answer = await put('organization', 'all', body);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect(issuePaths(answer.body).sort()).toEqual(at);
  expect(await app.count('ai_budgets', own.id)).toBe(0);
});

test('a scope and a period that are not known are refused', async () => {
  const answer = await put('planet', 'earth', { requests: 1 }, 'decade');
  expect([answer.status, issuePaths(answer.body).length]).toEqual([400, 2]);
});

test('who is not there has no budget, and whoever is in another organization is not there', async () => {
  const other = await app.createOrganization();
  await createEntity(other.request, '_team', { identifier: 'theirs', title: 'Theirs' });
  await createEntity(other.request, '_user', { identifier: 'eve@example.com' });
  await other.request('PUT', path('team', 'theirs'), { body: { requests: 1 } });
  const pairs = [
    ['team', 'theirs', 'nobody'],
    ['user', 'eve@example.com', 'nobody@example.com'],
    ['agent', 'theirs', 'nobody'],
    ['organization', other.id, 'nobody'],
  ] as const;
  for (const [scope, theirs, missing] of pairs) {
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { requests: 1 } } : {};
      const [one, two] = [
        await own.request(method, path(scope, theirs), body),
        await own.request(method, path(scope, missing), body),
      ];
      expect([one.status, two.status], `${method} ${scope}`).toEqual([404, 404]);
      expect(JSON.stringify(one.body).replaceAll(theirs, '*')).toBe(JSON.stringify(two.body).replaceAll(missing, '*'));
    }
  }
  expect([await app.count('ai_budgets', own.id), await names()]).toEqual([0, []]);
  expect(await app.count('ai_budgets', other.id)).toBe(1);
});

test('administrators alone change budgets, and others read those that concern them', async () => {
  for (const [scope, id] of [
    ['organization', 'all'],
    ['team', 'geo'],
    ['team', 'maps'],
    ['user', 'ada@example.com'],
    ['user', 'bo@example.com'],
  ] as const) {
    expect((await put(scope, id, { requests: 5 })).status).toBe(200);
  }
  expect(await names()).toHaveLength(5);
  expect(await names(await own.memberToken())).toEqual(['organization all month']);
  expect(await names(ada)).toEqual(['organization all month', 'team geo month', 'user ada@example.com month']);
  for (const [method, body] of [
    ['PUT', { body: { requests: 9 } }],
    ['DELETE', {}],
  ] as const) {
    const answer = await own.request(method, path('team', 'geo'), { ...body, token: ada });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
  }
  expect((await list()).every(({ requests }) => requests === 5)).toBe(true);
});

describe('through the assistant', () => {
  let harness: AssistantHarness;
  beforeAll(async () => {
    harness = await startAssistantHarness();
  });
  afterAll(() => harness.close());

  const question = { userPrompt: 'How are you?' };

  test('questions beyond a budget are refused with who, how much and until when, and make no invocation', async () => {
    const organization = await harness.organization();
    harness.model.respondWith(() => ({ text: 'Fine.', usage: { input: 100, output: 20 } }));
    await organization.call('PUT', path('organization', 'all'), { requests: 2, tokens: 100_000, usd: 5 });
    for (let index = 0; index < 2; index += 1) {
      await (await organization.call('POST', '/v1/ai/invoke', question)).text();
    }
    const refused = await organization.call('POST', '/v1/ai/invoke', question);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({
      error: 'ai_budget_exceeded',
      message: expect.stringMatching(
        /^The organization has used its 2 requests of \w+ \d{4}\. The budget starts again on 1 \w+;/,
      ),
      scope: 'organization',
      id: 'all',
      limit: 2,
      used: 2,
      resetDate: expect.stringMatching(/-01T00:00:00\.000Z$/),
    });
    await harness.app.sweep();
    const { budgets } = (await (await organization.call('GET', '/v1/ai/budgets')).json()) as {
      budgets: { used: object; state: string }[];
    };
    expect(budgets[0]).toMatchObject({
      used: { requests: 2, tokens: 240, usd: expect.closeTo((2 * (100 * 2 + 20 * 10)) / 1e6, 9) },
      state: 'spent',
    });
    const row = await harness.database.first<{ runs: number; open: number }>(sql`
      select (select count(*)::int from invocations where org_id = ${organization.id}) as runs,
        (select count(*)::int from ai_charges where org_id = ${organization.id}) as open`);
    expect(row).toEqual({ runs: 2, open: 0 });
  });

  test('what was asked before the budget was set counts against it', async () => {
    const organization = await harness.organization();
    await (await organization.call('POST', '/v1/ai/invoke', question)).text();
    await organization.call('PUT', path('organization', 'all'), { requests: 1 });
    expect((await organization.call('POST', '/v1/ai/invoke', question)).status).toBe(429);
    await organization.call('PUT', path('organization', 'all'), { requests: 2 });
    expect((await organization.call('POST', '/v1/ai/invoke', question)).status).toBe(200);
  });

  test('the team that owns the agent pays for it, and a member is refused with the name of the budget', async () => {
    const organization = await harness.organization({ cutover: { stage: 'cutover' } });
    await organization.call('POST', '/v1/blueprints/_team/entities', { identifier: 'geo', title: 'Geo' });
    const properties = { prompt: 'Help.', status: 'active' };
    const made = await organization.call('POST', '/v1/blueprints/_ai_agent/entities', {
      identifier: 'guide',
      title: 'Guide',
      team: ['geo'],
      properties,
    });
    expect(made.status).toBe(201);
    await organization.call('PUT', path('team', 'geo'), { requests: 1 });
    const ask = () => organization.call('POST', '/v1/agent/guide/invoke', { query: 'Hi' });
    await (await ask()).text();
    const refused = await ask();
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ error: 'ai_budget_exceeded', scope: 'team', id: 'geo', title: 'Geo' }),
    ]);
    expect((await organization.call('POST', '/v1/ai/invoke', question)).status).toBe(200);
  });

  test('each crossing is recorded once, by whichever process sees it first', async () => {
    const organization = await harness.organization();
    await organization.call('PUT', path('organization', 'all'), { requests: 5, warnAt: 0.4 });
    const { unitOfWork } = harness.app;
    const warn = () => warnOfBudgets({ database: harness.database, unitOfWork, clock: systemClock }, organization.id);
    const crossings = async () =>
      (
        await harness.database.rows<{ message: string }>(sql`
          select entry ->> 'message' as message from (
            select to_jsonb(j) as entry from journal j where j.org_id = ${organization.id}) entries
          where entry::text like '%comes near its limit%' or entry::text like '%is used up%'`)
      ).length;
    expect(await crossings()).toBe(0);
    for (let index = 0; index < 2; index += 1) {
      await (await organization.call('POST', '/v1/ai/invoke', question)).text();
    }
    await Promise.all([warn(), warn()]);
    await warn();
    expect(await crossings()).toBe(1);
    for (let index = 0; index < 3; index += 1) {
      await (await organization.call('POST', '/v1/ai/invoke', question)).text();
    }
    await warn();
    await warn();
    expect(await crossings()).toBe(2);
  });
});
