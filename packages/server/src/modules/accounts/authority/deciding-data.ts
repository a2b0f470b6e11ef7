import { actorAuthority, coversAuthority } from '../../../platform/authority.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { effectivePolicy } from '../../rights/index.ts';
import { everything, type Gain, type Permitted, permit } from './permit.ts';
import { listPlacedGrants } from './stored-grants.store.ts';

/** What of a blueprint changes that grants look at. */
export interface DecidingChange {
  readonly identifier: string;
  /** From whom its entities inherit their owners. */
  readonly isOwnership: boolean;
  /** How values are computed that policies may ask for. */
  readonly isComputed: boolean;
}

/**
 * A blueprint whose owners or computed values change, if its author holds what grants give by them: whoever decides how a
 * policy is answered decides whom it lets in. Which entity has which value is data, and for those who may write it.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitDecidingChange<T>(
  { tx, actor }: Pick<Work, 'tx' | 'actor'>,
  blueprint: T,
  { identifier, isOwnership, isComputed }: DecidingChange,
): Promise<Permitted<T>> {
  const held = actorAuthority(actor);
  if ((!isOwnership && !isComputed) || coversAuthority(held, everything)) return permit(held, blueprint, []);
  const placed = await listPlacedGrants(tx, actor.orgId);
  const decided = placed.filter(
    ({ grant }) => (isOwnership && grant.ownedByTeam === true) || effectivePolicy(grant) !== undefined,
  );
  const scopes = [...new Set(decided.flatMap((each) => each.scopes))];
  const gain: Gain = {
    change: `changing what rights are decided by in the blueprint "${identifier}"`,
    authority: { roles: ['Admin'], teamKeys: [], scopes },
  };
  return permit(held, blueprint, scopes.length === 0 ? [] : [gain]);
}
