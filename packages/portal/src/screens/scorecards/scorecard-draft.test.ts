import { describe, expect, test } from 'vitest';
import type { ConditionGroup } from './conditions.ts';
import {
  addLevel,
  addRule,
  changeLevel,
  changeRule,
  type Draft,
  emptyDraft,
  findProblem,
  identifierFor,
  moveLevel,
  previewable,
  type Rule,
  readDraft,
  removeLevel,
} from './scorecard-draft.ts';

const filled: ConditionGroup = { combinator: 'and', conditions: [{ property: 'runbook', operator: 'isNotEmpty' }] };
const rule = (identifier: string, level: string): Rule => ({ identifier, title: identifier, level, query: filled });
const draft: Draft = {
  ...emptyDraft,
  identifier: 'ready',
  title: 'Ready',
  rules: [rule('b', 'Bronze'), rule('s', 'Silver'), rule('g', 'Gold')],
};
const placed = ({ levels, rules }: Draft) => ({
  levels: levels.map(({ title }) => title).join(' '),
  rules: rules.map(({ identifier, level }) => `${identifier}:${level}`).join(' '),
});

describe('levels', () => {
  test('take their rules along when they are renamed', () => {
    const level = draft.levels[2] as Draft['levels'][number];
    expect(placed(changeLevel(draft, 2, { ...level, title: 'Fine' }))).toEqual({
      levels: 'Basic Bronze Fine Gold',
      rules: 'b:Bronze s:Fine g:Gold',
    });
  });

  test('leave their rules to the level below, and the lowest never keeps any', () => {
    expect(placed(removeLevel(draft, 3))).toEqual({
      levels: 'Basic Bronze Silver',
      rules: 'b:Bronze s:Silver g:Silver',
    });
    expect(placed(removeLevel(draft, 1))).toEqual({ levels: 'Basic Silver Gold', rules: 'b:Silver s:Silver g:Gold' });
    expect(placed(removeLevel(draft, 0))).toEqual({ levels: 'Bronze Silver Gold', rules: 'b:Silver s:Silver g:Gold' });
  });

  test('move with their rules', () => {
    expect(placed(moveLevel(draft, 3, -1))).toEqual({
      levels: 'Basic Bronze Gold Silver',
      rules: 'b:Bronze s:Silver g:Gold',
    });
    expect(placed(moveLevel(draft, 1, -1))).toEqual({
      levels: 'Bronze Basic Silver Gold',
      rules: 'b:Basic s:Silver g:Gold',
    });
  });

  test('have titles of their own from the start', () => {
    const added = addLevel(changeLevel(draft, 0, { title: 'Level 4', color: 'red' }));
    expect(added.levels.at(-1)?.title).toBe('Level 5');
  });
});

describe('a rule', () => {
  const words = ({ conditions }: ConditionGroup) => conditions.map(({ property }) => property ?? '').join(' ');

  test('is called by its conditions until somebody names it, and a new one gets its identifier from that', () => {
    const added = addRule(draft, 'Gold');
    const at = added.rules.length - 1;
    const fresh = added.rules[at] as Rule;
    const followed = changeRule(added, at, { ...fresh, query: filled }, words, true);
    expect(followed.rules[at]).toMatchObject({ title: 'runbook', identifier: 'runbook' });
    const named = changeRule(followed, at, { ...(followed.rules[at] as Rule), title: 'Own words' }, words, true);
    expect(named.rules[at]).toMatchObject({ title: 'Own words', identifier: 'own_words' });
    const other = { combinator: 'and' as const, conditions: [{ property: 'tier', operator: 'isNotEmpty' }] };
    const kept = changeRule(named, at, { ...(named.rules[at] as Rule), query: other }, words, true);
    expect(kept.rules[at]).toMatchObject({ title: 'Own words', identifier: 'own_words' });
  });

  test('keeps its identifier once it is stored', () => {
    const renamed = changeRule(draft, 0, { ...(draft.rules[0] as Rule), title: 'Other' }, words, false);
    expect(renamed.rules[0]).toMatchObject({ title: 'Other', identifier: 'b' });
  });
});

test('what is unfinished is not previewed, and is named as what keeps it from being saved', () => {
  const added = addRule(draft, 'Gold');
  expect(previewable(added).rules).toHaveLength(3);
  expect(findProblem(added, 'service')).toBe('Finish the rule "New rule", or remove it.');
  expect(findProblem(draft, 'service')).toBeUndefined();
  expect(findProblem(draft, '')).toBe('Choose a blueprint.');
  expect(findProblem({ ...draft, title: ' ' }, 'service')).toBe('Enter a title.');
  const doubled = changeLevel(draft, 1, { title: 'Gold', color: 'red' });
  expect(findProblem(doubled, 'service')).toBe('Two levels are called "Gold". Rename one.');
  const open = { ...draft, filter: { combinator: 'or' as const, conditions: [{ operator: 'isNotEmpty' }] } };
  expect(previewable(open).filter).toBeUndefined();
  expect(findProblem(open, 'service')).toContain('filter');
});

test('a text is read as a draft, or says what is wrong with it', () => {
  expect(readDraft(JSON.stringify(draft))).toEqual({ draft });
  const problem = (value: unknown) => (readDraft(JSON.stringify(value)) as { problem: string }).problem;
  expect(problem([])).toContain('object');
  expect(problem({ title: 'x' })).toContain('"identifier"');
  expect(problem({ ...draft, levels: [] })).toContain('"levels"');
  expect(problem({ ...draft, rules: [{ identifier: 'x' }] })).toContain('"rules"');
  expect(problem({ ...draft, filter: {} })).toContain('"filter"');
});

test('identifiers are plain and taken once', () => {
  expect(identifierFor('Über 5 % – Tests!')).toBe('uber_5_tests');
  expect(identifierFor('A b', ['a_b', 'a_b_2'])).toBe('a_b_3');
  expect(identifierFor('日本')).toBe('rule');
});
