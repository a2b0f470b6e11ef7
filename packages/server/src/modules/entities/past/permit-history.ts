import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { insufficientScope } from '../../../platform/scopes.ts';
import type { PastDeps } from './past.types.ts';

const day = 24 * 60 * 60 * 1000;
const daysByDefault = 365;
const scope = 'read:audit-log';

/**
 * What was is told by the journal, so a token needs the scope for it.
 * @throws AppError `insufficient_scope`; `invalid_request` for moments to come; `history_not_kept` for those whose records
 * may be deleted
 */
export function permitHistory(
  { clock, historyDays = daysByDefault }: PastDeps,
  actor: Actor,
  moments: readonly { readonly path: string; readonly at: Date }[],
): void {
  if (!scopesCover(actor.scopes, scope)) throw insufficientScope(scope);
  const now = clock.now();
  const early = moments.filter(({ at }) => at > now);
  if (early.length > 0) throw invalidRequest(early.map(({ path }) => ({ path, message: 'must not be in the future' })));
  const first = new Date(now.getTime() - historyDays * day);
  if (moments.every(({ at }) => at >= first)) return;
  const message = `The journal is kept for ${historyDays} days: ask for a moment after ${first.toISOString()}`;
  throw new AppError('history_not_kept', message, { details: { keptSince: first.toISOString() } });
}
