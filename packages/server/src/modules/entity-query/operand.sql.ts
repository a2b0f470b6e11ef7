import sql, { raw, type Sql } from 'sql-template-tag';
import { ownValue } from '../../platform/collections.ts';
import { momentOfText } from '../../platform/db/moment.sql.ts';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';

/** The type of a value; `json` if unknown. */
export type OperandType = 'text' | 'number' | 'boolean' | 'array' | 'object' | 'json';

/** A value of the row to compare, sort and group by. */
export interface Operand {
  readonly type: OperandType;
  readonly json: Sql;
  readonly text: Sql;
  /** The text as in an index: a prefix in byte order. */
  readonly key: Sql;
  /** Texts of this length and more are cut in `key`. */
  readonly keyLength: number;
  readonly number: Sql;
  readonly moment: Sql;
  /** Text that means a moment: equal moments are equal. */
  readonly isMoment: boolean;
  /** A list of links: empty is the same as none. */
  readonly isLinks?: boolean;
  readonly isColumnMoment?: boolean;
  /** The value an index could be made for; absent if none would help. */
  readonly slot?: Slot;
}

/** A value an index can be made for: a column, a key in it, and the form compared. */
export interface Slot {
  readonly column: 'properties' | 'derived' | 'relations' | 'title' | 'updated_at';
  readonly key: string;
  readonly form: 'text' | 'number' | 'plain';
}

/** Index keys are cut here: an index page holds rows of at most a third of its size. */
const keyLengthMax = 256;

const plainKey = /^[A-Za-z0-9@_=-]{1,100}$/;

/** A literal key, so that the statement matches the expression of an index; otherwise a parameter. */
function literalKey(key: string): Sql {
  return plainKey.test(key) ? raw(`'${key}'`) : sql`${key}::text`;
}

/**
 * The value of a property, derived property or relation by key, in this order; undefined if the blueprint has none.
 * `relations.<key>` is always the relation.
 */
export function propertyOperand(blueprint: StoredBlueprint, name: string): Operand | undefined {
  const property = ownValue(blueprintProperties(blueprint), name);
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
  const relation = ownValue(blueprintRelations(blueprint), key);
  if (!relation) return undefined;
  const operand = jsonOperand('relations', key, relation.many ? 'array' : 'text', false);
  return relation.many ? { ...operand, isLinks: true } : operand;
}

function namedRelation(blueprint: StoredBlueprint, name: string): Operand | undefined {
  return name.startsWith('relations.') ? relationOperand(blueprint, name.slice('relations.'.length)) : undefined;
}

/** The value of this name in any blueprint. */
export function anyOperand(name: string): Operand {
  const key = literalKey(name);
  return describe(
    'json',
    sql`coalesce(e.properties -> ${key}, e.derived -> ${key}, e.relations -> ${key})`,
    sql`coalesce(e.properties ->> ${key}, e.derived ->> ${key}, e.relations ->> ${key})`,
  );
}

/** The type of a derived value is unknown, except for aggregations, which are numbers. */
function derivedType({ definition }: StoredBlueprint, name: string): OperandType | undefined {
  if (ownValue(definition.aggregationProperties ?? {}, name)) return 'number';
  const calculation = ownValue(definition.calculationProperties ?? {}, name);
  if (calculation) return calculation.type === 'number' ? 'number' : 'json';
  return ownValue(definition.mirrorProperties ?? {}, name) ? 'json' : undefined;
}

/** `labels.key`: a key inside an object property. */
function innerOperand(blueprint: StoredBlueprint, name: string): Operand | undefined {
  const dot = name.indexOf('.');
  const head = name.slice(0, dot);
  const inner = name.slice(dot + 1);
  if (dot < 1 || inner === '') return undefined;
  const isObject = ownValue(blueprintProperties(blueprint), head)?.type === 'object';
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
 * The expression of an index, without a row name, as operands of the slot write it. Undefined for keys that are
 * parameters.
 */
export function slotExpression({ column, key, form }: Slot): string | undefined {
  if (form === 'plain') return column;
  if (column === 'title' || column === 'updated_at') return textIndexKey(raw(column)).sql;
  if (!plainKey.test(key)) return undefined;
  const json = sql`(${raw(column)} -> ${literalKey(key)})`;
  const text = sql`(${raw(column)} ->> ${literalKey(key)})`;
  return (form === 'number' ? numericValue(json, text) : textIndexKey(text)).sql;
}

function textIndexKey(text: Sql): Sql {
  return sql`(left(${text}, ${raw(String(keyLengthMax))}) collate "C")`;
}

function numericValue(json: Sql, text: Sql): Sql {
  return sql`(case when jsonb_typeof(${json}) = 'number' then ${text}::numeric end)`;
}

function describe(type: OperandType, json: Sql, text: Sql): Operand {
  const isText = type === 'text' ? text : sql`case when jsonb_typeof(${json}) = 'string' then ${text} end`;
  return {
    type,
    json,
    text: isText,
    key: textIndexKey(text),
    keyLength: keyLengthMax,
    number: numericValue(json, text),
    moment: momentOfText(isText),
    isMoment: false,
  };
}

export function constantOperand(value: unknown): Operand {
  const json = sql`${JSON.stringify(value)}::jsonb`;
  return describe('json', json, sql`(${json} #>> '{}')`);
}

/** The meta-properties that are columns (catalog semantics §1.4). */
export function metaOperand(name: string): Operand | undefined {
  return ownValue(metaOperands, name);
}

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
