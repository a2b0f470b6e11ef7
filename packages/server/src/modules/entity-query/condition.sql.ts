import sql, { join, type Sql } from 'sql-template-tag';

/**
 * A condition on a row: a constant, or SQL that is true if it holds. Otherwise the SQL is false or null; only `not`
 * handles both, so only `not` may negate.
 */
export type Condition = boolean | Sql;

/** Entities of a blueprint, of those in `entities e`. */
export function ofBlueprint(key: number): Sql {
  return sql`e.blueprint_key = ${key}`;
}

/** Those of several blueprints. */
export function ofBlueprints(keys: readonly number[]): Sql {
  return sql`e.blueprint_key = any(${keys}::bigint[])`;
}

export function withKeys(keys: readonly number[]): Sql {
  return sql`e.key = any(${keys}::bigint[])`;
}

export function and(parts: readonly Condition[]): Condition {
  if (parts.includes(false)) return false;
  return joined(parts.filter(isSql), ' and ', true);
}

export function or(parts: readonly Condition[]): Condition {
  if (parts.includes(true)) return true;
  return joined(parts.filter(isSql), ' or ', false);
}

/** Everything the condition does not hold for, including null. */
export function not(condition: Condition): Condition {
  return isSql(condition) ? sql`(${condition}) is not true` : !condition;
}

export function toSql(condition: Condition): Sql {
  if (isSql(condition)) return condition;
  return condition ? sql`true` : sql`false`;
}

function isSql(condition: Condition): condition is Sql {
  return typeof condition !== 'boolean';
}

function joined(parts: readonly Sql[], separator: string, none: boolean): Condition {
  const [first] = parts;
  if (!first) return none;
  return parts.length === 1 ? first : sql`(${join([...parts], separator)})`;
}
