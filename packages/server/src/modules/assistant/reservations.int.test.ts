import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/assistant-harness.ts';
import { onlyOn } from '../../../test/database.ts';
import { at, createLedgerWorld, type LedgerWorld, noon, plenty } from '../../../test/ledger-world.ts';
import { rounds } from '../../../test/rounds.ts';
import { takeRequests } from './reservation.store.ts';
import { createUsageLedger, type Reservation } from './usage-ledger.ts';

let world: LedgerWorld;
let orgId = '';
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  orgId = world.begin();
});

describe('many requests at once', () => {
  const few = { ...plenty, monthlyInvocations: 5 };
  const granted = (all: readonly Reservation[]) => all.flatMap((each) => ('usage' in each ? [each.usage] : []));

  test('are granted to the last, in order of arrival, and each is told what is left after it', async () => {
    await world.allow(few);
    const all = await Promise.all(Array.from({ length: 50 }, () => world.ledger.reserve(orgId, noon)));
    expect(all.map((each) => 'usage' in each)).toEqual(Array.from({ length: 50 }, (_, index) => index < 5));
    expect(granted(all).map(({ monthlyQuotaUsage }) => monthlyQuotaUsage.remainingQuota)).toEqual([4, 3, 2, 1, 0]);
    expect(all.slice(5).every((each) => 'refusal' in each && each.refusal.code === 'ai_quota_exceeded')).toBe(true);
    expect(await world.open()).toBe(5);
    expect((await world.monthRow())?.requests).toBe(5);
  });

  test('of two minutes and of two months are counted apart', async () => {
    await world.allow(few);
    const moments = [at('31T23:58:59'), at('31T23:59:00'), new Date('2026-04-01T00:00:00Z')];
    await Promise.all(moments.flatMap((now) => Array.from({ length: 4 }, () => world.ledger.reserve(orgId, now))));
    const rows = await world.database.rows<{ period: string; requests: number }>(sql`
      select period, requests from ai_usage where org_id = ${orgId} order by period desc, starts_at`);
    expect(rows.map(({ period, requests }) => `${period} ${requests}`).slice(0, 2)).toEqual(['month 5', 'month 4']);
    expect(rows.slice(2).reduce((sum, { requests }) => sum + requests, 0)).toBe(9);
  });

  test.each([
    ['month', few],
    ['hour', { ...plenty, hourlyRequests: 5 }],
  ])('of two replicas are never one too many of the %s', async (_name, quotas) => {
    await world.allow(quotas);
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? world.ledger : world.other).reserve(orgId, noon)),
    );
    expect(granted(all)).toHaveLength(5);
    expect(await world.open()).toBe(5);
  });

  onlyOn('postgres', 'the embedded engine has one connection', () => {
    test('that wait for the lock together count what its holder took, and each other', async () => {
      await world.accept(noon, few);
      const [holds, mayEnd] = [new EventEmitter(), new EventEmitter()];
      const held = once(holds, 'held');
      const holding = world.database.transaction(async (tx) => {
        const ended = once(mayEnd, 'end');
        await takeRequests(tx, orgId, ['a', 'b', 'c'], few, noon);
        holds.emit('held');
        await ended;
      });
      await held;
      const asked = [world.ledger.reserve(orgId, noon), world.other.reserve(orgId, noon)];
      await until('both wait', async () => {
        const row = await world.database.first<{ count: number }>(sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return row?.count === 2;
      });
      mayEnd.emit('end');
      await holding;
      expect(granted(await Promise.all(asked))).toHaveLength(1);
      expect((await world.monthRow())?.requests).toBe(5);
    });
  });
});

describe('a reservation', () => {
  test('is given back by a request that is not accepted, once', async () => {
    await world.allow(plenty);
    const [kept, failed] = [await world.ledger.reserve(orgId, noon), await world.ledger.reserve(orgId, noon)];
    expect(await world.used()).toMatchObject({ month: 2, requests: 2 });
    await Promise.all([world.ledger.release(failed), world.ledger.release(failed)]);
    await world.ledger.release(failed);
    expect(await world.used()).toMatchObject({ month: 1, requests: 1 });
    await world.claim(kept);
    await world.ledger.release(kept);
    expect(await world.used()).toMatchObject({ month: 1, requests: 1 });
    expect(await world.open()).toBe(0);
  });

  test('that was refused is nothing to give back', async () => {
    await world.allow({ ...plenty, monthlyInvocations: 1 });
    await world.claim(await world.ledger.reserve(orgId, noon));
    await world.ledger.release(await world.ledger.reserve(orgId, noon));
    expect(await world.used()).toMatchObject({ month: 1, requests: 1 });
  });

  test('is claimed with the transaction, or not at all', async () => {
    await world.allow(plenty);
    const reservation = await world.ledger.reserve(orgId, noon);
    const failing = world.database.transaction(async (tx) => {
      await world.ledger.claim(tx, reservation);
      throw new Error('something else failed');
    });
    await expect(failing).rejects.toThrow('something else failed');
    expect([await world.open(), (await world.used()).month]).toEqual([1, 1]);
    await world.ledger.release(reservation);
    expect([await world.open(), (await world.used()).month]).toEqual([0, 0]);
  });

  test("of a process that died is given back by the sweep, and is then nobody's", async () => {
    await world.allow(plenty);
    const [lost, young] = [
      await world.ledger.reserve(orgId, noon),
      await world.ledger.reserve(orgId, at('10T12:01:00')),
    ];
    await Promise.all([world.ledger.sweep(at('10T12:00:59')), world.ledger.sweep(at('10T12:00:59'))]);
    expect([await world.open(), (await world.used()).month]).toEqual([1, 1]);
    await expect(world.claim(lost)).rejects.toMatchObject({ code: 'service_unavailable' });
    await world.claim(young);
    expect(await world.used()).toMatchObject({ month: 1, requests: 1 });
  });

  test('of an organization that is gone is refused', async () => {
    await expect(world.ledger.reserve('nobody', noon)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('what a run used', () => {
  test('counts from its end on, and booking changes no number', async () => {
    await world.accept();
    await world.accept();
    await world.end({ tokens: 30, costUsd: 0.5 });
    await world.end({ tokens: 5, costUsd: null, isRefunded: true });
    const before = await world.used();
    expect(before).toEqual({ month: 1, requests: 2, tokens: 35 });
    expect(await world.monthRow()).toMatchObject({ requests: 2, tokens: 0 });
    expect(await world.book()).toBe(2);
    expect(await world.used()).toEqual(before);
    expect(await world.monthRow()).toEqual({ requests: 1, tokens: 35, cost: 0.5, uncosted: 1 });
  });

  test('stops the next request before it is booked, and makes room for it', async () => {
    const quotas = { ...plenty, monthlyInvocations: 1, hourlyTokens: 50 };
    await world.accept(noon, quotas);
    await world.end({ isRefunded: true });
    expect((await world.accept(noon, quotas)).monthlyQuotaUsage.remainingQuota).toBe(0);
    await expect(world.accept(noon, quotas)).rejects.toMatchObject({ code: 'ai_quota_exceeded' });
    await world.end({ isRefunded: true, tokens: 50 });
    await expect(world.accept(noon, quotas)).rejects.toMatchObject({ code: 'ai_rate_limited' });
  });

  test('is booked once, whoever books', async () => {
    await world.accept();
    for (let run = 0; run < 20; run += 1) await world.end({ tokens: 1 });
    const booked = await Promise.all([world.book(), world.book(), world.book(), world.ledger.sweep(noon)]);
    expect((await world.monthRow())?.tokens).toBe(20);
    expect(booked.slice(0, 3).reduce<number>((sum, count) => sum + Number(count), 0)).toBeLessThanOrEqual(20);
    expect(await world.book()).toBe(0);
  });

  test('is booked soon after the end, and when the process stops', async () => {
    const own = createUsageLedger({ database: world.database, log: { warn: () => undefined } });
    await world.accept();
    await world.end({ tokens: 7 });
    own.settled(orgId);
    await own.close();
    expect((await world.monthRow())?.tokens).toBe(7);
  });
});

test('whatever becomes of requests, in whatever order, the ledger says what a counter says', async () => {
  const step = fc.constantFrom('accept', 'fail', 'crash', 'end', 'refund', 'book', 'sweep');
  const walks = fc.array(fc.array(step, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const limit = 4;
  await fc.assert(
    fc.asyncProperty(walks, async (all) => {
      orgId = world.begin();
      const quotas = { ...plenty, monthlyInvocations: limit };
      await world.allow(quotas);
      const counter = { accepted: 0, refunded: 0, tokens: 0, lost: 0 };
      let most = 0;
      const walk = async (steps: readonly string[], which: number): Promise<void> => {
        const ledger = which % 2 === 0 ? world.ledger : world.other;
        let running = 0;
        for (const each of steps) {
          if (each === 'accept' || each === 'fail' || each === 'crash') {
            const reservation = await ledger.reserve(orgId, noon);
            if ('refusal' in reservation) continue;
            if (each === 'fail') await ledger.release(reservation);
            if (each === 'crash') counter.lost += 1;
            if (each !== 'accept') continue;
            await world.claim(reservation);
            counter.accepted += 1;
            running += 1;
          } else if (each === 'book') await world.book();
          // nothing here is old enough to be given back
          else if (each === 'sweep') await ledger.sweep(new Date(noon.getTime() - 1));
          else if (running > 0) {
            running -= 1;
            const isRefunded = each === 'refund';
            if (isRefunded) counter.refunded += 1;
            counter.tokens += 3;
            await world.end({ tokens: 3, isRefunded });
          }
          most = Math.max(most, counter.accepted - counter.refunded);
        }
      };
      await Promise.all(all.map(walk));
      const requests = counter.accepted + counter.lost;
      expect(await world.used()).toEqual({ month: requests - counter.refunded, requests, tokens: counter.tokens });
      expect(await world.open()).toBe(counter.lost);
      expect(most).toBeLessThanOrEqual(limit);
      await world.ledger.sweep(new Date(noon.getTime() + 1));
      const { accepted, refunded, tokens } = counter;
      expect(await world.used()).toEqual({ month: accepted - refunded, requests: accepted, tokens });
      expect((await world.monthRow())?.requests ?? 0).toBe(accepted - refunded);
    }),
    { numRuns: rounds(12) },
  );
  expect(world.warnings).toEqual([]);
}, 60_000);
