import { isRecord } from '@portolan/contract/json-value';
import type { Scorecard, ScorecardLevel } from '@portolan/contract/scorecards';
import { linkOptions } from '@tanstack/react-router';
import { identifierFrom } from '../../kit/identifier-from.ts';
import { t } from '../../kit/translate.ts';
import { type ConditionGroup, isComplete } from './conditions.ts';

export type Level = ScorecardLevel;

export interface Rule {
  readonly identifier: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly level: string;
  readonly query: ConditionGroup;
}

/** A scorecard while it is edited: conditions may be incomplete. */
export interface Draft {
  readonly identifier: string;
  readonly title: string;
  readonly filter?: ConditionGroup | undefined;
  readonly levels: readonly Level[];
  readonly rules: readonly Rule[];
  readonly properties?: unknown;
}

export const emptyDraft: Draft = {
  identifier: '',
  title: '',
  levels: [
    { title: 'Basic', color: 'paleBlue' },
    { title: 'Bronze', color: 'bronze' },
    { title: 'Silver', color: 'silver' },
    { title: 'Gold', color: 'gold' },
  ],
  rules: [],
};

export function scorecardAddress(blueprint: string, scorecard: string) {
  return linkOptions({ to: '/builder/scorecards/$blueprint/$scorecard', params: { blueprint, scorecard } });
}

/** The parts of a stored scorecard that people write. */
export function toDraft({ identifier, title, filter, levels, rules, properties }: Scorecard): Draft {
  return {
    identifier,
    title,
    ...(filter ? { filter: filter as ConditionGroup } : {}),
    levels,
    rules: rules as readonly Rule[],
    ...(properties ? { properties } : {}),
  };
}

/** Parses a text as a draft, or says why it is not one. The server checks the contents. */
export function readDraft(text: string): { readonly draft: Draft } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value)) return { problem: 'A scorecard is an object: { "identifier": … }' };
  const { identifier, title, levels = emptyDraft.levels, rules = [], filter } = value;
  if (typeof identifier !== 'string') return { problem: t('"identifier" must be a text') };
  if (typeof title !== 'string') return { problem: t('"title" must be a text') };
  if (!Array.isArray(levels) || levels.length === 0 || !levels.every(isLevel))
    return { problem: '"levels" must be a list of { "title", "color" }' };
  if (!Array.isArray(rules) || !rules.every(isRule))
    return { problem: '"rules" must be a list of { "identifier", "title", "level", "query" }' };
  if (filter !== undefined && !isGroup(filter))
    return { problem: '"filter" must be { "combinator", "conditions": [ … ] }' };
  return { draft: { ...value, identifier, title, levels, rules } as Draft };
}

function isLevel(value: unknown): value is Level {
  return isRecord(value) && typeof value['title'] === 'string' && typeof value['color'] === 'string';
}

function isRule(value: unknown): value is Rule {
  return (
    isRecord(value) &&
    ['identifier', 'title', 'level'].every((key) => typeof value[key] === 'string') &&
    isGroup(value['query'])
  );
}

function isGroup(value: unknown): value is ConditionGroup {
  return isRecord(value) && Array.isArray(value['conditions']) && value['conditions'].every(isRecord);
}

/** What keeps a draft from being saved; undefined if nothing does. */
export function findProblem(draft: Draft, blueprint: string): string | undefined {
  const { identifier, title, levels, rules, filter } = draft;
  if (blueprint === '') return t('Choose a blueprint.');
  if (title.trim() === '') return t('Enter a title.');
  if (identifier.trim() === '') return t('Enter an identifier.');
  const names = levels.map((level) => level.title);
  if (names.some((name) => name.trim() === '')) return t('Enter a title for every level.');
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) return t('Two levels are called "{double}". Rename one.', { double });
  if (filter && !filter.conditions.every(isComplete))
    return t('Finish the filter, or remove its unfinished condition.');
  const unfinished = rules.find(({ query }) => query.conditions.length === 0 || !query.conditions.every(isComplete));
  if (unfinished) return t('Finish the rule "{title}", or remove it.', { title: unfinished.title || t('New rule') });
  const untitled = rules.find((rule) => rule.title.trim() === '' || rule.identifier.trim() === '');
  return untitled ? t('Enter a title for every rule.') : undefined;
}

/** What of a draft can be previewed: unfinished conditions, and rules without any, are left out. */
export function previewable(draft: Draft): Draft {
  const finished = (group: ConditionGroup): ConditionGroup => ({
    ...group,
    conditions: group.conditions.filter(isComplete),
  });
  const { filter: written, ...rest } = draft;
  const filter = written && finished(written);
  return {
    ...rest,
    title: draft.title.trim() || t('Scorecard'),
    identifier: draft.identifier.trim() || 'new_scorecard',
    ...(filter && filter.conditions.length > 0 ? { filter } : {}),
    rules: draft.rules.flatMap((rule) => {
      const query = finished(rule.query);
      return query.conditions.length === 0 ? [] : [{ ...rule, query, title: rule.title || rule.identifier }];
    }),
  };
}

/** An identifier made from a title that none of these has yet. */
export function identifierFor(title: string, taken: readonly string[] = [], fallback = 'rule'): string {
  const start = identifierFrom(title, 80) || fallback;
  if (!taken.includes(start)) return start;
  let number = 2;
  while (taken.includes(`${start}_${number}`)) number += 1;
  return `${start}_${number}`;
}

/** The lowest level has no rules: those of a level that became the lowest go to the next. */
function withoutBaseRules(draft: Draft): Draft {
  const [base, next] = draft.levels;
  if (!base) return draft;
  const rules = draft.rules.flatMap((rule) => {
    if (rule.level !== base.title) return [rule];
    return next ? [{ ...rule, level: next.title }] : [];
  });
  return { ...draft, rules };
}

export function changeLevel(draft: Draft, index: number, changed: Level): Draft {
  const before = draft.levels[index]?.title;
  return {
    ...draft,
    levels: draft.levels.map((level, at) => (at === index ? changed : level)),
    rules: draft.rules.map((rule) => (rule.level === before ? { ...rule, level: changed.title } : rule)),
  };
}

export function moveLevel(draft: Draft, index: number, by: 1 | -1): Draft {
  const levels = [...draft.levels];
  const [moved] = levels.splice(index, 1);
  if (!moved) return draft;
  levels.splice(index + by, 0, moved);
  return withoutBaseRules({ ...draft, levels });
}

/** Rules of a removed level go to the level below it, or to the lowest that may have rules. */
export function removeLevel(draft: Draft, index: number): Draft {
  const gone = draft.levels[index]?.title;
  const levels = draft.levels.filter((_, at) => at !== index);
  const heir = levels[Math.max(1, index - 1)]?.title;
  const rules = draft.rules.flatMap((rule) => {
    if (rule.level !== gone) return [rule];
    return heir === undefined ? [] : [{ ...rule, level: heir }];
  });
  return withoutBaseRules({ ...draft, levels, rules });
}

export function addLevel(draft: Draft): Draft {
  const names = draft.levels.map(({ title }) => title);
  let number = names.length;
  while (names.includes(`Level ${number}`)) number += 1;
  return { ...draft, levels: [...draft.levels, { title: t('Level {number}', { number }), color: 'blue' }] };
}

/** A new rule of a level, without a condition that is complete. */
export function addRule(draft: Draft, level: string): Draft {
  const taken = draft.rules.map(({ identifier }) => identifier);
  const rule: Rule = {
    identifier: identifierFor('', taken),
    title: '',
    level,
    query: { combinator: 'and', conditions: [{ operator: 'isNotEmpty' }] },
  };
  return { ...draft, rules: [...draft.rules, rule] };
}

/**
 * Changes a rule. Its title follows its conditions until somebody writes one, and the identifier of a new rule follows
 * its title.
 */
export function changeRule(
  draft: Draft,
  index: number,
  changed: Rule,
  sentence: (group: ConditionGroup) => string,
  isNew: boolean,
): Draft {
  const before = draft.rules[index];
  if (!before) return draft;
  const followed = before.title === '' || before.title === sentence(before.query);
  const title = changed.title === before.title && followed ? sentence(changed.query) : changed.title;
  const others = draft.rules.filter((_, at) => at !== index).map(({ identifier }) => identifier);
  const identifier =
    isNew && changed.identifier === before.identifier ? identifierFor(title, others) : changed.identifier;
  return { ...draft, rules: draft.rules.map((rule, at) => (at === index ? { ...changed, title, identifier } : rule)) };
}
