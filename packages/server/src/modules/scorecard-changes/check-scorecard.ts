import type { Issue } from '@portolan/contract/errors';
import type { ScorecardBody, ScorecardCondition } from '@portolan/contract/scorecards';
import { invalidRequest } from '../../platform/errors.ts';
import {
  blueprintProperties,
  blueprintRelations,
  isScorecardData,
  listDerivedKeys,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { metaNames } from '../scorecard-rules/index.ts';

/**
 * Every condition must name something that the blueprint has: a rule on a misspelled property would fail for ever.
 * @throws AppError `invalid_request`; `prefix` says where in the body the scorecard stands
 */
export function checkScorecard(blueprint: StoredBlueprint, body: ScorecardBody, prefix = ''): void {
  const check = (conditions: readonly ScorecardCondition[], path: string) =>
    conditions.flatMap((condition, index) => findIssues(blueprint, condition, `${prefix}${path}/conditions/${index}`));
  if (isScorecardData(blueprint.identifier)) {
    // what they find would be entities to evaluate, and so on
    const message = 'cannot have scorecards: it is what scorecards are as data';
    throw invalidRequest([{ path: `${prefix}/blueprint`, message }], 'The scorecard');
  }
  const issues = [
    ...check(body.filter?.conditions ?? [], '/filter'),
    ...body.rules.flatMap(({ query }, index) => check(query.conditions, `/rules/${index}/query`)),
  ];
  if (issues.length > 0) throw invalidRequest(issues, 'The scorecard');
}

function findIssues(blueprint: StoredBlueprint, condition: ScorecardCondition, path: string): Issue[] {
  const relations = blueprintRelations(blueprint);
  if ('relation' in condition && condition.relation !== undefined) {
    if (Object.hasOwn(relations, condition.relation)) return [];
    return [{ path: `${path}/relation`, message: `is not a relation of the blueprint "${blueprint.identifier}"` }];
  }
  const property = condition.property ?? '';
  if (property.startsWith('$')) {
    if ((metaNames as readonly string[]).includes(property)) return [];
    return [{ path: `${path}/property`, message: `is none of ${metaNames.join(', ')}` }];
  }
  const [head = ''] = property.split('.');
  const derived = listDerivedKeys(blueprint);
  const isKnown = [property, head].some(
    (key) =>
      Object.hasOwn(blueprintProperties(blueprint), key) || derived.includes(key) || Object.hasOwn(relations, key),
  );
  if (isKnown) return [];
  return [{ path: `${path}/property`, message: `is not a property of the blueprint "${blueprint.identifier}"` }];
}
