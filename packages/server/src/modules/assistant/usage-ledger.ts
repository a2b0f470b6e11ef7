import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { createGathering } from '../../platform/gathering.ts';
import { newUuid } from '../../platform/ids.ts';
import { effectiveQuotas, findOrganization, type Organization } from '../organizations/index.ts';
import { nobody, type Payer } from './budgets/budget.ts';
import { refuseForBudget } from './budgets/budget-refusal.ts';
import { claimCharged, listLeftCharges, settleLeftCharges } from './budgets/charge.store.ts';
import { takeBudgets } from './budgets/take-budgets.ts';
import { claimReservation, listReservations, releaseReservations, takeRequests } from './reservation.store.ts';
import { bookSettlements, listUnbooked } from './settlement.store.ts';
import { lockMonth, startOfMinute } from './usage.store.ts';
import { refuse, toUsageNow, type UsageNow } from './usage-now.ts';

/** A request that is counted already, or the reason why it may not be. */
export type Reservation = {
  readonly orgId: string;
  readonly id: string;
  readonly now: Date;
  /** Which invocation it is for; only looked at where it counts against budgets. */
  readonly invocation: string;
  /** As it was when it was counted. */
  readonly organization: Organization;
} & ({ readonly usage: UsageNow; readonly isCharged: boolean } | { readonly refusal: AppError });

/** Which invocation is asked for, and whose budgets it counts against. */
export interface Asking {
  readonly invocation: string;
  readonly payer: Payer;
}

/**
 * The one place that counts. Requests are taken before they are accepted, in transactions of their own that wait for no
 * disk, and usage is written with the end and added up afterwards: so no start and no end of an organization waits for
 * another (decision 0157).
 */
export interface UsageLedger {
  /**
   * Counts a request against month, hour and budgets, never one too many. Every reservation must be claimed or released.
   */
  reserve(orgId: string, now: Date, asking?: Asking): Promise<Reservation>;
  /**
   * Makes the reservation part of the transaction that accepts its request.
   * @throws AppError `ai_quota_exceeded`, `ai_rate_limited`, `ai_budget_exceeded`; `service_unavailable` if it was given back meanwhile
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
    database.transaction(body, { isDurable: false });

  const take = createGathering(async (asked: readonly [Asked, ...Asked[]]) => {
    const [{ orgId, now }] = asked;
    const ids = asked.map(({ id }) => id);
    const { organization, quotas, taken, decisions } = await quickly(async (tx) => {
      // the lock travels with the first read
      lockMonth(tx, orgId, now);
      const organization = await findOrganization(tx, orgId);
      if (!organization) throw notFound('Organization', orgId, 'id');
      const quotas = effectiveQuotas(organization);
      const taken = await takeRequests(tx, orgId, ids, quotas, now);
      if (!taken.hasBudgets) return { organization, quotas, taken };
      return {
        organization,
        quotas,
        taken,
        decisions: await takeBudgets(tx, orgId, asked, { quotas, used: taken, now }),
      };
    });
    const { granted, hasBudgets, ...before } = taken;
    const oldest = earlier(before.oldest, startOfMinute(now));
    let counted = 0;
    return asked.map((each, index): Reservation => {
      const decision = decisions?.[index];
      const isGranted = decision ? decision.isGranted : index < granted;
      if (isGranted) counted += 1;
      const used = { ...before, oldest, month: before.month + counted, requests: before.requests + counted };
      if (isGranted) {
        const isCharged = decision?.isGranted === true && decision.charged.length > 0;
        return { ...each, organization, usage: toUsageNow(quotas, used, each.now), isCharged };
      }
      const spent = decision?.isGranted === false ? decision.spent : undefined;
      return {
        ...each,
        organization,
        refusal: spent ? refuseForBudget(spent, each.now) : refuse(quotas, used, each.now),
      };
    });
  });

  const giveBack = createGathering(async (given: readonly [Given, ...Given[]]) => {
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
    reserve(orgId, now, asking) {
      const id = newUuid();
      const { invocation = id, payer = nobody } = asking ?? {};
      return take(`${orgId} ${startOfMinute(now).getTime()}`, { orgId, id, now, invocation, payer });
    },
    async claim(tx, reservation) {
      if ('refusal' in reservation) throw reservation.refusal;
      const { orgId, id, invocation, isCharged } = reservation;
      const isClaimed = isCharged
        ? await claimCharged(tx, orgId, id, invocation)
        : await claimReservation(tx, orgId, id);
      if (isClaimed) return reservation.usage;
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
      await Promise.all(left.map((each) => giveBack(each.orgId, each)));
      for (const orgId of await listUnbooked(database)) await book(orgId);
      for (const orgId of await listLeftCharges(database)) {
        await quickly(async (tx) => {
          lockMonth(tx, orgId, before);
          await settleLeftCharges(tx, orgId);
        });
      }
    },
    async close() {
      await booking;
      await bookDue();
    },
  };
}

interface Given {
  readonly orgId: string;
  readonly id: string;
}

interface Asked extends Given {
  readonly now: Date;
  readonly invocation: string;
  readonly payer: Payer;
}

function earlier(one: Date | null, other: Date): Date {
  return one && one < other ? one : other;
}
