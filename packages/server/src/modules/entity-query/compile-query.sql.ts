import { isRecord } from '@portolan/contract/json-value';
import type { SchemaRule, SearchQuery, SearchRule } from '@portolan/contract/search-query';
import type { ContextValue, Scalar } from '@portolan/contract/search-values';
import sql, { raw, type Sql } from 'sql-template-tag';
import { invalidRequest } from '../../platform/errors.ts';
import { blueprintProperties, type StoredBlueprint } from '../blueprints/index.ts';
import type { CompileContext } from './compile-context.ts';
import { and, type Condition, or, toSql } from './condition.sql.ts';
import { constantCondition } from './constant-condition.ts';
import { anyOperand, constantOperand, metaOperand, type Operand, propertyOperand, textOperand } from './operand.sql.ts';
import { pathCondition } from './path-condition.sql.ts';
import { relatedToCondition } from './related-to.sql.ts';
import { relationCondition, scorecardCondition } from './target-condition.sql.ts';
import { teamCondition } from './team-condition.sql.ts';
import { type ValueRule, valueCondition } from './value-condition.sql.ts';

/**
 * Compiles a query to a condition on `entities e` of one blueprint, with every value as a parameter; no text in a query
 * can make the statement fail. A rule on something the blueprint lacks is false. No rules match everything (catalog
 * semantics §3.1-§3.3).
 */
export function compileQuery(query: SearchQuery, context: CompileContext): Sql {
  return toSql(compileCondition(query, context));
}

/** The same, as a boolean if no row needs to be read. */
export function compileCondition(query: SearchQuery, context: CompileContext): Condition {
  if (query.rules.length === 0) return true;
  const parts = query.rules.map((rule) =>
    'combinator' in rule ? compileCondition(rule, context) : compileRule(rule, context),
  );
  const whole = query.combinator === 'and' ? and(parts) : or(parts);
  if (typeof whole !== 'boolean') assertFits(whole.values.length);
  return whole;
}

/** A statement takes 65,535 parameters, some of which belong to its other parts. */
const parametersMax = 60_000;

/** @throws AppError `invalid_request` for more parameters than a statement takes */
export function assertFits(parameters: number): void {
  if (parameters <= parametersMax) return;
  throw invalidRequest(
    [{ path: '', message: 'compares more than can be compared at once; ask in parts' }],
    'The query',
  );
}

function compileRule(rule: SearchRule, context: CompileContext): Condition {
  if ('scorecard' in rule) return scorecardCondition(rule, context);
  if ('relation' in rule) return relationCondition(rule, context);
  if ('propertySchema' in rule) return schemaCondition(rule, context);
  if (rule.operator === 'relatedTo') return !context.isUnrelated && relatedToCondition(rule, context);
  const { property } = rule;
  if (rule.operator === 'matchAny') {
    const value = plainValue(rule.value, 'matchAny', context);
    if (value === undefined) return false;
    const identifiers = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
    if (typeof property === 'object' && 'path' in property) {
      return !context.isUnrelated && pathCondition(property, identifiers, context);
    }
    return comparison(property, { operator: 'in', value: identifiers }, context);
  }
  if (!('value' in rule)) return comparison(property as string, { operator: rule.operator }, context);
  const value = plainValue(rule.value, rule.operator, context);
  if (value === undefined) return false;
  const operator = Array.isArray(value) && !Array.isArray(rule.value) ? overList(rule.operator) : rule.operator;
  return comparison(property as string | ContextValue, { operator, value }, context);
}

/** Replaces a reference to the caller by its values; undefined if there are none, which makes the rule false. */
function plainValue(value: unknown, operator: string, context: CompileContext): ValueRule['value'] {
  if (Array.isArray(value)) return value.flatMap((each) => templated(each, context) ?? [each as Scalar]);
  const isReference = isRecord(value) && 'context' in value;
  const values = isReference ? callerValues(value as ContextValue, context) : templated(value, context);
  if (!values) return value as ValueRule['value'];
  if (values.length === 0) return undefined;
  return values.length === 1 || !takesList.has(operator) ? (values[0] as Scalar) : [...values];
}

function callerValues(reference: ContextValue, { caller }: CompileContext): Scalar[] {
  return (caller?.(reference) ?? []).filter((each) => each !== null);
}

/** Texts that other portals send in place of the caller (catalog semantics §3.7). */
function templated(value: unknown, context: CompileContext): Scalar[] | undefined {
  const name = typeof value === 'string' ? callerTemplate.exec(value)?.[1] : undefined;
  if (name === undefined) return undefined;
  if (name === 'Email') return callerValues({ context: 'user', property: '$identifier' }, context);
  if (name === 'FullName') return callerValues({ context: 'user', property: '$title' }, context);
  return callerValues({ context: 'userTeams', property: `$${context.teamForm}` }, context);
}

const callerTemplate = /^\{\{\s*getUser(Teams|Email|FullName)\(\)\s*\}\}$/;

const takesList = new Set(['=', '!=', 'in', 'notIn', 'contains', 'doesNotContains', 'containsAny', 'matchAny']);

/** With several values `=` means "one of them". */
function overList(operator: string): string {
  return operator === '=' ? 'in' : operator === '!=' ? 'notIn' : operator;
}

function comparison(property: string | ContextValue, rule: ValueRule, context: CompileContext): Condition {
  if (typeof property !== 'string') {
    const values = callerValues(property, context);
    if (values.length === 0) return false;
    const value = property.context === 'user' && values.length === 1 ? values[0] : values;
    return valueCondition(constantOperand(value), rule, context.now);
  }
  if (property === '$team') return teamCondition(rule, context);
  const { blueprint, hidden } = context;
  if (hidden?.has(property)) return false;
  if (property === '$blueprint') return blueprintCondition(rule, context);
  const named = blueprint ? propertyOperand(blueprint, property) : anyOperand(property);
  const operand = property.startsWith('$') ? metaOperand(property) : named;
  if (!operand) return false;
  if (rule.operator.endsWith('Expired') && blueprint && !isTimer(property, blueprint)) return false;
  note(operand, rule.operator, context);
  return valueCondition(operand, rule, context.now);
}

function blueprintCondition(rule: ValueRule, { blueprint, orgId, now }: CompileContext): Condition {
  if (blueprint) return constantCondition(blueprint.identifier, rule);
  const condition = toSql(valueCondition(textOperand(raw('b.identifier')), rule, now));
  return sql`e.blueprint_key in (select b.key from blueprints b where b.org_id = ${orgId} and ${condition})`;
}

function isTimer(property: string, blueprint: StoredBlueprint): boolean {
  const properties = blueprintProperties(blueprint);
  return Object.hasOwn(properties, property) && properties[property]?.format === 'timer';
}

/** Operators that an index on the value can serve. */
const indexed = new Set(['=', 'in', 'containsAny', '>', '>=', '<', '<=', 'between', 'isEmpty']);

function note({ slot }: Operand, operator: string, context: CompileContext): void {
  if (slot && indexed.has(operator)) context.note?.(slot);
}

/** Any property of the schema; a negative rule must hold for all. Blueprints without such a property do not match. */
function schemaCondition(rule: SchemaRule, context: CompileContext): Condition {
  const { type, format, items } = rule.propertySchema;
  if (!context.blueprint) return false;
  const conditions = Object.entries(blueprintProperties(context.blueprint)).flatMap(([key, property]) => {
    if (property.type !== type || (format !== undefined && property.format !== format)) return [];
    const isOfItems =
      items === undefined ||
      (property.items?.type === items.type && (items.format === undefined || property.items.format === items.format));
    return isOfItems ? [comparison(key, rule, context)] : [];
  });
  if (conditions.length === 0) return false;
  const isNegative = rule.operator === '!=' || rule.operator === 'notIn' || rule.operator.startsWith('doesNot');
  return isNegative ? and(conditions) : or(conditions);
}
