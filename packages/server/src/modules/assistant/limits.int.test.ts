import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';
import { testEngine } from '../../../test/database.ts';

let harness: AssistantHarness;
let organization: TestOrganization;
beforeAll(async () => {
  harness = await startAssistantHarness({}, { replicas: testEngine === 'postgres' ? 2 : 1 });
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.model.respondWith(() => ({ text: 'Fine.', usage: { input: 100, output: 20 } }));
});

const question = { userPrompt: 'How are you?' };
const callsAtOnce = 200;

async function count(state = 'completed'): Promise<number> {
  const row = await harness.database.first<{ count: number }>(sql`
    select count(*)::int as count from invocations where org_id = ${organization.id} and state = ${state}`);
  return row?.count ?? 0;
}

async function askOn(url: string, path = '/v1/ai/invoke', body: unknown = question) {
  const answer = await send(url, organization.token, 'POST', path, body);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function limits() {
  const answer = await organization.call('GET', '/v1/ai/limits');
  return (await answer.json()) as {
    monthlyQuotaUsage: { monthlyLimit: number; remainingQuota: number };
    rateLimitUsage: { maxRequests: number; remainingRequests: number; maxTokens: number; remainingTokens: number };
  };
}

const taken = ({ maxRequests, remainingRequests }: { maxRequests: number; remainingRequests: number }): number =>
  maxRequests - remainingRequests;

/** Requests that are counted and neither accepted nor given back. */
async function reservations(): Promise<number | undefined> {
  const row = await harness.database.first<{ count: number }>(sql`
    select count(*)::int as count from ai_reservations where org_id = ${organization.id}`);
  return row?.count;
}

/** The final answer of every caller: refused ones retry as the server tells them to. */
async function askAtOnce(callers: number) {
  const answers: Awaited<ReturnType<typeof askOn>>[] = [];
  while (answers.length < callers) {
    const all = Array.from({ length: callers - answers.length }, (_, index) =>
      askOn(harness.urls[index % harness.urls.length] as string),
    );
    const round = await Promise.all(all);
    answers.push(...round.filter(({ status, text }) => status !== 429 || !text.includes('"too_many_requests"')));
  }
  return answers;
}

test.each([
  ['month', { monthlyInvocations: 57 }, 'ai_quota_exceeded'],
  ['hour', { hourlyRequests: 57 }, 'ai_rate_limited'],
])(
  '200 at once over every replica never take one too many of the %s',
  async (_name, quotas, code) => {
    organization = await harness.organization({ quotas });
    const answers = await askAtOnce(callsAtOnce);
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).toEqual([57, callsAtOnce - 57]);
    expect(await count()).toBe(57);
    for (const { text, headers } of refused) {
      const { error, message } = JSON.parse(text);
      expect(error).toBe(code);
      expect(message).toMatch(/57.*operator/s);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const { monthlyQuotaUsage, rateLimitUsage } = await limits();
    expect([monthlyQuotaUsage.monthlyLimit - monthlyQuotaUsage.remainingQuota, taken(rateLimitUsage)]).toEqual([
      57, 57,
    ]);
    expect(rateLimitUsage.maxTokens - rateLimitUsage.remainingTokens).toBe(57 * 120);
    await harness.app.sweep();
    const ledger = await harness.database.first<{ requests: number; tokens: number }>(sql`
    select requests, tokens from ai_usage where org_id = ${organization.id} and period = 'month'`);
    expect(ledger).toMatchObject({ requests: 57, tokens: 57 * 120 });
  },
  120_000,
);

describe('of 50 at once against 5', () => {
  beforeEach(async () => {
    organization = await harness.organization({ quotas: { monthlyInvocations: 5 } });
  });

  test('exactly 5 are accepted, and every place says so', async () => {
    const answers = await askAtOnce(50);
    const accepted = answers.filter(({ status }) => status === 200);
    expect([accepted.length, await count()]).toEqual([5, 5]);
    const left = accepted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a);
    expect(left).toEqual([4, 3, 2, 1, 0].map((each) => 12_000 - 5 + each));
    const { monthlyQuotaUsage } = await limits();
    expect(monthlyQuotaUsage.remainingQuota).toBe(0);
    expect(await reservations()).toBe(0);
  });

  test('the same question 50 times takes one request', async () => {
    const headers = { 'idempotency-key': 'the-same' };
    const ask = (index: number) =>
      send(harness.urls[index % harness.urls.length]!, organization.token, 'POST', '/v1/ai/invoke', question, headers);
    const answers: Response[] = [];
    // a key that is in use is answered, though nothing is left of the month for the moment
    while (answers.length < 50) {
      const round = await Promise.all(Array.from({ length: 50 - answers.length }, (_, index) => ask(index)));
      for (const answer of round) {
        const text = await answer.text();
        if (answer.status !== 429 || !text.includes('"too_many_requests"')) answers.push(answer);
      }
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.headers.get('x-invocation-id'))).size).toBe(1);
    expect((await limits()).monthlyQuotaUsage.remainingQuota).toBe(4);
    expect(await reservations()).toBe(0);
  });

  test('those that are refused for another reason take none, and are told that reason', async () => {
    const member = await organization.member();
    const refused = await Promise.all(
      Array.from({ length: 10 }, () => send(harness.url, member, 'POST', '/v1/ai/invoke', question)),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await limits()).monthlyQuotaUsage.remainingQuota).toBe(5);
    expect(taken((await limits()).rateLimitUsage)).toBe(0);
    for (let index = 0; index < 5; index += 1) expect((await askOn(harness.url)).status).toBe(200);
    expect((await send(harness.url, member, 'POST', '/v1/ai/invoke', question)).status).toBe(403);
    expect(await reservations()).toBe(0);
  });
});

test('the same numbers stand in `done`, on the entity, in the headers and at the quota', async () => {
  organization = await harness.organization({ quotas: { monthlyInvocations: 10, hourlyRequests: 20 } });
  const answer = await organization.call('POST', '/v1/ai/invoke', question);
  expect([answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]).toEqual(['20', '19']);
  const events = await readEvents(answer);
  const done = JSON.parse(events.at(-1)?.data as string);
  expect(done.rateLimitUsage).toMatchObject({ maxRequests: 20, remainingRequests: 19 });
  const id = events[0]?.data as string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  const read = async (path: string): Promise<any> => (await organization.call('GET', path)).json();
  const { entity } = await read(`/v1/blueprints/_ai_invocations/entities/${id}`);
  expect(entity.properties.quota).toEqual(done.monthlyQuotaUsage);
  const { monthlyQuotaUsage } = await read('/v1/quota/ai-invocations');
  const { remainingTimeMs, ...stable } = done.monthlyQuotaUsage;
  expect(monthlyQuotaUsage).toMatchObject(stable);
  expect(remainingTimeMs).toBeGreaterThan(0);
  expect(stable).toMatchObject({ monthlyLimit: 10, remainingQuota: 9 });
  const limits = await read('/v1/ai/limits');
  expect(limits).toMatchObject({ ok: true, plan: 'enterprise', monthlyQuotaUsage: stable, contentDays: 90 });
  expect(limits.rateLimitUsage).toMatchObject({ maxRequests: 20, remainingRequests: 19 });
});

test('tokens of the hour stop the next request, not the one that runs', async () => {
  organization = await harness.organization({ quotas: { hourlyTokens: 100 } });
  expect((await askOn(harness.url)).text).toContain('"status":"Completed"');
  const refused = await askOn(harness.url);
  expect([refused.status, JSON.parse(refused.text).message]).toEqual([429, expect.stringContaining('100 tokens')]);
});

describe('outside the legacy stage, every path counts', () => {
  const agent = { identifier: 'guide', title: 'Guide', properties: { prompt: 'Help.', status: 'active' } };

  test.each([
    ['transition', 2],
    ['schema_testing', 2],
    ['cutover', 1],
  ])('at %s', async (stage, agentPaths) => {
    organization = await harness.organization({
      cutover: { stage: 'cutover' },
      quotas: { monthlyInvocations: 10 },
    });
    await organization.call('POST', '/v1/blueprints/_ai_agent/entities', agent);
    const path = `/v1/operator/organizations/${organization.id}`;
    await send(harness.url, harness.operatorToken, 'PATCH', path, { cutover: { stage }, force: true });
    const used = async () => {
      const answer = (await (await organization.call('GET', '/v1/quota/ai-invocations')).json()) as {
        monthlyQuotaUsage: { remainingQuota: number };
      };
      return 10 - answer.monthlyQuotaUsage.remainingQuota;
    };
    expect((await askOn(harness.url)).status).toBe(200);
    expect(await used()).toBe(1);
    const agentPath = '/v1/agent/guide/invoke?stream=true&use_mcp=true';
    expect((await askOn(harness.url, agentPath, { query: 'Hi' })).status).toBe(200);
    expect(await used()).toBe(2);
    const router = await askOn(harness.url, '/v1/agent/invoke?stream=true', { query: 'Hi', agent_id: 'guide' });
    expect(router.status).toBe(stage === 'cutover' ? 410 : 200);
    expect(await used()).toBe(1 + agentPaths);
  });
});

test('what a run cost is told where the price is known, and is null elsewhere', async () => {
  organization = await harness.organization();
  const resultOf = async (body: object) => {
    const { text } = await askOn(harness.url, '/v1/ai/invoke', { ...question, ...body });
    const id = /data: (\S+)/.exec(text)?.[1];
    const answer = (await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json()) as {
      result: { usage: { costUsd: number | null; unreportedSteps: number; inputTokens: number } };
    };
    return answer.result.usage;
  };
  expect(await resultOf({ model: 'mock' })).toMatchObject({ costUsd: (100 * 2 + 20 * 10) / 1e6, unreportedSteps: 0 });
  expect((await resultOf({ model: 'mock-large' })).costUsd).toBeNull();
  harness.model.respondWith(() => ({ text: 'Half', truncated: true }));
  expect(await resultOf({ model: 'mock' })).toMatchObject({ costUsd: null, unreportedSteps: 1, inputTokens: 0 });
  harness.model.respondWith(() => ({ status: 401 }));
  expect(await resultOf({ model: 'mock' })).toMatchObject({ costUsd: 0, unreportedSteps: 0 });

  const usage = await (await organization.call('GET', '/v1/ai/usage')).json();
  expect(usage).toMatchObject({
    interval: 'day',
    totals: { invocations: 4, completed: 2, failed: 2, inputTokens: 200, outputTokens: 40, uncosted: 2 },
    agents: [{ agent: null, invocations: 4 }],
    people: [{ invocations: 4 }],
  });
  const { totals, series } = usage as { totals: { costUsd: number }; series: { invocations: number }[] };
  expect(totals.costUsd).toBeCloseTo(0.0004, 9);
  expect(series.reduce((sum, { invocations }) => sum + invocations, 0)).toBe(4);
  expect(series).toHaveLength(31);
});

describe('figures of usage', () => {
  const read = async (query: string, who = organization) => {
    const answer = await who.call('GET', `/v1/ai/usage${query}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
    return { status: answer.status, body: (await answer.json()) as any };
  };
  beforeEach(async () => {
    organization = await harness.organization();
  });

  test('are put into intervals of UTC, weeks from Monday, empty ones too', async () => {
    const at = ['2026-02-27T23:59:59Z', '2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z', '2026-03-31T12:00:00Z'];
    await harness.database.transaction((tx) =>
      tx.execute(sql`
        insert into invocations (org_id, id, state, asked_by, request_hash, prompt, provider, model, prompt_version,
          runner, heartbeat_at, asked_at, agent)
        select ${organization.id}, 'x' || n, 'completed', 'someone' || (n % 2), '', '', '', '', '', '', now(), t::timestamptz,
          case when n = 1 then 'guide' end
        from unnest(${at}::text[]) with ordinality as a(t, n)`),
    );
    const counts = async (interval: string) => {
      const { body } = await read(`?from=2026-02-27T12:00:00%2B02:00&to=2026-04-01T00:00:00Z&interval=${interval}`);
      return Object.fromEntries(
        body.series
          .filter(({ invocations }: { invocations: number }) => invocations > 0)
          .map(({ startsAt, invocations }: { startsAt: string; invocations: number }) => [
            startsAt.slice(0, 13),
            invocations,
          ]),
      );
    };
    expect(await counts('month')).toEqual({ '2026-02-01T00': 1, '2026-03-01T00': 3 });
    expect(await counts('week')).toEqual({ '2026-02-23T00': 2, '2026-03-02T00': 1, '2026-03-30T00': 1 });
    expect(await counts('day')).toEqual({
      '2026-02-27T00': 1,
      '2026-03-01T00': 1,
      '2026-03-02T00': 1,
      '2026-03-31T00': 1,
    });
    expect(await counts('hour')).toEqual({
      '2026-02-27T23': 1,
      '2026-03-01T23': 1,
      '2026-03-02T00': 1,
      '2026-03-31T12': 1,
    });
    const { body } = await read('?from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z');
    expect(
      body.people.map(({ askedBy, invocations }: { askedBy: string; invocations: number }) => [askedBy, invocations]),
    ).toEqual([
      ['someone0', 2],
      ['someone1', 2],
    ]);
    expect(body.agents.map(({ agent }: { agent: string | null }) => agent)).toEqual([null, 'guide']);
    const other = await harness.organization();
    expect((await read('?from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z', other)).body.totals.invocations).toBe(0);
  });

  test.each([
    '?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    '?from=2024-02-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    '?from=2026-02-01T00:00:00Z&to=2026-12-01T00:00:00Z&interval=hour',
    '?interval=decade',
    '?from=yesterday',
  ])('refuse %s with its path', async (query) => {
    const { status, body } = await read(query);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details[0].path).toMatch(/^\{query\}\/(from|interval)$/);
  });

  test('are for administrators', async () => {
    const refused = await send(harness.url, await organization.member(), 'GET', '/v1/ai/usage');
    expect(refused.status).toBe(403);
  });
});
