import sql, { join, type Sql } from 'sql-template-tag';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { isScorecardData, resultTargets, type StoredBlueprint } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';

/** Blueprints that have or had scorecards. */
function evaluatedOf(all: readonly StoredBlueprint[]): StoredBlueprint[] {
  const names = new Set(all.flatMap((each) => Object.values(resultTargets(each)).map(({ target }) => target)));
  return all.filter(({ identifier }) => names.has(identifier));
}

/**
 * Whether scorecards, rules or results are hidden because of their subject: results of unreadable entities, scorecards
 * of blueprints without readable entities.
 */
export function isSubjectNarrowed(
  actor: Actor,
  { identifier }: StoredBlueprint,
  all: readonly StoredBlueprint[],
  isNarrowed: (blueprint: StoredBlueprint) => boolean,
): boolean {
  if (isAdmin(actor) || !isScorecardData(identifier)) return false;
  const isKept = identifier === '_rule_result' ? isNarrowed : (each: StoredBlueprint) => !can(actor, 'read', each);
  return evaluatedOf(all).some(isKept);
}

/** Rows of `entities e` whose subject the caller may see, given the read conditions of evaluated blueprints. */
export function subjectCondition(
  actor: Actor,
  { identifier, key, ...blueprint }: StoredBlueprint,
  all: readonly StoredBlueprint[],
  isNarrowed: (blueprint: StoredBlueprint) => boolean,
  conditionOf: (blueprint: StoredBlueprint) => Sql,
): Sql {
  const readable = evaluatedOf(all).filter((each) => can(actor, 'read', each));
  const keysOf = (some: readonly StoredBlueprint[]) => some.map((each) => each.key);
  if (identifier !== '_rule_result') {
    return sql`exists (
      select 1 from scorecard_entities s where s.org_id = e.org_id and s.entity_key = e.key
        and s.blueprint_key = any(${keysOf(readable)}::bigint[]))`;
  }
  const whole = readable.filter((each) => !isNarrowed(each));
  const permitted = [
    sql`e.blueprint_key = any(${keysOf(whole)}::bigint[])`,
    ...readable
      .filter((each) => isNarrowed(each))
      .map((each) => sql`(e.blueprint_key = ${each.key} and ${conditionOf(each)})`),
  ];
  const relations = Object.keys(resultTargets({ identifier, ...blueprint }));
  // inside, `e` is the subject, so the result's row gets another name
  return sql`exists (
    select 1 from (select e.org_id, e.key) as o(org_id, key)
    cross join lateral (
      select 1 from entity_relations r join entities e on e.org_id = r.org_id and e.key = r.target_key
      where r.org_id = o.org_id and r.source_key = o.key and r.relation = any(${relations}::text[])
        and (${join(permitted, ' or ')})) s)`;
}
