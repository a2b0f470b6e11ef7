import { createHash } from 'node:crypto';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { metaOperand, propertyOperand, type Slot, slotExpression } from './operand.ts';

/** A value of one blueprint's entities that an index could be made for. `slot` is what `writeSlot` made of it. */
export interface IndexedValue {
  readonly orgId: string;
  readonly blueprintKey: number;
  readonly slot: string;
}

/** Indexes of these names are this module's alone: those it does not know are removed. */
export const namePrefix = 'entities_used_';

/** As it is stored: `column:form:key`. */
export function writeSlot({ column, form, key }: Slot): string {
  return `${column}:${form}:${key}`;
}

/** Undefined for text that `writeSlot` never made. */
function readSlot(text: string): Slot | undefined {
  const parts = /^(properties|derived|relations|title|updated_at):(text|number|plain):(.*)$/s.exec(text);
  if (!parts) return undefined;
  const [, column, form, key = ''] = parts;
  return { column: column as Slot['column'], form: form as Slot['form'], key };
}

/** The same for the same value on every replica, and no word of anybody's in it. */
export function indexName({ orgId, blueprintKey, slot }: IndexedValue): string {
  const hash = createHash('sha256').update(JSON.stringify([orgId, blueprintKey, slot]));
  return `${namePrefix}${hash.digest('hex').slice(0, 24)}`;
}

const plainOrganization = /^[A-Za-z0-9_-]{1,100}$/;

/** What follows the names in `create index … on entities` and `create statistics`. */
export interface IndexText {
  readonly index: string;
  /** The server keeps none for partial indexes: it would take every value to be in one of 200 rows. */
  readonly statistics: string;
}

/**
 * The expression exactly as queries have it, else it would not be recognized, then the key, so that pages can be read in
 * its order. Undefined where a name would have to be quoted: such values are searched without an index.
 */
export function indexText({ orgId, blueprintKey, slot }: IndexedValue): IndexText | undefined {
  const read = readSlot(slot);
  if (!read || !plainOrganization.test(orgId) || !Number.isSafeInteger(blueprintKey)) return undefined;
  const expression = slotExpression(read);
  if (expression === undefined) return undefined;
  return {
    index: `((${expression}), key) where org_id = '${orgId}' and blueprint_key = ${blueprintKey}::bigint`,
    statistics: `(mcv) on org_id, blueprint_key, (${expression}) from entities`,
  };
}

/** Whether entities of the blueprint still have the value, in the form that the index holds. */
export function isCurrent(blueprint: StoredBlueprint | undefined, slot: string): boolean {
  const read = readSlot(slot);
  if (!read || !blueprint) return false;
  const meta = metaNames[read.column];
  const operand = meta === undefined ? propertyOperand(blueprint, read.key) : metaOperand(meta);
  return operand?.slot !== undefined && writeSlot(operand.slot) === slot;
}

const metaNames: Readonly<Record<string, string>> = { title: '$title', updated_at: '$updatedAt' };
