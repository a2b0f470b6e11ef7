import type { OrganizationDocuments } from './documents.ts';
import { findManualItems } from './find-manual-items.ts';
import type { ManualItem, RecheckedItem, RemovedRelation } from './plan.ts';

/**
 * What has become of items of an earlier run in the documents as they are now, before or after the migration;
 * afterwards `removedRelations` tells what it removed.
 */
export function recheck(
  items: readonly ManualItem[],
  documentsNow: OrganizationDocuments,
  removedRelations: readonly RemovedRelation[] = [],
): RecheckedItem[] {
  const found = new Map(findManualItems(documentsNow, { removedRelations }).map((item) => [item.id, item]));
  return items.map((item) => {
    const now = found.get(item.id);
    if (now === undefined) return { item, state: 'done' };
    return { item, state: now.verdict === 'mentions' ? 'mentions' : 'broken', now };
  });
}
