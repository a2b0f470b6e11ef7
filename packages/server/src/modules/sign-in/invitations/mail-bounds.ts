import { lockCount } from '../../../platform/db/count-lock.store.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { nameKey } from '../../accounts/index.ts';
import { findNthMailed } from '../passwords/link.store.ts';

/** Mails of invitations that one address gets in an hour, whoever orders them. */
export const perPersonMax = 3;
/** Those of an organization. */
export const perOrganizationMax = 200;
const hourMs = 3_600_000;

/**
 * Whoever may invite must not fill the mailbox of a stranger. The mails are counted where they are ordered, by address,
 * so that taking an invitation back gives no more of them.
 * @throws AppError `too_many_requests`
 */
export async function assertMayMail({ tx, actor, now }: Work, address: string): Promise<void> {
  await lockCount(tx, actor.orgId, 'invitation-mails');
  const since = new Date(now.getTime() - hourMs);
  const toPerson = await findNthMailed(tx, actor.orgId, { since, nth: perPersonMax, to: nameKey(address) });
  if (toPerson) throw tooMany(`${perPersonMax} invitations were mailed to "${address}" in an hour`, toPerson, now);
  const toAnybody = await findNthMailed(tx, actor.orgId, { since, nth: perOrganizationMax });
  if (toAnybody) throw tooMany(`The organization mailed ${perOrganizationMax} invitations in an hour`, toAnybody, now);
}

function tooMany(what: string, oldest: Date, now: Date): AppError {
  const message = `${what}. Wait as long as Retry-After says, or invite without a mail and hand the link over`;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1000));
  return new AppError('too_many_requests', message, { retryAfterSeconds });
}
