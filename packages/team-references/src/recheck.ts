import type { OrganizationDocuments } from './documents.ts';
import { documentsByResource, resourceKey } from './documents-by-resource.ts';
import { findManualItems } from './find-manual-items.ts';
import { valueAt } from './json-pointer.ts';
import type { ManualItem, RecheckedItem, RemovedRelation } from './plan.ts';

/**
 * The state of items from an earlier plan in the current documents, before or after the migration. After it,
 * `removedRelations` lists what the migration removed.
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

/** A partial suggestion is written as is, without the manual rest. */
function isHalfWritten(
  { resource, pointer, suggestion }: ManualItem,
  documents: ReturnType<typeof documentsByResource>,
): boolean {
  if (!suggestion?.isPartial) return false;
  const document = documents.get(resourceKey(resource));
  return document !== undefined && JSON.stringify(valueAt(document, pointer)) === JSON.stringify(suggestion.value);
}
