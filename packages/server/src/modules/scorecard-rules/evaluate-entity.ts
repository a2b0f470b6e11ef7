import { isRecord } from '@portolan/contract/json-value';
import type { ScorecardCondition, ScorecardQuery, ScorecardResult } from '@portolan/contract/scorecards';
import { ownValue } from '../../platform/collections.ts';
import type { ScorecardResults, StoredEntity } from '../entity-rows/index.ts';
import { satisfiesCondition } from './satisfies-condition.ts';
import { type StoredScorecard, scorecardLevels } from './scorecard.ts';

/** An entity with all that a condition may ask for. */
export interface Subject {
  readonly entity: Omit<StoredEntity, 'scorecards' | 'blueprintKey' | 'ownTeamRefs' | 'version'>;
  readonly blueprint: string;
  /** The names of its teams, in the form the organization shows. */
  readonly teams: readonly string[];
}

/** Meta-properties that conditions may name. */
export const metaNames = [
  '$identifier',
  '$title',
  '$icon',
  '$blueprint',
  '$team',
  '$createdAt',
  '$createdBy',
  '$updatedAt',
  '$updatedBy',
] as const;

/** What the scorecards of its blueprint find on an entity. Pure. */
export function evaluateEntity(
  subject: Subject,
  scorecards: readonly Pick<StoredScorecard, 'identifier' | 'definition'>[],
  now: Date,
): ScorecardResults {
  const results: Record<string, ScorecardResult> = {};
  for (const { identifier, definition } of scorecards) {
    if (definition.filter && !passes(subject, definition.filter, now)) continue;
    const rules = definition.rules.map((rule) => ({
      identifier: rule.identifier,
      status: passes(subject, rule.query, now) ? ('SUCCESS' as const) : ('FAILURE' as const),
      level: rule.level,
    }));
    const level = reachedLevel(
      scorecardLevels(definition).map(({ title }) => title),
      rules,
    );
    Object.defineProperty(results, identifier, { value: { level, rules }, enumerable: true });
  }
  return results;
}

/**
 * Climbs while all rules of the next level pass and stops at the first that fails. A level without rules is skipped: it
 * does not stop the climb and is never the result (decision 0014).
 */
function reachedLevel(levels: readonly string[], rules: ScorecardResult['rules']): string {
  let reached = levels[0] as string;
  for (const level of levels.slice(1)) {
    const its = rules.filter((rule) => rule.level === level);
    if (its.some(({ status }) => status === 'FAILURE')) break;
    if (its.length > 0) reached = level;
  }
  return reached;
}

function passes(subject: Subject, { combinator, conditions }: ScorecardQuery, now: Date): boolean {
  const isTrue = (condition: ScorecardCondition) => holds(subject, condition, now);
  return combinator === 'and' ? conditions.every(isTrue) : conditions.some(isTrue);
}

function holds(subject: Subject, condition: ScorecardCondition, now: Date): boolean {
  const { relations } = subject.entity;
  if ('relation' in condition && condition.relation !== undefined) {
    return satisfiesCondition(ownValue(relations, condition.relation), condition, now);
  }
  const property = condition.property ?? '';
  if (property === '$team') return holdsOfTeams(subject, condition, now);
  return satisfiesCondition(propertyValue(subject, property), condition, now);
}

/** With one team, `=` and `!=` compare with its name, as in search. */
function holdsOfTeams({ entity, teams }: Subject, condition: ScorecardCondition, now: Date): boolean {
  if (condition.operator === 'isEmpty' || condition.operator === 'isNotEmpty') {
    return satisfiesCondition(entity.teamRefs, condition, now);
  }
  const isSingle = condition.operator === '=' || condition.operator === '!=';
  if (isSingle && typeof condition.value === 'string') {
    return satisfiesCondition(teams, { ...condition, value: [condition.value] }, now);
  }
  return satisfiesCondition(teams, condition, now);
}

/** A property: written, else derived, else a relation; `labels.key` reaches into an object. */
function propertyValue({ entity, blueprint }: Subject, property: string): unknown {
  if (property.startsWith('$')) return metaValue(entity, blueprint, property);
  for (const map of [entity.properties, entity.derived, entity.relations]) {
    const value = ownValue(map as Readonly<Record<string, unknown>>, property);
    if (value !== undefined && value !== null) return value;
  }
  const dot = property.indexOf('.');
  if (dot < 1) return undefined;
  for (const map of [entity.properties, entity.derived]) {
    const outer = ownValue(map, property.slice(0, dot));
    if (isRecord(outer)) {
      return ownValue(outer, property.slice(dot + 1));
    }
  }
  return undefined;
}

function metaValue(entity: Subject['entity'], blueprint: string, name: string): unknown {
  switch (name) {
    case '$identifier':
      return entity.identifier;
    case '$title':
      return entity.title;
    case '$icon':
      return entity.icon;
    case '$blueprint':
      return blueprint;
    case '$createdAt':
      return entity.createdAt.toISOString();
    case '$createdBy':
      return entity.createdBy;
    case '$updatedAt':
      return entity.updatedAt.toISOString();
    case '$updatedBy':
      return entity.updatedBy;
    default:
      return undefined;
  }
}
