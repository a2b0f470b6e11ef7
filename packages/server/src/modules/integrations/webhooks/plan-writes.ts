import { isIdQuery } from '@portolan/contract/id-query';
import type { WebhookMapping } from '@portolan/contract/webhooks';
import type { MappedEvent, MappedItem } from '@portolan/jq';
import { mappingOperation } from './webhook.ts';

export interface MappedPart {
  readonly mapping: WebhookMapping;
  readonly mapped: MappedEvent;
}

export interface PlannedItem<Part extends MappedPart> {
  readonly part: Part;
  readonly item: MappedItem;
}

/** Items of one blueprint written in one transaction, or the deletions of one mapping of one event. */
export interface PlannedWrite<Part extends MappedPart> {
  readonly type: 'create' | 'delete';
  readonly blueprint: string;
  readonly items: PlannedItem<Part>[];
}

/** Entities per transaction. */
const itemsMax = 100;

/**
 * Combines the writes of several events into as few as possible, with the same result as one after another. Within a
 * blueprint the order stays, and one write names an entity once. Creations in other blueprints may be reordered:
 * missing targets are created bare and filled later. Nothing moves across a deletion or a query, because both depend on
 * all writes before them.
 */
export function planWrites<Part extends MappedPart>(parts: readonly Part[]): PlannedWrite<Part>[] {
  const writes: PlannedWrite<Part>[] = [];
  const open = new Map<string, { readonly write: PlannedWrite<Part>; readonly names: Set<unknown> }>();
  for (const part of parts) {
    const { blueprint } = part.mapping;
    const type = mappingOperation(part.mapping).type;
    const planned = part.mapped.items.map((item) => ({ part, item }));
    if (type === 'delete') {
      open.clear();
      writes.push({ type, blueprint, items: planned });
      continue;
    }
    for (const each of planned) {
      const { identifier } = each.item.body;
      const bulk = open.get(blueprint);
      if (isDescribed(each.item)) {
        open.clear();
        writes.push({ type, blueprint, items: [each] });
      } else if (bulk && bulk.write.items.length < itemsMax && !bulk.names.has(identifier)) {
        bulk.write.items.push(each);
        bulk.names.add(identifier);
      } else {
        const write = { type, blueprint, items: [each] };
        writes.push(write);
        open.set(blueprint, { write, names: new Set([identifier]) });
      }
    }
  }
  return writes;
}

/** True if a query describes the entity or a target: its result depends on all earlier writes. */
function isDescribed({ body }: MappedItem): boolean {
  const { identifier, team, relations } = body;
  return typeof identifier !== 'string' || [team, ...Object.values(relations ?? {})].some(isIdQuery);
}
