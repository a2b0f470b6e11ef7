import { createHash } from 'node:crypto';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { metaOperand, propertyOperand, type Slot, slotExpression } from './operand.sql.ts';

/** A value that an index could be made for; `slot` comes from `writeSlot`. */
export interface IndexedValue {
  readonly orgId: string;
  readonly blueprintKey: number;
  readonly slot: string;
}

/** Indexes with this prefix are managed here: unknown ones are dropped. */
export const namePrefix = 'entities_used_';

/** Stored as `column:form:key`. */
export function writeSlot({ column, form, key }: Slot): string {
  return `${column}:${form}:${key}`;
}

/** Undefined unless written by `writeSlot`. */
function readSlot(text: string): Slot | undefined {
  const parts = /^(properties|derived|relations|title|updated_at):(text|number|plain):(.*)$/s.exec(text);
  if (!parts) return undefined;
  const [, column, form, key = ''] = parts;
  return { column: column as Slot['column'], form: form as Slot['form'], key };
}

/** Equal for equal values on every replica, without text of users. */
export function indexName({ orgId, blueprintKey, slot }: IndexedValue): string {
  const hash = createHash('sha256').update(JSON.stringify([orgId, blueprintKey, slot]));
  return `${namePrefix}${hash.digest('hex').slice(0, 24)}`;
}

const plainOrganization = /^[A-Za-z0-9_-]{1,100}$/;

/** The text after the names in `create index … on entities` and `create statistics`. */
export interface IndexText {
  readonly index: string;
  /** The server keeps none for partial indexes, and would assume every value in one of 200 rows. */
  readonly statistics: string;
}

/**
 * The expression exactly as in queries, which makes the index usable, then the key, so that pages follow it. Undefined
 * if a name would need quoting: such values have no index.
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

/** Whether entities of the blueprint still have the value in the index's form. */
export function isCurrent(blueprint: StoredBlueprint | undefined, slot: string): boolean {
  const read = readSlot(slot);
  if (!read || !blueprint) return false;
  const meta = metaNames[read.column];
  const operand = meta === undefined ? propertyOperand(blueprint, read.key) : metaOperand(meta);
  return operand?.slot !== undefined && writeSlot(operand.slot) === slot;
}

const metaNames: Readonly<Record<string, string>> = { title: '$title', updated_at: '$updatedAt' };
