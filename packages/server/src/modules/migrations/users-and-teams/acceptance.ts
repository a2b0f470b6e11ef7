import { isDeepStrictEqual } from 'node:util';
import type { UsersAndTeamsAcceptance } from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import type { Acceptance, AcceptedChange } from './acceptance.store.ts';

/** The change that accepting an item agrees to, as stored: without undefined values. */
export function toAcceptedChange({ before, suggestion }: ManualItem): AcceptedChange {
  return JSON.parse(JSON.stringify({ before, edits: suggestion?.edits ?? [] })) as AcceptedChange;
}

/** True if the accepted change is still the suggested one. */
export function isAccepted({ suggested }: Pick<Acceptance, 'suggested'>, item: ManualItem | undefined): boolean {
  return item?.suggestion !== undefined && isDeepStrictEqual(suggested, toAcceptedChange(item));
}

export function presentAcceptances(
  acceptances: readonly Acceptance[],
  manual: readonly ManualItem[],
): UsersAndTeamsAcceptance[] {
  const items = new Map(manual.map((item) => [item.id, item]));
  return acceptances.map((acceptance) => ({
    itemId: acceptance.itemId,
    at: acceptance.acceptedAt.toISOString(),
    by: acceptance.acceptedBy,
    isCurrent: isAccepted(acceptance, items.get(acceptance.itemId)),
  }));
}
