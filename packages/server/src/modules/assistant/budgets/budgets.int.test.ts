import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, createLedgerWorld, type LedgerWorld, noon, plenty } from '../../../../test/ledger-world.ts';
import { rounds } from '../../../../test/rounds.ts';
import { createUsageLedger, type Reservation } from '../usage-ledger.ts';
import { putBudgetRow, readBudgets } from './budget.store.ts';
import { type Budget, type BudgetState, type Payer, subjectKey } from './budget.ts';

let world: LedgerWorld;
let orgId = '';
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  orgId = world.begin();
  await world.allow();
});

const geo: Payer = { userId: 'ada@example.com', teamKeys: ['geo'], agent: null };
const none = { requests: null, tokens: null, usd: null };

async function set(budget: Partial<Budget> & Pick<Budget, 'scope' | 'subject'>, limits: Partial<Budget['limits']>) {
  const whole: Budget = {
    period: 'month',
    action: 'stop',
    warnAt: 0.8,
    countedSince: '2026-03-01',
    ...budget,
    limits: { ...none, ...limits },
  };
  await world.database.transaction((tx) => putBudgetRow(tx, orgId, whole, { by: 'admin', at: noon }));
}

let count = 0;
const reserve = (payer: Payer = geo, now = noon, ledger = world.ledger) => {
  count += 1;
  return ledger.reserve(orgId, now, { invocation: `run-${count}`, payer });
};
const isGranted = (each: Reservation) => 'usage' in each;
const refusalOf = (each: Reservation | undefined) => (each && 'refusal' in each ? each.refusal : undefined);

async function used(now = noon): Promise<Record<string, BudgetState['used']>> {
  const all = await readBudgets(world.database, orgId, now);
  return Object.fromEntries(all.map((each) => [`${subjectKey(each)} ${each.period}`, each.used]));
}

async function charges(): Promise<number | undefined> {
  const row = await world.database.first<{ count: number }>(sql`
    select count(*)::int as count from ai_charges where org_id = ${orgId}`);
  return row?.count;
}

/** Ends a run that was accepted with this reservation. */
async function end(reservation: Reservation, use: Parameters<LedgerWorld['end']>[0]): Promise<void> {
  await world.end({ ...use, charge: reservation.id });
}

describe('50 at once against 5', () => {
  test.each([
    ['organization', { scope: 'organization', subject: 'all' }],
    ['team', { scope: 'team', subject: 'geo' }],
    ['user', { scope: 'user', subject: 'ada@example.com' }],
  ] as const)('are exactly 5 of the %s over three processes', async (_name, subject) => {
    await set(subject, { requests: 5 });
    const third = createUsageLedger({ database: world.database, log: { warn: () => undefined } });
    const ledgers = [world.ledger, world.other, third];
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => reserve(geo, noon, ledgers[index % 3])));
    expect(all.filter(isGranted)).toHaveLength(5);
    expect((await used())[`${subjectKey(subject)} month`]?.requests).toBe(5);
    expect([await world.open(), await charges(), (await world.used()).month]).toEqual([5, 5, 5]);
    await third.close();
  });

  test('of an agent that several people ask are exactly 5, and the others cost nobody anything', async () => {
    await set({ scope: 'agent', subject: 'guide' }, { requests: 5 });
    await set({ scope: 'user', subject: 'ada@example.com' }, { requests: 100 });
    const agent = { identifier: 'guide', teamKeys: [] };
    const payers = [
      { ...geo, agent },
      { userId: 'bo@example.com', teamKeys: [], agent },
    ];
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => reserve(payers[index % 2])));
    expect(all.filter(isGranted)).toHaveLength(5);
    expect((await used())['user/ada@example.com month']?.requests).toBe(3);
    expect((await world.used()).month).toBe(5);
  });
});

describe('a refusal', () => {
  test('names the budget that holds longest, what is used of it and when it begins anew, and takes nothing', async () => {
    await set({ scope: 'user', subject: 'ada@example.com', period: 'day' }, { requests: 1 });
    await set({ scope: 'team', subject: 'geo' }, { requests: 1 });
    await set({ scope: 'organization', subject: 'all' }, { requests: 9 });
    expect(isGranted(await reserve())).toBe(true);
    const refused = refusalOf(await reserve());
    expect(refused).toMatchObject({
      code: 'ai_budget_exceeded',
      message:
        'Team geo has used its 1 request of March 2026. The budget starts again on 1 April; an administrator of the organization may raise it.',
      extra: {
        scope: 'team',
        id: 'geo',
        measure: 'requests',
        limit: 1,
        used: 1,
        resetDate: '2026-04-01T00:00:00.000Z',
      },
      retryAfterSeconds: Math.ceil((Date.UTC(2026, 3, 1) - noon.getTime()) / 1000),
    });
    expect(Object.values(await used()).map(({ requests }) => requests)).toEqual([1, 1, 1]);
  });

  test('for a budget leaves the quota to those behind it, and the quota is named where it is the reason', async () => {
    await world.allow({ ...plenty, monthlyInvocations: 2 });
    await set({ scope: 'user', subject: 'ada@example.com' }, { requests: 0 });
    const bo: Payer = { userId: 'bo@example.com', teamKeys: [], agent: null };
    const all = await Promise.all([reserve(), reserve(), reserve(bo), reserve(bo), reserve(bo)]);
    expect(all.map((each) => refusalOf(each)?.code)).toEqual([
      'ai_budget_exceeded',
      'ai_budget_exceeded',
      undefined,
      undefined,
      'ai_quota_exceeded',
    ]);
  });

  test('is over with the period', async () => {
    await set({ scope: 'organization', subject: 'all', period: 'day' }, { requests: 1 });
    await reserve(geo, at('10T23:59:59'));
    expect(isGranted(await reserve(geo, at('10T23:59:59.900')))).toBe(false);
    expect(isGranted(await reserve(geo, at('11T00:00:00')))).toBe(true);
  });
});

test('a budget that only warns refuses nothing, and counts', async () => {
  await set({ scope: 'team', subject: 'geo', action: 'warn' }, { requests: 1 });
  expect((await Promise.all([reserve(), reserve(), reserve()])).every(isGranted)).toBe(true);
  expect((await used())['team/geo month']?.requests).toBe(3);
});

test('an agent that a team owns counts for that team, and not for the teams of who asks', async () => {
  await set({ scope: 'team', subject: 'geo' }, { requests: 10 });
  await set({ scope: 'team', subject: 'maps' }, { requests: 10 });
  await reserve({ ...geo, agent: { identifier: 'guide', teamKeys: ['maps'] } });
  await reserve({ ...geo, agent: { identifier: 'free', teamKeys: [] } });
  await reserve();
  const now = await used();
  expect([now['team/geo month']?.requests, now['team/maps month']?.requests]).toEqual([2, 1]);
});

describe('what a run used', () => {
  test('takes the place of what was set aside, before and after it is booked', async () => {
    await set({ scope: 'team', subject: 'geo' }, { tokens: 1_000, usd: 1 });
    await runs(null, [100, 200, 300]);
    const reservation = await reserve();
    await world.claim(reservation);
    expect((await used())['team/geo month']).toEqual({ requests: 1, tokens: 300, usd: 0.3 });
    await end(reservation, { tokens: 40, costUsd: 0.01 });
    expect((await used())['team/geo month']).toEqual({ requests: 1, tokens: 40, usd: 0.01 });
    await world.book();
    expect((await used())['team/geo month']).toEqual({ requests: 1, tokens: 40, usd: 0.01 });
    expect(await charges()).toBe(0);
  });

  test('is set aside by what nine of ten of the last runs stayed within, so what is left is not given twice', async () => {
    await set({ scope: 'organization', subject: 'all' }, { tokens: 1_000 });
    await runs(
      null,
      Array.from({ length: 10 }, (_, index) => (index === 9 ? 9_999 : 400)),
    );
    const all = await Promise.all([reserve(), reserve(), reserve()]);
    expect(all.map(isGranted)).toEqual([true, true, false]);
    expect(refusalOf(all[2])?.message).toBe(
      'The organization has 200 tokens left of its 1,000 tokens of March 2026, and a run like this needs about 400 tokens. The budget starts again on 1 April; an administrator of the organization may raise it.',
    );
  });

  test('whose cost nobody knows is counted as unknown', async () => {
    await set({ scope: 'organization', subject: 'all' }, { usd: 1 });
    const reservation = await reserve();
    await world.claim(reservation);
    await end(reservation, { tokens: 40, costUsd: null });
    await world.book();
    const [budget] = await readBudgets(world.database, orgId, noon);
    expect(budget).toMatchObject({ used: { requests: 1, tokens: 40, usd: 0 }, uncosted: 1 });
  });

  test('is nothing where the model was never reached: its request comes back', async () => {
    await set({ scope: 'organization', subject: 'all' }, { requests: 1 });
    const reservation = await reserve();
    await world.claim(reservation);
    await end(reservation, { isRefunded: true });
    expect((await used())['organization/all month']?.requests).toBe(0);
    await world.book();
    expect((await used())['organization/all month']?.requests).toBe(0);
    expect(isGranted(await reserve())).toBe(true);
  });
});

describe('a request that is not accepted', () => {
  test('comes back to all its budgets, once', async () => {
    await set({ scope: 'organization', subject: 'all' }, { requests: 5 });
    await set({ scope: 'team', subject: 'geo', period: 'day' }, { requests: 5 });
    const reservation = await reserve();
    await Promise.all([world.ledger.release(reservation), world.other.release(reservation)]);
    expect(Object.values(await used()).map(({ requests }) => requests)).toEqual([0, 0]);
    expect([await charges(), (await world.used()).month]).toEqual([0, 0]);
  });

  test('of a process that died comes back with the sweep', async () => {
    await set({ scope: 'organization', subject: 'all' }, { requests: 1 });
    await reserve();
    expect(isGranted(await reserve())).toBe(false);
    await world.ledger.sweep(at('10T12:05:00'));
    expect(await charges()).toBe(0);
    expect(isGranted(await reserve())).toBe(true);
  });
});

describe('a charge that a process of an earlier release left', () => {
  test('is settled by the sweep, with what its invocation used', async () => {
    await set({ scope: 'organization', subject: 'all' }, { tokens: 5_000 });
    await runs(null, [300]);
    const [running, ended, lost] = [await reserve(), await reserve(), await reserve()];
    await Promise.all([running, ended].map((each) => world.claim(each)));
    await world.database.transaction(async (tx) => {
      await tx.execute(sql`
        update invocations set id = ${ended.invocation} where org_id = ${orgId}`);
      await tx.execute(sql`
        insert into invocations (org_id, id, state, asked_by, request_hash, prompt, provider, model, prompt_version,
          runner, heartbeat_at, asked_at)
        values (${orgId}, ${running.invocation}, 'running', 'someone', 'x', '', '', '', '', '', ${noon}, ${noon})`);
      await tx.execute(sql`delete from ai_reservations where org_id = ${orgId} and id = ${lost.id}`);
      await tx.execute(sql`update ai_charges set tokens = 900 where org_id = ${orgId} and id = ${ended.id}`);
      await tx.execute(sql`update ai_budget_days set tokens = 1500 where org_id = ${orgId}`);
    });
    await world.ledger.sweep(at('10T11:00:00'));
    expect((await used())['organization/all month']).toEqual({ requests: 2, tokens: 600, usd: expect.any(Number) });
    expect(await charges()).toBe(1);
  });
});

test('whatever happens to requests, what is counted is what was accepted and not given back', async () => {
  const step = fc.record({
    who: fc.constantFrom('ada@example.com', 'bo@example.com'),
    outcome: fc.constantFrom('runs', 'ends', 'is refunded', 'is released', 'is lost'),
    tokens: fc.integer({ min: 0, max: 50 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, isBooked) => {
      orgId = world.begin();
      await world.allow();
      await set({ scope: 'organization', subject: 'all' }, { requests: 7, tokens: 120 });
      await set({ scope: 'user', subject: 'ada@example.com', period: 'day' }, { requests: 4 });
      const expected = { all: { requests: 0, tokens: 0 }, ada: 0 };
      for (const { who, outcome, tokens } of steps) {
        const reservation = await reserve({ userId: who, teamKeys: [], agent: null });
        if (!isGranted(reservation)) continue;
        const isKept = outcome === 'runs' || outcome === 'ends';
        if (outcome === 'is released') await world.ledger.release(reservation);
        else if (outcome !== 'is lost') await world.claim(reservation);
        if (outcome === 'ends') await end(reservation, { tokens });
        if (outcome === 'is refunded') await end(reservation, { isRefunded: true });
        if (isBooked) await world.book();
        if (outcome === 'is lost') await world.ledger.sweep(at('10T13:00:00'));
        if (!isKept) continue;
        expected.all.requests += 1;
        expected.all.tokens += outcome === 'ends' ? tokens : 0;
        if (who === 'ada@example.com') expected.ada += 1;
      }
      const now = await used();
      expect(now['organization/all month']).toMatchObject(expected.all);
      expect(now['user/ada@example.com day']?.requests).toBe(expected.ada);
      expect(expected.all.requests).toBeLessThanOrEqual(7);
      expect(expected.ada).toBeLessThanOrEqual(4);
    }),
    { numRuns: rounds(12) },
  );
}, 60_000);

/** Runs of an agent that ended before. */
async function runs(agent: string | null, tokens: readonly number[]): Promise<void> {
  await world.database.transaction((tx) =>
    tx.execute(sql`
      insert into invocations (org_id, id, state, asked_by, request_hash, prompt, provider, model, prompt_version,
        runner, heartbeat_at, asked_at, agent, usage)
      select ${orgId}, 'old-' || n, 'completed', 'someone', '', '', '', '', '', '', ${noon}, ${noon}::timestamptz - n * interval '1 minute',
        ${agent}, jsonb_build_object('inputTokens', t, 'outputTokens', 0, 'costUsd', t / 1000.0)
      from unnest(${[...tokens]}::int[]) with ordinality as a(t, n)`),
  );
}
