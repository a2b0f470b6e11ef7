import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, createLedgerWorld, type LedgerWorld, noon, plenty } from '../../../test/ledger-world.ts';
import { type InvocationUsage, settlement } from './settlement.store.ts';
import { deleteOldMinutes } from './usage.store.ts';
import { afterInvocation } from './usage-now.ts';

let world: LedgerWorld;
let orgId = '';
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  orgId = world.begin();
});

const accept: LedgerWorld['accept'] = (...given) => world.accept(...given);
const usage: LedgerWorld['usage'] = (...given) => world.usage(...given);
const settle = async (use: Partial<InvocationUsage>, who = orgId): Promise<void> => {
  await world.end(use, who);
  await world.book(who);
};

describe('a request', () => {
  test('is taken from the month and from the hour, and what is left is told', async () => {
    await accept();
    expect(await accept()).toEqual({
      rateLimitUsage: {
        maxRequests: 100,
        remainingRequests: 98,
        maxTokens: 10_000,
        remainingTokens: 10_000,
        remainingTimeMs: 3_600_000 - 30_500,
      },
      monthlyQuotaUsage: {
        monthlyLimit: 1_000,
        remainingQuota: 998,
        month: '2026-03',
        remainingTimeMs: Date.UTC(2026, 3, 1) - noon.getTime(),
      },
    });
    expect(await usage()).toEqual(await usage());
    expect((await usage()).monthlyQuotaUsage.remainingQuota).toBe(998);
  });

  test('beyond the month is refused until the next month begins, and takes nothing', async () => {
    const quotas = { ...plenty, monthlyInvocations: 2 };
    await accept(noon, quotas);
    await accept(noon, quotas);
    const resetDate = '2026-04-01T00:00:00.000Z';
    await expect(accept(noon, quotas)).rejects.toMatchObject({
      code: 'ai_quota_exceeded',
      message: expect.stringContaining(`The monthly quota of 2 invocations is used up until ${resetDate}`),
      extra: { type: 'QUOTA_ERROR', resetDate },
      retryAfterSeconds: Math.ceil((Date.UTC(2026, 3, 1) - noon.getTime()) / 1000),
    });
    expect((await usage(noon, quotas)).rateLimitUsage.remainingRequests).toBe(98);
    expect((await accept(new Date(resetDate), quotas)).monthlyQuotaUsage.remainingQuota).toBe(1);
  });

  test('is refused where the month has no invocations at all', async () => {
    await expect(accept(noon, { ...plenty, monthlyInvocations: 0 })).rejects.toMatchObject({
      code: 'ai_quota_exceeded',
    });
  });

  test('beyond the hour is refused until the oldest leaves it, and takes nothing', async () => {
    const quotas = { ...plenty, hourlyRequests: 1 };
    await accept(at('10T11:00:59'), quotas);
    await expect(accept(at('10T11:59:59'), quotas)).rejects.toMatchObject({
      code: 'ai_rate_limited',
      message: expect.stringContaining('The hourly limit of 1 requests is reached; it frees up in 1 s'),
      extra: { type: 'RATE_LIMIT_ERROR', retryAfter: 1 },
      retryAfterSeconds: 1,
    });
    await expect(accept(at('10T11:30:00'), quotas)).rejects.toMatchObject({ retryAfterSeconds: 1_800 });
    expect((await usage()).monthlyQuotaUsage.remainingQuota).toBe(999);
    // the minute at eleven o'clock has left the window of one hour
    expect((await accept(at('10T12:00:00'), quotas)).rateLimitUsage.remainingRequests).toBe(0);
  });

  test('is refused once the tokens of the hour are used, to the last', async () => {
    const quotas = { ...plenty, hourlyTokens: 50 };
    await settle({ tokens: 49 });
    expect((await accept(noon, quotas)).rateLimitUsage.remainingTokens).toBe(1);
    await settle({ tokens: 1 });
    await expect(accept(noon, quotas)).rejects.toMatchObject({
      code: 'ai_rate_limited',
      message: expect.stringContaining('The hourly limit of 50 tokens is reached'),
    });
  });

  test('of another organization is no matter', async () => {
    await accept(noon, plenty, `${orgId}-other`);
    await settle({ tokens: 10 }, `${orgId}-other`);
    expect((await usage()).rateLimitUsage).toMatchObject({ remainingRequests: 100, remainingTokens: 10_000 });
    expect((await usage()).monthlyQuotaUsage.remainingQuota).toBe(1_000);
  });
});

describe('a run', () => {
  test('books its tokens in its minute and its month, and its cost where that is known', async () => {
    await accept();
    await settle({ tokens: 30, costUsd: 0.5 });
    await settle({ tokens: 12, costUsd: null });
    expect(await world.monthRow()).toEqual({ requests: 1, tokens: 42, cost: 0.5, uncosted: 1 });
    expect((await usage()).rateLimitUsage.remainingTokens).toBe(10_000 - 42);
  });

  test('that ends in another month books in the one in which it was asked', async () => {
    const askedAt = at('31T23:59:00');
    const now = new Date('2026-04-01T00:10:00Z');
    await accept(askedAt);
    await settle({ askedAt, now, tokens: 5 });
    expect(await world.monthRow()).toMatchObject({ requests: 1, tokens: 5 });
    expect((await usage(now)).rateLimitUsage.remainingTokens).toBe(10_000 - 5);
  });

  test('that never reached the model gives its request back to the month, which is never below none', async () => {
    await accept();
    await settle({ isRefunded: true });
    await settle({ isRefunded: true });
    expect(await world.monthRow()).toMatchObject({ requests: 0, tokens: 0, uncosted: 0 });
  });

  test('that used nothing writes nothing, and one whose cost is not known says so', async () => {
    expect(settlement(orgId, { askedAt: noon, now: noon, tokens: 0, costUsd: 0, isRefunded: false }).sql).toBe('');
    await accept();
    await settle({ costUsd: null });
    await settle({ costUsd: 0.25 });
    expect(await world.monthRow()).toMatchObject({ tokens: 0, cost: 0.25, uncosted: 1 });
  });

  test('is foretold: tokens go, a request comes back, and neither passes its limit', async () => {
    const now = await accept();
    const use = { askedAt: noon, now: noon, tokens: 40, costUsd: null, isRefunded: false };
    expect(afterInvocation(now, use)).toEqual({
      rateLimitUsage: { ...now.rateLimitUsage, remainingTokens: 9_960 },
      monthlyQuotaUsage: { ...now.monthlyQuotaUsage, remainingQuota: 999 },
    });
    expect(afterInvocation(now, { ...use, tokens: 99_999 }).rateLimitUsage.remainingTokens).toBe(0);
    const refunded = afterInvocation(now, { ...use, isRefunded: true });
    expect(refunded.monthlyQuotaUsage.remainingQuota).toBe(1_000);
    expect(afterInvocation(refunded, { ...use, isRefunded: true }).monthlyQuotaUsage.remainingQuota).toBe(1_000);
  });
});

test('what is used beyond a limit that was lowered leaves nothing, not less', async () => {
  await accept();
  await accept();
  await settle({ tokens: 100 });
  const lowered = await usage(noon, { monthlyInvocations: 1, hourlyRequests: 1, hourlyTokens: 1 });
  expect(lowered.rateLimitUsage).toMatchObject({ remainingRequests: 0, remainingTokens: 0 });
  expect(lowered.monthlyQuotaUsage.remainingQuota).toBe(0);
});

test('an hour in which nothing was used has all its time, and one whose use is just leaving has none', async () => {
  expect((await usage()).rateLimitUsage.remainingTimeMs).toBe(3_600_000);
  await accept(at('10T11:01:00'));
  expect((await usage(at('10T12:00:59.999'))).rateLimitUsage.remainingTimeMs).toBe(1);
  expect((await usage(at('10T12:01:00'))).rateLimitUsage).toMatchObject({
    remainingRequests: 100,
    remainingTimeMs: 3_600_000,
  });
});

test('minutes that no window reaches are forgotten, months never', async () => {
  await accept(at('10T10:00:00'));
  await accept(at('10T10:01:00'));
  const minutes = () =>
    world.database.rows<{ period: string }>(sql`
      select period from ai_usage where org_id = ${orgId} order by period, starts_at`);
  await world.database.transaction((tx) => deleteOldMinutes(tx, at('10T12:00:00')));
  expect((await minutes()).map(({ period }) => period)).toEqual(['minute', 'minute', 'month']);
  await world.database.transaction((tx) => deleteOldMinutes(tx, at('10T12:00:00.001')));
  expect((await minutes()).map(({ period }) => period)).toEqual(['minute', 'month']);
});
