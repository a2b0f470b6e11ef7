import { isIdQuery } from '@portolan/contract/id-query';
import type { WebhookMapping } from '@portolan/contract/webhooks';
import type { MappedEvent, MappedItem } from '@portolan/jq';
import { mappingOperation } from './webhook.ts';

/** What one mapping made of one event, before it is written. */
export interface MappedPart {
  readonly mapping: WebhookMapping;
  readonly mapped: MappedEvent;
}

export interface PlannedItem<Part extends MappedPart> {
  readonly part: Part;
  readonly item: MappedItem;
}

/** Writes of one blueprint that go into one transaction, or the deletions of one mapping of one event. */
export interface PlannedWrite<Part extends MappedPart> {
  readonly type: 'create' | 'delete';
  readonly blueprint: string;
  readonly items: PlannedItem<Part>[];
}

/** Entities in one transaction. */
const itemsMax = 100;

/**
 * Puts what a number of events ask for into as few writes as come to the same as one after another:
 * - within a blueprint the order stays, and one write names an entity once;
 * - creating in another blueprint in between changes nothing, as missing targets are made and later filled;
 * - what is deleted, or described by a query, depends on all before it, so nothing moves across it.
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

/** Whether entities are looked for: what is found depends on everything that was written before. */
function isDescribed({ body }: MappedItem): boolean {
  const { identifier, team, relations } = body;
  return typeof identifier !== 'string' || [team, ...Object.values(relations ?? {})].some(isIdQuery);
}
