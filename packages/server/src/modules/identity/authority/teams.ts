import { authorityOf } from '../../../platform/authority.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { carryingTeams } from './carried-rights.ts';
import { type Permitted, permit } from './permit.ts';

/**
 * A change that lets others than its author say who is in a team, if the author holds what the team gives: to make it the
 * identity provider's, or to call it by another name, by which groups of the provider find it.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitTeam<T>(
  { tx, actor }: Pick<Work, 'tx' | 'actor'>,
  team: T,
  key: string,
  what: (title: string) => string,
): Promise<Permitted<T>> {
  const carrying = await carryingTeams(tx, actor.orgId, [key]);
  const gains = carrying.map(({ title, scopes }) => ({
    change: what(title),
    authority: { roles: ['Member'], teamKeys: [key], scopes },
  }));
  return permit(authorityOf(actor), team, gains);
}
