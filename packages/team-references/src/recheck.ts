import type { OrganizationDocuments } from './documents.ts';
import { documentsByResource, resourceKey } from './documents-by-resource.ts';
import { findManualItems } from './find-manual-items.ts';
import { valueAt } from './json-pointer.ts';
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
  const documents = documentsByResource(documentsNow);
  const found = new Map(findManualItems(documentsNow, { removedRelations }).map((item) => [item.id, item]));
  return items.map((item) => {
    const now = found.get(item.id);
    if (isHalfWritten(item, documents)) return { item, state: 'broken', ...(now ? { now } : {}) };
    if (now === undefined) return { item, state: 'done' };
    return { item, state: now.verdict === 'mentions' ? 'mentions' : 'broken', now };
  });
}

/** A suggestion that is a part of what has to be done stands there, and nobody did the rest. */
function isHalfWritten(
  { resource, pointer, suggestion }: ManualItem,
  documents: ReturnType<typeof documentsByResource>,
): boolean {
  if (!suggestion?.isPartial) return false;
  const document = documents.get(resourceKey(resource));
  return document !== undefined && JSON.stringify(valueAt(document, pointer)) === JSON.stringify(suggestion.value);
}
