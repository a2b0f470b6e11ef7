import { isDeepStrictEqual } from 'node:util';
import { defaultScorecardLevels, type ScorecardBody } from '@portolan/contract/scorecards';
import type { Draft } from '../access/index.ts';
import { blueprintProperties, type StoredBlueprint, systemBlueprint } from '../blueprints/index.ts';
import type { Properties, StoredEntity } from '../entity-rows/index.ts';
import type { ScorecardDefinition } from '../scorecard-rules/index.ts';

type Rule = ScorecardDefinition['rules'][number];

/** What the entity of a scorecard says of it; its rules are entities of their own. */
export type ScorecardHead = Omit<ScorecardDefinition, 'rules'>;

const base: ReadonlySet<string> = new Set(Object.keys(systemBlueprint('_scorecard')?.schema.properties ?? {}));

/** The custom values among the properties of a scorecard's entity. */
function customProperties(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !base.has(key)));
}

/** A scorecard as its entity will be: what the entity says alike in other words stays as it is. */
export function scorecardDraft(
  data: StoredBlueprint,
  blueprint: string,
  identifier: string,
  { title, levels, filter, properties }: ScorecardHead,
  before: StoredEntity | undefined,
): Draft {
  const known = blueprintProperties(data);
  const custom = properties
    ? Object.fromEntries(Object.entries(properties).filter(([key]) => !base.has(key) && Object.hasOwn(known, key)))
    : customProperties(before?.properties ?? {});
  const own: Record<string, unknown> = { ...custom, blueprint };
  const shown = levels ?? (before ? before.properties['levels'] : defaultScorecardLevels);
  if (shown !== undefined) own['levels'] = shown;
  if (filter) own['filter'] = filter;
  return draft(identifier, title, before, own, {});
}

/** A rule as its entity will be; custom values stay. */
export function ruleDraft(
  identifier: string,
  scorecard: string,
  { title, level, query, description }: Rule,
  before: StoredEntity | undefined,
): Draft {
  const { rule_description: _, ...others } = before?.properties ?? {};
  const text = description === undefined ? {} : { rule_description: description };
  return draft(identifier, title, before, { ...others, level, query, ...text }, { scorecard });
}

function draft(
  identifier: string,
  title: string,
  before: StoredEntity | undefined,
  properties: Properties,
  relations: Draft['relations'],
): Draft {
  // an entity without a title is shown by its identifier
  const isTitled = before !== undefined && (before.title ?? before.identifier) === title;
  return {
    identifier,
    title: isTitled ? before.title : title,
    icon: before?.icon ?? null,
    properties: before && isDeepStrictEqual(before.properties, properties) ? before.properties : properties,
    relations,
    team: undefined,
  };
}

/** The body of a scorecard that the draft of its entity asks for; nothing of it is checked yet. */
export function bodyOfScorecard(
  { identifier, title, properties }: Draft,
  before: ScorecardDefinition | undefined,
): Record<keyof ScorecardBody, unknown> {
  const custom = customProperties(properties);
  return present({
    identifier,
    title: title ?? identifier,
    filter: properties['filter'],
    levels: properties['levels'],
    properties: Object.keys(custom).length > 0 ? custom : undefined,
    rules: before?.rules ?? [],
  });
}

/** The rule that the draft of its entity asks for, under the identifier it has in the scorecard. */
export function toRule(identifier: string, { title, properties }: Draft): Record<keyof Rule, unknown> {
  return present({
    identifier,
    title: title ?? identifier,
    level: properties['level'],
    query: properties['query'],
    description: properties['rule_description'],
  });
}

/** Without what is undefined, as it will be stored. */
function present<Key extends string>(values: Record<Key, unknown>): Record<Key, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<Key, unknown>;
}
