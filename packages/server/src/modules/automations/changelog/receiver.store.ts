import sql from 'sql-template-tag';
import type { Tx } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';

interface Receiver {
  readonly orgId: string;
  readonly target: string;
}

const changelogReceiverFailures = row(fields('changelog_receivers', 'failures'));

/**
 * Claims exclusive sending to a receiver until a moment. Returns its consecutive failures, or undefined if it is
 * claimed or paused.
 */
export async function claimReceiver(
  tx: Tx,
  { orgId, target }: Receiver,
  now: Date,
  until: Date,
): Promise<number | undefined> {
  await tx.execute(sql`
    insert into changelog_receivers (org_id, target) values (${orgId}, ${target})
    on conflict (org_id, target) do nothing`);
  const row = await tx.first(changelogReceiverFailures.sql`
    update changelog_receivers set busy_until = ${until}
    where org_id = ${orgId} and target = ${target} and (busy_until is null or busy_until <= ${now})
      and (next_attempt_at is null or next_attempt_at <= ${now})
    returning failures`);
  return row?.failures;
}

export async function releaseReceiver(
  tx: Tx,
  { orgId, target }: Receiver,
  outcome: {
    readonly now: Date;
    readonly hasSent: boolean;
    readonly problem?: string | undefined;
    /** Set to pause the receiver until a moment. */
    readonly nextAttemptAt?: Date | undefined;
  },
): Promise<void> {
  const { now, hasSent, problem = null, nextAttemptAt } = outcome;
  await tx.execute(
    nextAttemptAt
      ? sql`
        update changelog_receivers set busy_until = null, failures = failures + 1, next_attempt_at = ${nextAttemptAt},
          failing_since = coalesce(failing_since, ${now}), last_error = ${problem},
          last_sent_at = case when ${hasSent} then ${now}::timestamptz else last_sent_at end
        where org_id = ${orgId} and target = ${target}`
      : sql`
        update changelog_receivers set busy_until = null, failures = 0, failing_since = null, next_attempt_at = null,
          last_error = coalesce(${problem}, last_error),
          last_sent_at = case when ${hasSent} then ${now}::timestamptz else last_sent_at end
        where org_id = ${orgId} and target = ${target}`,
  );
}

export async function deleteReceiver(tx: Tx, { orgId, target }: Receiver): Promise<void> {
  await tx.execute(sql`delete from changelog_receivers where org_id = ${orgId} and target = ${target}`);
}
