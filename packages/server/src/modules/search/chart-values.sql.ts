import sql, { type Sql } from 'sql-template-tag';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type CompileContext, type Operand, shownOperand, teamNames } from '../entity-query/index.ts';

const prefixed =
  /^(?:(?:property|mirror-property|calculation-property|aggregation-property|relation)#|properties\.|relations\.)(.+)$/s;

/** What charts may call one value (catalog semantics §7.4): its bare name, or one that says what it is. */
function possibleNames(name: string): string[] {
  const bare = prefixed.exec(name)?.[1];
  return bare === undefined ? [name] : [name, bare];
}

function chartOperand(name: string, context: CompileContext): Operand | undefined {
  return shownOperand(plainName(name, context), context.blueprint, context.hidden);
}

/** Strips the prefix a chart may use, so that the blueprint's own name is left. */
export function plainName(name: string, { blueprint, hidden }: CompileContext): string {
  return possibleNames(name).find((each) => shownOperand(each, blueprint, hidden)) ?? name;
}

/** SQL for a number of row `e`, null for other values; undefined if the named value is never a number. */
export function chartNumber(name: string, context: CompileContext): Sql | undefined {
  const operand = chartOperand(name, context);
  return operand?.type === 'number' || operand?.type === 'json' ? operand.number : undefined;
}

/** SQL for a moment of row `e`, null for other values; undefined if the named value is never a moment. */
export function chartMoment(name: string, context: CompileContext): Sql | undefined {
  const operand = chartOperand(name, context);
  if (!operand) return undefined;
  const canBe = operand.isMoment || operand.type === 'json';
  return canBe || (operand.type === 'text' && operand.slot?.column === 'properties') ? operand.moment : undefined;
}

/** SQL for the values of row `e` to group by, as `item(value)`; undefined if there is nothing to group by. */
export function chartValues(name: string, blueprint: StoredBlueprint, context: CompileContext): Sql | undefined {
  const [kind, scorecard, rule] = name.split('#');
  if (kind === 'scorecard' && scorecard) return levels(scorecard);
  if (kind === 'scorecard-rule' && scorecard && rule) return ruleOutcomes(scorecard, rule);
  for (const each of possibleNames(name)) {
    const values = groupValues(each, blueprint, context);
    if (values) return values;
  }
  return undefined;
}

/** The level reached; entities that the scorecard does not look at are in no group (catalog semantics §1.9). */
export function levels(scorecard: string): Sql {
  return sql`(select e.scorecards -> ${scorecard}::text -> 'level' where e.scorecards -> ${scorecard}::text is not null)`;
}

/** `SUCCESS` or `FAILURE`, as the entity's JSON has it. */
export function ruleOutcomes(scorecard: string, rule: string): Sql {
  const rules = sql`e.scorecards -> ${scorecard}::text -> 'rules'`;
  return sql`(select result.item -> 'status'
    from jsonb_array_elements(case jsonb_typeof(${rules}) when 'array' then ${rules} else '[]' end) as result(item)
    where result.item ->> 'identifier' = ${rule})`;
}

/** The values of a row `e`, one row of JSON each and at least one. Undefined where there is nothing to group by. */
export function groupValues(name: string, blueprint: StoredBlueprint, context: CompileContext): Sql | undefined {
  if (name === '$team') {
    return sql`(select to_jsonb(shown.name) from ${teamNames(context)} union all
      select null where not exists (select 1 from ${teamNames(context)}))`;
  }
  if (name === '$blueprint') return single(sql`to_jsonb(${blueprint.identifier}::text)`);
  const operand = shownOperand(name, blueprint, context.hidden);
  if (!operand || operand.type === 'object') return undefined;
  return operand.type === 'array' || operand.type === 'json' ? several(operand.json) : single(operand.json);
}

/** No value is null, and so is JSON's. */
function single(json: Sql): Sql {
  return sql`(select nullif(${json}, 'null'::jsonb))`;
}

function several(json: Sql): Sql {
  return sql`(select distinct nullif(member, 'null'::jsonb) from jsonb_array_elements(case jsonb_typeof(${json})
    when 'array' then case ${json} when '[]' then '[null]' else ${json} end
    else jsonb_build_array(${json}) end) as member)`;
}

/** In place of values that there are none of. */
export const noValues = sql`(select null::jsonb where false)`;

/** In place of a number or moment that nothing asks for. */
export const noNumber = sql`null::numeric`;
export const noMoment = sql`null::timestamptz`;
