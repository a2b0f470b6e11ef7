import sql, { raw, type Sql } from 'sql-template-tag';
import { ownValue } from '../../platform/collections.ts';
import { momentOfText } from '../../platform/moments.ts';
import { propertiesOf, relationsOf, type StoredBlueprint } from '../blueprints/index.ts';

/** What a value of a row can be; `json` where it is not known before. */
export type OperandType = 'text' | 'number' | 'boolean' | 'array' | 'object' | 'json';

/** A value of the row that rules compare, sort and group by. */
export interface Operand {
  readonly type: OperandType;
  readonly json: Sql;
  readonly text: Sql;
  /** The text as an index holds it: its first characters, in byte order. */
  readonly key: Sql;
  /** Texts of this length and more are cut in `key`. */
  readonly keyLength: number;
  readonly number: Sql;
  readonly moment: Sql;
  /** Text that stands for a moment: equal when the moments are. */
  readonly isMoment: boolean;
  /** A list of links: one without members is the same as none. */
  readonly isLinks?: boolean;
  /** A moment that is a column, not a text. */
  readonly isColumnMoment?: boolean;
  /** The place an index could be made for; absent where none would help. */
  readonly slot?: Slot;
}

/** What an index that follows use is made of: a column, a key in it, and the form in which it is compared. */
export interface Slot {
  readonly column: 'properties' | 'derived' | 'relations' | 'title' | 'updated_at';
  readonly key: string;
  readonly form: 'text' | 'number' | 'plain';
}

/** Keys of an index are cut here: a page of the index holds rows of a third of its size at most, or refuses them. */
const keyLengthMax = 256;

const plainKey = /^[A-Za-z0-9@_=-]{1,100}$/;

/** A key in the text of the statement, so that it is recognized as the expression of an index; else as a parameter. */
function literalKey(key: string): Sql {
  return plainKey.test(key) ? raw(`'${key}'`) : sql`${key}::text`;
}

/**
 * The value of a property, derived property or relation by its key, in this order where they share one; undefined if the
 * blueprint has none of it. `relations.<key>` is always the relation.
 */
export function propertyOperand(blueprint: StoredBlueprint, name: string): Operand | undefined {
  const property = ownValue(propertiesOf(blueprint), name);
  if (property) {
    const isMoment = property.type === 'string' && (property.format === 'date-time' || property.format === 'timer');
    const type = property.type === 'string' ? 'text' : (property.type as OperandType);
    return jsonOperand('properties', name, type, isMoment);
  }
  const derived = derivedType(blueprint, name);
  if (derived) return jsonOperand('derived', name, derived, false);
  return relationOperand(blueprint, name) ?? innerOperand(blueprint, name) ?? namedRelation(blueprint, name);
}

function relationOperand(blueprint: StoredBlueprint, key: string): Operand | undefined {
  const relation = ownValue(relationsOf(blueprint), key);
  if (!relation) return undefined;
  const operand = jsonOperand('relations', key, relation.many ? 'array' : 'text', false);
  return relation.many ? { ...operand, isLinks: true } : operand;
}

function namedRelation(blueprint: StoredBlueprint, name: string): Operand | undefined {
  return name.startsWith('relations.') ? relationOperand(blueprint, name.slice('relations.'.length)) : undefined;
}

/** The value of whatever a blueprint calls so. */
export function anyOperand(name: string): Operand {
  const key = literalKey(name);
  return describe(
    'json',
    sql`coalesce(e.properties -> ${key}, e.derived -> ${key}, e.relations -> ${key})`,
    sql`coalesce(e.properties ->> ${key}, e.derived ->> ${key}, e.relations ->> ${key})`,
  );
}

/** What is derived may be anything its path or expression leads to; only figures are surely figures. */
function derivedType({ definition }: StoredBlueprint, name: string): OperandType | undefined {
  if (ownValue(definition.aggregationProperties ?? {}, name)) return 'number';
  const calculation = ownValue(definition.calculationProperties ?? {}, name);
  if (calculation) return calculation.type === 'number' ? 'number' : 'json';
  return ownValue(definition.mirrorProperties ?? {}, name) ? 'json' : undefined;
}

/** `labels.key` reaches into an object property. */
function innerOperand(blueprint: StoredBlueprint, name: string): Operand | undefined {
  const dot = name.indexOf('.');
  const head = name.slice(0, dot);
  const inner = name.slice(dot + 1);
  if (dot < 1 || inner === '') return undefined;
  const isObject = ownValue(propertiesOf(blueprint), head)?.type === 'object';
  if (!isObject && derivedType(blueprint, head) !== 'json') return undefined;
  const column = isObject ? raw('e.properties') : raw('e.derived');
  return describe(
    'json',
    sql`(${column} -> ${literalKey(head)} -> ${inner}::text)`,
    sql`(${column} -> ${literalKey(head)} ->> ${inner}::text)`,
  );
}

function jsonOperand(
  column: 'properties' | 'derived' | 'relations',
  key: string,
  type: OperandType,
  isMoment: boolean,
): Operand {
  const from = raw(`e.${column}`);
  const operand = describe(type, sql`(${from} -> ${literalKey(key)})`, sql`(${from} ->> ${literalKey(key)})`);
  const form = type === 'number' ? 'number' : 'text';
  const canIndex = plainKey.test(key) && type !== 'array' && type !== 'object';
  return { ...operand, isMoment, ...(canIndex ? { slot: { column, key, form } } : {}) };
}

/**
 * The value of a slot as operands of the slot write it, of a row without a name: the expression of an index. Undefined for
 * a key that operands pass as a parameter.
 */
export function slotExpression({ column, key, form }: Slot): string | undefined {
  if (form === 'plain') return column;
  if (column === 'title' || column === 'updated_at') return keyOf(raw(column)).sql;
  if (!plainKey.test(key)) return undefined;
  const json = sql`(${raw(column)} -> ${literalKey(key)})`;
  const text = sql`(${raw(column)} ->> ${literalKey(key)})`;
  return (form === 'number' ? numberOf(json, text) : keyOf(text)).sql;
}

function keyOf(text: Sql): Sql {
  return sql`(left(${text}, ${raw(String(keyLengthMax))}) collate "C")`;
}

function numberOf(json: Sql, text: Sql): Sql {
  return sql`(case when jsonb_typeof(${json}) = 'number' then ${text}::numeric end)`;
}

function describe(type: OperandType, json: Sql, text: Sql): Operand {
  const isText = type === 'text' ? text : sql`case when jsonb_typeof(${json}) = 'string' then ${text} end`;
  return {
    type,
    json,
    text: isText,
    key: keyOf(text),
    keyLength: keyLengthMax,
    number: numberOf(json, text),
    moment: momentOfText(isText),
    isMoment: false,
  };
}

/** A value that is the same for every row. */
export function constantOperand(value: unknown): Operand {
  const json = sql`${JSON.stringify(value)}::jsonb`;
  return describe('json', json, sql`(${json} #>> '{}')`);
}

/** The meta-properties that are columns (catalog semantics §1.4). */
export function metaOperand(name: string): Operand | undefined {
  return ownValue(metaOperands, name);
}

/** A column of text. */
export function textOperand(column: Sql, slot?: Slot): Operand {
  return {
    ...describe('text', sql`to_jsonb(${column})`, sql`(${column} collate "default")`),
    key: column,
    keyLength: Number.POSITIVE_INFINITY,
    ...(slot ? { slot } : {}),
  };
}

function timeOperand(column: Sql, slot?: Slot): Operand {
  const text = sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return { ...textOperand(text, slot), moment: column, isMoment: true, isColumnMoment: true };
}

const metaOperands: Readonly<Record<string, Operand>> = {
  $identifier: textOperand(raw('e.identifier')),
  $title: {
    ...describe('text', raw('to_jsonb(e.title)'), raw('e.title')),
    slot: { column: 'title', key: '', form: 'text' },
  },
  $icon: textOperand(raw('e.icon')),
  $createdAt: timeOperand(raw('e.created_at')),
  $updatedAt: timeOperand(raw('e.updated_at'), { column: 'updated_at', key: '', form: 'plain' }),
  $createdBy: textOperand(raw('e.created_by')),
  $updatedBy: textOperand(raw('e.updated_by')),
  $datasource: textOperand(raw('e.datasource')),
};
