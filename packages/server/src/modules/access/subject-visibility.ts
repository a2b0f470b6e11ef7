import type { Sql } from 'sql-template-tag';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { isScorecardData, resultTargets, type StoredBlueprint } from '../blueprints/index.ts';
import { ofBlueprint, ofBlueprints } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { isAboutOne, standsForOne } from './entity-conditions.sql.ts';

/** Blueprints that have or had scorecards. */
function listEvaluatedBlueprints(all: readonly StoredBlueprint[]): StoredBlueprint[] {
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
  if (isUnlimited(actor) || !isScorecardData(identifier)) return false;
  const isKept = identifier === '_rule_result' ? isNarrowed : (each: StoredBlueprint) => !can(actor, 'read', each);
  return listEvaluatedBlueprints(all).some(isKept);
}

/** Rows of `entities e` whose subject the caller may see, given the read conditions of evaluated blueprints. */
export function subjectCondition(
  actor: Actor,
  { identifier, key, ...blueprint }: StoredBlueprint,
  all: readonly StoredBlueprint[],
  isNarrowed: (blueprint: StoredBlueprint) => boolean,
  conditionOf: (blueprint: StoredBlueprint) => Sql,
): Sql {
  const readable = listEvaluatedBlueprints(all).filter((each) => can(actor, 'read', each));
  const keysOf = (some: readonly StoredBlueprint[]) => some.map((each) => each.key);
  if (identifier !== '_rule_result') {
    return standsForOne(keysOf(readable));
  }
  const whole = readable.filter((each) => !isNarrowed(each));
  const permitted = [
    ofBlueprints(keysOf(whole)),
    ...readable.filter((each) => isNarrowed(each)).map((each) => allOf([ofBlueprint(each.key), conditionOf(each)])),
  ];
  const relations = Object.keys(resultTargets({ identifier, ...blueprint }));
  return isAboutOne(relations, permitted);
}
