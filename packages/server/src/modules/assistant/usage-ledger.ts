import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { effectiveQuotas, findOrganization } from '../organizations/index.ts';
import { createGathering } from './gathering.ts';
import { claimReservation, listReservations, releaseReservations, takeRequests } from './reservation.store.ts';
import { bookSettlements, listUnbooked } from './settlement.store.ts';
import { startOfMinute, waitForNoDisk } from './usage.store.ts';
import { refuse, toUsageNow, type UsageNow } from './usage-now.ts';

/** A request that is counted already, or the reason why it may not be. */
export type Reservation = {
  readonly orgId: string;
  readonly id: string;
  readonly now: Date;
} & ({ readonly usage: UsageNow } | { readonly refusal: AppError });

/**
 * The one place that counts. Requests are taken before they are accepted, in transactions of their own that wait for no
 * disk, and usage is written with the end and added up afterwards: so no start and no end of an organization waits for
 * another (decision 0157).
 */
export interface UsageLedger {
  /** Counts a request against month and hour, never one too many. Every reservation must be claimed or released. */
  reserve(orgId: string, now: Date): Promise<Reservation>;
  /**
   * Makes the reservation part of the transaction that accepts its request.
   * @throws AppError `ai_quota_exceeded`, `ai_rate_limited`; `service_unavailable` if it was given back meanwhile
   */
  claim(tx: Tx, reservation: Reservation): Promise<UsageNow>;
  /** Gives back a reservation that was not claimed. Never rejects: what fails is left to `sweep`. */
  release(reservation: Reservation): Promise<void>;
  /** Called after an end: its usage is added up soon, for other organizations' ends too. */
  settled(orgId: string): void;
  /** Gives back what processes reserved before a moment and never accepted, and adds up what they left. */
  sweep(before: Date): Promise<void>;
  close(): Promise<void>;
}

export interface LedgerPorts {
  readonly database: Database;
  readonly log: { warn(context: object, message: string): void };
}

/** How long settlements gather. Readers count them meanwhile, so this is only about how many there are. */
const gatherMs = 250;
const settlementsMax = 1_000;

export function createUsageLedger({ database, log }: LedgerPorts): UsageLedger {
  const quickly = <Answer>(body: (tx: Tx) => Promise<Answer>): Promise<Answer> =>
    database.transaction((tx) => {
      waitForNoDisk(tx);
      return body(tx);
    });

  const take = createGathering(async (asked: readonly [Asked, ...Asked[]]) => {
    const [{ orgId, now }] = asked;
    const ids = asked.map(({ id }) => id);
    const { quotas, taken } = await quickly(async (tx) => {
      const organization = await findOrganization(tx, orgId);
      if (!organization) throw notFound('Organization', orgId, 'id');
      const quotas = effectiveQuotas(organization);
      return { quotas, taken: await takeRequests(tx, orgId, ids, quotas, now) };
    });
    const { granted, ...before } = taken;
    const oldest = earlier(before.oldest, startOfMinute(now));
    return asked.map((each, index): Reservation => {
      const isGranted = index < granted;
      const counted = isGranted ? index + 1 : granted;
      const used = { ...before, oldest, month: before.month + counted, requests: before.requests + counted };
      if (isGranted) return { ...each, usage: toUsageNow(quotas, used, each.now) };
      return { ...each, refusal: refuse(quotas, used, each.now) };
    });
  });

  const giveBack = createGathering(async (given: readonly [Asked, ...Asked[]]) => {
    const [{ orgId }] = given;
    await quickly((tx) =>
      releaseReservations(
        tx,
        orgId,
        given.map(({ id }) => id),
      ),
    );
    return given;
  });

  const due = new Set<string>();
  let gathering: NodeJS.Timeout | undefined;
  let booking: Promise<void> = Promise.resolve();

  async function book(orgId: string): Promise<void> {
    let booked: number;
    do booked = await quickly((tx) => bookSettlements(tx, orgId, settlementsMax));
    while (booked === settlementsMax);
  }

  /** Never rejects: `sweep` books what could not be booked. */
  async function bookDue(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    const organizations = [...due];
    due.clear();
    for (const orgId of organizations) {
      await book(orgId).catch((error: unknown) => log.warn({ err: error, orgId }, 'usage could not be added up yet'));
    }
  }

  return {
    reserve: (orgId, now) => take(`${orgId} ${startOfMinute(now).getTime()}`, { orgId, id: newUuid(), now }),
    async claim(tx, reservation) {
      if ('refusal' in reservation) throw reservation.refusal;
      if (await claimReservation(tx, reservation.orgId, reservation.id)) return reservation.usage;
      throw new AppError('service_unavailable', 'Accepting the question took too long; ask again');
    },
    async release(reservation) {
      if ('refusal' in reservation) return;
      await giveBack(reservation.orgId, reservation).catch((error: unknown) =>
        log.warn({ err: error, orgId: reservation.orgId }, 'a request could not be given back yet'),
      );
    },
    settled(orgId) {
      due.add(orgId);
      gathering ??= setTimeout(() => {
        booking = booking.then(bookDue);
      }, gatherMs).unref();
    },
    async sweep(before) {
      const left = await listReservations(database, before);
      await Promise.all(left.map((each) => giveBack(each.orgId, { ...each, now: before })));
      for (const orgId of await listUnbooked(database)) await book(orgId);
    },
    async close() {
      await booking;
      await bookDue();
    },
  };
}

interface Asked {
  readonly orgId: string;
  readonly id: string;
  readonly now: Date;
}

function earlier(one: Date | null, other: Date): Date {
  return one && one < other ? one : other;
}
