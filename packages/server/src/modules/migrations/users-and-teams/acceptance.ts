import { isDeepStrictEqual } from 'node:util';
import type { UsersAndTeamsAcceptance } from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import type { Acceptance, AcceptedChange } from './acceptance.store.ts';

/** What somebody who accepts the suggestion of an item agrees to; as it is stored, with nothing undefined. */
export function toAcceptedChange({ before, suggestion }: ManualItem): AcceptedChange {
  return JSON.parse(JSON.stringify({ before, edits: suggestion?.edits ?? [] })) as AcceptedChange;
}

/** Whether what was accepted is what is suggested. */
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
