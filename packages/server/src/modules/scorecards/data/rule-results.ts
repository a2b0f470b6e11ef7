import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '../../../platform/db/database.ts';
import type { Draft } from '../../access/index.ts';
import { findResultTarget, type StoredBlueprint } from '../../blueprints/index.ts';
import type { StoredEntity } from '../../entity-rows/index.ts';
import { findSubjects } from '../../scorecard-changes/index.ts';
import { listScorecardRows, type StoredScorecard } from '../../scorecard-rules/index.ts';
import { listNames } from './rule-results.store.ts';

interface RuleEntity {
  readonly key: number;
  readonly identifier: string;
  readonly title: string;
}

/** `entity` is the evaluated entity. */
export interface WantedResult {
  readonly entity: StoredEntity;
  /** Blueprint of the entity, and the relation to it. */
  readonly blueprint: string;
  readonly relation: string;
  readonly rule: RuleEntity;
  readonly result: 'Passed' | 'Not passed';
}

export type WantedResults = (entity: StoredEntity) => WantedResult[];

/**
 * Reads the rules behind results of these blueprints. A rule without an entity has no results; once it gets one, all
 * entities are evaluated again.
 */
export async function readWanted(
  reader: Reader,
  ruleResult: StoredBlueprint,
  blueprints: readonly StoredBlueprint[],
): Promise<WantedResults> {
  const { orgId } = ruleResult;
  const keys = blueprints.map(({ key }) => key);
  const subjects = await findSubjects(reader, orgId, keys);
  const named = await listNames(
    reader,
    orgId,
    subjects.map(({ entityKey }) => entityKey),
  );
  const identifiers = new Map(named.map(({ key, identifier }) => [key, identifier]));
  const scorecards = (await listScorecardRows(reader, orgId)).filter((each) => keys.includes(each.blueprintKey));
  const rules = new Map(
    subjects.flatMap(({ entityKey, blueprintKey, scorecard, rule }) => {
      const identifier = identifiers.get(entityKey);
      if (rule === '' || identifier === undefined) return [];
      const title = ruleTitle(scorecards, blueprintKey, scorecard, rule);
      return [[ruleKey(blueprintKey, scorecard, rule), { key: entityKey, identifier, title }] as const];
    }),
  );
  const relations = new Map(
    blueprints.map((each) => [
      each.key,
      { blueprint: each.identifier, relation: findResultTarget(ruleResult, each.identifier) },
    ]),
  );
  return (entity) => {
    const { blueprint, relation } = relations.get(entity.blueprintKey) ?? {};
    if (blueprint === undefined || relation === undefined) return [];
    return Object.entries(entity.scorecards).flatMap(([scorecard, found]) =>
      found.rules.flatMap(({ identifier, status }): WantedResult[] => {
        const rule = rules.get(ruleKey(entity.blueprintKey, scorecard, identifier));
        if (!rule) return [];
        return [{ entity, blueprint, relation, rule, result: status === 'SUCCESS' ? 'Passed' : 'Not passed' }];
      }),
    );
  };
}

/** One result per entity and rule; both keys survive renames. */
export function nameOfResult(entityKey: number, ruleKey: number): string {
  return `result_${ruleKey}_${entityKey}`;
}

/** The expected result; properties an organization added are kept. */
export function draftOfResult(
  { entity, rule, relation, result }: WantedResult,
  before: StoredEntity | undefined,
  now: Date,
): Draft {
  const isSame = before?.properties['result'] === result;
  const since = isSame ? before.properties['result_last_change'] : now.toISOString();
  const properties = { ...before?.properties, result, entity: entity.identifier, result_last_change: since };
  return {
    identifier: nameOfResult(entity.key, rule.key),
    title: `${rule.title} – ${entity.title ?? entity.identifier}`,
    icon: before?.icon ?? null,
    properties: before && isDeepStrictEqual(before.properties, properties) ? before.properties : properties,
    relations: { ...before?.relations, rule: rule.identifier, [relation]: entity.identifier },
    team: undefined,
    teamRefs: entity.teamRefs,
  };
}

export function isAsWanted(stored: StoredEntity, wanted: WantedResult, now: Date): boolean {
  const { title, properties, relations } = draftOfResult(wanted, stored, now);
  return (
    stored.title === title &&
    isDeepStrictEqual(stored.properties, properties) &&
    isDeepStrictEqual(stored.relations, relations) &&
    isDeepStrictEqual(stored.ownTeamRefs, wanted.entity.teamRefs)
  );
}

function ruleKey(blueprintKey: number, scorecard: string, rule: string): string {
  return `${blueprintKey}\u0000${scorecard}\u0000${rule}`;
}

function ruleTitle(
  scorecards: readonly StoredScorecard[],
  blueprintKey: number,
  scorecard: string,
  rule: string,
): string {
  const stored = scorecards.find((each) => each.blueprintKey === blueprintKey && each.identifier === scorecard);
  return stored?.definition.rules.find(({ identifier }) => identifier === rule)?.title ?? rule;
}
