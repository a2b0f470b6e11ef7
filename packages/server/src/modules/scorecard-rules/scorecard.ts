import {
  defaultScorecardLevels,
  type Scorecard,
  type ScorecardBody,
  type ScorecardCondition,
  type ScorecardLevel,
} from '@portolan/contract/scorecards';

/** What people wrote of a scorecard, without its identifier. */
export type ScorecardDefinition = Omit<ScorecardBody, 'identifier'>;

/** A scorecard as the catalog works with it. */
export interface StoredScorecard {
  readonly key: number;
  readonly blueprintKey: number;
  readonly identifier: string;
  readonly definition: ScorecardDefinition;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The levels in force, lowest first. */
export function scorecardLevels({ levels }: ScorecardDefinition): readonly ScorecardLevel[] {
  return levels ?? defaultScorecardLevels;
}

/** Every condition of the filter and the rules. */
export function scorecardConditions({ filter, rules }: ScorecardDefinition): ScorecardCondition[] {
  return [...(filter?.conditions ?? []), ...rules.flatMap(({ query }) => query.conditions)];
}

/** The scorecard as it is answered; levels show also where they are the default (api contract §3.15.3). */
export function presentScorecard(scorecard: StoredScorecard, blueprint: string): Scorecard {
  const { title, filter, properties, rules } = scorecard.definition;
  return {
    identifier: scorecard.identifier,
    title,
    blueprint,
    ...(filter ? { filter } : {}),
    rules,
    levels: [...scorecardLevels(scorecard.definition)],
    ...(properties ? { properties } : {}),
    createdAt: scorecard.createdAt.toISOString(),
    createdBy: scorecard.createdBy,
    updatedAt: scorecard.updatedAt.toISOString(),
    updatedBy: scorecard.updatedBy,
  };
}
