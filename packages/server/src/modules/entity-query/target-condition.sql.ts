import type { RelationSearchRule, ScorecardSearchRule } from '@portolan/contract/search-query';
import sql, { raw, type Sql } from 'sql-template-tag';
import { ownValue } from '../../platform/collections.ts';
import { blueprintRelations } from '../blueprints/index.ts';
import type { CompileContext } from './compile-context.ts';
import { type Condition, not, toSql } from './condition.sql.ts';
import { propertyOperand, textOperand } from './operand.sql.ts';
import { readableRow } from './related-to.sql.ts';
import { type ValueRule, valueCondition } from './value-condition.sql.ts';

/** A rule on identifiers or titles of a relation's targets; false without such a relation. */
export function relationCondition(rule: RelationSearchRule, context: CompileContext): Condition {
  const { blueprint } = context;
  const relation = blueprint && ownValue(blueprintRelations(blueprint), rule.relation);
  const operand = relation && propertyOperand(blueprint, rule.relation);
  if (!operand) return false;
  if (rule.targetProperty !== '$title') {
    if (operand.slot) context.note?.(operand.slot);
    return valueCondition(operand, rule, context.now);
  }
  const from = sql`entity_relations r join entities e on e.org_id = r.org_id and e.key = r.target_key
    where r.org_id = ${context.orgId} and r.source_key = searched.key and r.relation = ${rule.relation}${readableRow(context)}`;
  const title = textOperand(raw('e.title'));
  return sql`exists (select 1 from (select e.key) as searched where ${toSql(anyRow(from, title, rule, context.now))})`;
}

/** The scorecards of a row: `{<id>: {level, rules: [{identifier, status, level}]}}`. */
const scorecards = raw('e.scorecards');

/** A rule on the level of a scorecard, or on the result of one of its rules. */
export function scorecardCondition(rule: ScorecardSearchRule, { now }: CompileContext): Condition {
  if (rule.scorecardRule === undefined) return valueCondition(levelOperand(rule.scorecard), rule, now);
  const from = ruleResults(rule.scorecard, rule.scorecardRule);
  return anyRow(from, textOperand(raw('outcome.word')), rule, now);
}

function levelOperand(scorecard: string) {
  return textOperand(sql`(${scorecards} -> ${scorecard}::text ->> 'level')`);
}

/** Names of a rule's result: its status, the word in its result entity, and its level. */
function ruleResults(scorecard: string, rule: string): Sql {
  return sql`jsonb_array_elements(case when jsonb_typeof(${scorecards} -> ${scorecard}::text -> 'rules') = 'array'
      then ${scorecards} -> ${scorecard}::text -> 'rules' else '[]' end) as result(item)
    cross join lateral (values (result.item ->> 'status'), (result.item ->> 'level'),
      (case result.item ->> 'status' when 'SUCCESS' then 'Passed' else 'Not passed' end)) as outcome(word)
    where result.item ->> 'identifier' = ${rule}`;
}

const positives: Readonly<Record<string, string>> = {
  '!=': '=',
  notIn: 'in',
  doesNotContains: 'contains',
  doesNotBeginsWith: 'beginsWith',
  doesNotEndsWith: 'endsWith',
  isEmpty: 'isNotEmpty',
};

/** A rule over several texts: any must match; for a negative rule all. */
function anyRow(from: Sql, text: ReturnType<typeof textOperand>, rule: ValueRule, now: Date): Condition {
  const positive = positives[rule.operator];
  if (positive !== undefined) return not(anyRow(from, text, { ...rule, operator: positive }, now));
  if (rule.operator === '=' && rule.value === null) return anyRow(from, text, { operator: 'isEmpty' }, now);
  return sql`exists (select 1 from ${from} and ${toSql(valueCondition(text, rule, now))})`;
}
