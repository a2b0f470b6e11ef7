import { expect, test } from 'vitest';
import { bestMatches, byRank, isCalled, keepOrder, readQuestion, scoreMatch } from './palette-results.ts';

const best = (list: readonly string[], words: string) => bestMatches(list, words, (each) => each, 5);

test('a first sign narrows what is searched', () => {
  expect(readQuestion('>theme')).toEqual({ scope: 'commands', words: 'theme' });
  expect(readQuestion('@ noa ')).toEqual({ scope: 'people', words: 'noa' });
  expect(readQuestion(' a > b')).toEqual({ scope: 'all', words: 'a > b' });
});

test('beginnings come before middles, and those before scattered letters', () => {
  expect(best(['Rusty relic', 'Fraud service', 'Services', 'Disservice'], 'serv')).toEqual([
    'Services',
    'Fraud service',
    'Disservice',
  ]);
  expect(best(['Deployments'], 'dpl')).toEqual(['Deployments']);
});

test('accents and case do not count', () => {
  expect(best(['Übersicht', 'Other'], 'uber')).toEqual(['Übersicht']);
});

test('every word has to occur', () => {
  expect(scoreMatch('Incident room', 'incident xyz')).toBe(0);
  expect(scoreMatch('Incident room', 'room inc')).toBeGreaterThan(0);
});

test('the exact title comes first, then what was visited, then beginnings, and the rest as the server has it', () => {
  const titles = ['Rate Limiter', 'Old freight rates', 'Corporate', 'Invoicing', 'Rate', 'Billing'];
  const ranked = byRank(
    titles,
    'rate',
    (title) => [title],
    (title) => title === 'Corporate',
  );
  expect(ranked).toEqual(['Rate', 'Corporate', 'Rate Limiter', 'Old freight rates', 'Invoicing', 'Billing']);
});

test('a name is the words however its parts are joined, and nothing is called by nothing', () => {
  expect(['pullRequest', 'pull_request', 'Pull Request'].map((name) => isCalled(name, ' pull request '))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isCalled('pullRequests', 'pull request')).toBe(false);
  expect(isCalled('_', '')).toBe(false);
});

test('late results stand below those that are shown', () => {
  const items = ['late', 'b', 'later', 'a'].map((key) => ({ key }));
  expect(keepOrder(items, ['a', 'b', 'gone']).map(({ key }) => key)).toEqual(['a', 'b', 'late', 'later']);
});
