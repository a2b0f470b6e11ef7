import sql from 'sql-template-tag';
import { listReservations } from '../src/modules/assistant/reservation.store.ts';
import { bookSettlements, type InvocationUsage, settlement } from '../src/modules/assistant/settlement.store.ts';
import { createUsageLedger, type Reservation, type UsageLedger } from '../src/modules/assistant/usage-ledger.ts';
import { readUsage, type UsageNow } from '../src/modules/assistant/usage-now.ts';
import type { Quotas } from '../src/modules/organizations/index.ts';
import { createDatabase, type Database } from '../src/platform/db/database.ts';
import { json } from '../src/platform/db/json.ts';
import { createTestDatabase, testEngine } from './database.ts';

export const plenty: Quotas = { monthlyInvocations: 1_000, hourlyRequests: 100, hourlyTokens: 10_000 };
export const at = (text: string): Date => new Date(`2026-03-${text}Z`);
export const noon = at('10T12:00:30.500');

/** A ledger over a real database, and what an organization is seen to have used. */
export interface LedgerWorld {
  readonly database: Database;
  readonly ledger: UsageLedger;
  /** The same, or on PostgreSQL that of another replica. */
  readonly other: UsageLedger;
  /** What the ledgers had to say to operators. */
  readonly warnings: readonly string[];
  /** Goes on with an organization that has used nothing, and returns its id. */
  begin(): string;
  /** Sets the limits. */
  allow(quotas?: Quotas, who?: string): Promise<void>;
  claim(reservation: Reservation): Promise<UsageNow>;
  /** A request that is accepted, or refused. */
  accept(now?: Date, quotas?: Quotas, who?: string): Promise<UsageNow>;
  /** The usage of a run that ended, not booked yet. */
  end(use: Partial<InvocationUsage>, who?: string): Promise<void>;
  book(who?: string): Promise<number>;
  usage(now?: Date, quotas?: Quotas): Promise<UsageNow>;
  used(): Promise<{ readonly month: number; readonly requests: number; readonly tokens: number }>;
  monthRow(): Promise<MonthRow | undefined>;
  /** How many reservations are neither accepted nor given back. */
  open(): Promise<number>;
  close(): Promise<void>;
}

interface MonthRow {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
  readonly uncosted: number;
}

export async function createLedgerWorld(): Promise<LedgerWorld> {
  const test = await createTestDatabase();
  const { database } = test;
  const warnings: string[] = [];
  const log = { warn: (_context: object, message: string) => void warnings.push(message) };
  const ledger = createUsageLedger({ database, log });
  const replica = testEngine === 'postgres' ? createDatabase(await test.openReplica(), test.options) : database;
  const other = createUsageLedger({ database: replica, log });
  let count = 0;
  let orgId = '';
  const allow: LedgerWorld['allow'] = async (quotas = plenty, who = orgId) => {
    await database.transaction((tx) =>
      tx.execute(sql`
        insert into organizations (id, name, model, plan, quotas, cutover, created_at, updated_at)
        values (${who}, ${who}, 'blueprints', 'enterprise', ${json(quotas)}, '{}', ${noon}, ${noon})
        on conflict (id) do update set quotas = excluded.quotas`),
    );
  };
  const claim: LedgerWorld['claim'] = (reservation) => database.transaction((tx) => ledger.claim(tx, reservation));
  const usage: LedgerWorld['usage'] = (now = noon, quotas = plenty) => readUsage(database, orgId, quotas, now);
  return {
    database,
    ledger,
    other,
    warnings,
    begin() {
      count += 1;
      orgId = `org-${count}`;
      return orgId;
    },
    allow,
    claim,
    async accept(now = noon, quotas = plenty, who = orgId) {
      await allow(quotas, who);
      return claim(await ledger.reserve(who, now));
    },
    async end(use, who = orgId) {
      const all = { askedAt: noon, now: noon, tokens: 0, costUsd: 0, isRefunded: false, ...use };
      const settled = settlement(who, all);
      await database.transaction((tx) => tx.execute(sql`with begun as (select 1) ${settled} select 1`));
    },
    book: (who = orgId) => database.transaction((tx) => bookSettlements(tx, who, 1_000)),
    usage,
    async used() {
      const { monthlyQuotaUsage, rateLimitUsage } = await usage();
      return {
        month: plenty.monthlyInvocations - monthlyQuotaUsage.remainingQuota,
        requests: plenty.hourlyRequests - rateLimitUsage.remainingRequests,
        tokens: plenty.hourlyTokens - rateLimitUsage.remainingTokens,
      };
    },
    monthRow: () =>
      database.first<MonthRow>(sql`
        select requests, tokens, cost_usd::float8 as cost, uncosted from ai_usage
        where org_id = ${orgId} and period = 'month'`),
    async open() {
      const all = await listReservations(database, new Date(8.64e15));
      return all.filter((each) => each.orgId === orgId).length;
    },
    async close() {
      await Promise.all([ledger.close(), other.close()]);
      await test.drop();
    },
  };
}
