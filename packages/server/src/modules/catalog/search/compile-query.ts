import type { SearchQuery, SearchRule } from '@portolan/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { isMetaName, metaCondition } from './meta-condition.ts';
import { compileRelatedTo } from './related-to.ts';
import { jsonCondition } from './value-condition.ts';

/** What a query is compiled for: the caller's organization, the clock, and how teams are named there. */
export interface CompileContext {
  readonly orgId: string;
  readonly now: Date;
  readonly teamForm: 'identifier' | 'title';
  /** Keys of the caller's teams: what the literal "My Teams" stands for. */
  readonly teamKeys: readonly string[];
}

/**
 * Compiles a query to a condition on `entities e`, with every value as a parameter. A property that a blueprint does
 * not have has no value there. No rules match everything (catalog semantics §3.2, §3.3).
 */
export function compileQuery(query: SearchQuery, context: CompileContext): Sql {
  if (query.rules.length === 0) return sql`true`;
  const parts = query.rules.map((rule) =>
    'combinator' in rule ? compileQuery(rule, context) : compileRule(rule, context),
  );
  return sql`(${join(parts, query.combinator === 'and' ? ' and ' : ' or ')})`;
}

function compileRule(rule: SearchRule, context: CompileContext): Sql {
  if (rule.operator === 'relatedTo') return compileRelatedTo(rule, context);
  if (isMetaName(rule.property)) return metaCondition(rule, context);
  return jsonCondition(propertyValue(rule.property), rule, context.now);
}

/** A property as JSON: written, else derived, else the value of a relation; `labels.key` reaches into an object. */
function propertyValue(property: string): Sql {
  const whole = sql`coalesce(e.properties -> ${property}, e.derived -> ${property}, e.relations -> ${property})`;
  const dot = property.indexOf('.');
  if (dot < 1) return whole;
  const head = property.slice(0, dot);
  const inner = property.slice(dot + 1);
  return sql`coalesce(e.properties -> ${property}, e.properties -> ${head} -> ${inner}, e.derived -> ${head} -> ${inner})`;
}
