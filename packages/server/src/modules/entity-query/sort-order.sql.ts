import type { SortKey } from '@portolan/contract/search';
import sql, { join, type Sql } from 'sql-template-tag';
import { invalidRequest } from '../../platform/errors.ts';
import { parseMoment } from '../../platform/moments.ts';
import type { Position } from '../../platform/page-cursor.ts';
import type { CompileContext } from './compile-context.ts';
import { and, type Condition, or, toSql } from './condition.sql.ts';
import { shownOperand } from './displayed-operand.ts';
import type { Operand } from './operand.sql.ts';

interface Column {
  /** Null without a value to sort by. */
  readonly value: Sql;
  readonly cast: Sql;
  /** Validates a cursor's value, which comes from outside. */
  readonly isValue: (value: unknown) => boolean;
  readonly isDescending: boolean;
}

/** An order with keyset paging: pages continue where the last one ended, at any depth. */
export interface SortOrder {
  /**
   * The remaining rows after a position, as parts that an index can read in order. Entities without a value come last.
   */
  partsAfter(position: Position | undefined): readonly { readonly condition: Sql; readonly orderBy: Sql }[];
  /** Selected beside an entity, to become `Position.values`. */
  readonly values: Sql;
  /** Whether a cursor's position fits this order. */
  isPosition(position: Position): boolean;
  /** Identifies the order a cursor belongs to. */
  readonly id: string;
}

/** @throws AppError `invalid_request` for a property that cannot be sorted by */
export function sortOrder(sort: readonly SortKey[], context: CompileContext): SortOrder {
  const columns = sort.map((key, index) => toColumn(key, index, context));
  const [first, ...others] = columns;
  const id = JSON.stringify(sort.map(({ property, order }) => [property, order]));
  const tie = first?.isDescending ? sql`e.key desc` : sql`e.key`;
  const orderOfOthers = [...others.map(nullsLast), tie];
  const afterKey = (key: number) => (first?.isDescending ? sql`e.key < ${key}` : sql`e.key > ${key}`);
  return {
    id,
    values:
      columns.length === 0 ? sql`'[]'::jsonb` : sql`jsonb_build_array(${join(columns.map(({ value }) => value))})`,
    isPosition: ({ values }) =>
      values.length === columns.length &&
      columns.every(({ isValue }, index) => values[index] === null || isValue(values[index])),
    partsAfter(position) {
      if (!first) return [{ condition: toSql(position ? afterKey(position.key) : true), orderBy: tie }];
      const rest = position && afterOthers(others, position.values.slice(1), afterKey(position.key));
      const [last] = position?.values ?? [];
      const nulls = {
        condition: toSql(and([sql`${first.value} is null`, last === null && rest ? rest : true])),
        orderBy: join(orderOfOthers),
      };
      if (position && last === null) return [nulls];
      const bounds: Condition =
        position && rest && last !== undefined && last !== null ? compileBounds(first, last, rest) : true;
      return [
        {
          condition: toSql(and([sql`${first.value} is not null`, bounds])),
          orderBy: join([plain(first), ...orderOfOthers]),
        },
        nulls,
      ];
    },
  };
}

/** The first comparison lets an index start there; the second excludes the previous page. */
function compileBounds(column: Column, last: string | number, rest: Condition): Condition {
  const { value, cast, isDescending } = column;
  const bound = sql`${last}::${cast}`;
  const [from, beyond] = isDescending ? [sql`<=`, sql`<`] : [sql`>=`, sql`>`];
  return and([sql`${value} ${from} ${bound}`, or([sql`${value} ${beyond} ${bound}`, rest])]);
}

function afterOthers(columns: readonly Column[], values: Position['values'], afterKey: Sql): Condition {
  const [column, ...others] = columns;
  if (!column) return afterKey;
  const [last = null, ...remaining] = values;
  const rest = afterOthers(others, remaining, afterKey);
  const { value, cast, isDescending } = column;
  if (last === null) return and([sql`${value} is null`, rest]);
  const bound = sql`${last}::${cast}`;
  const beyond = isDescending ? sql`${value} < ${bound}` : sql`${value} > ${bound}`;
  return or([beyond, sql`${value} is null`, and([sql`${value} = ${bound}`, rest])]);
}

/** Without `nulls` in the order where a condition excludes them, an index can be read in either direction. */
function plain({ value, isDescending }: Column): Sql {
  return isDescending ? sql`${value} desc` : value;
}

function nullsLast(column: Column): Sql {
  return sql`${plain(column)} nulls last`;
}

function toColumn({ property, order }: SortKey, index: number, context: CompileContext): Column {
  const { blueprint, hidden } = context;
  const operand = shownOperand(property, blueprint, hidden);
  if (!operand || operand.type === 'array' || operand.type === 'object') {
    throw invalidRequest([{ path: `/sort/${index}/property`, message: 'is not a property that can be sorted by' }]);
  }
  if (operand.slot) context.note?.(operand.slot);
  return { ...readValue(operand), isDescending: order === 'desc' };
}

function readValue(operand: Operand): Omit<Column, 'isDescending'> {
  if (operand.isColumnMoment) {
    const isValue = (value: unknown) => typeof value === 'string' && parseMoment(value) !== undefined;
    return { value: operand.moment, cast: sql`timestamptz`, isValue };
  }
  if (operand.type === 'number') {
    return { value: operand.number, cast: sql`numeric`, isValue: (value) => Number.isFinite(value) };
  }
  const isValue = (value: unknown) => typeof value === 'string' && !value.includes('\0');
  return { value: operand.key, cast: sql`text`, isValue };
}
