import { expect, test } from 'vitest';
import { inWords, matchPattern } from './tool-patterns.ts';

const names = ['get_entity', 'list_entities', 'run_deploy', 'run_deploy_prod'];

test('patterns are tried from the start of a name, their end is open', () => {
  expect(matchPattern('entit', names)).toEqual({ names: [] });
  expect(matchPattern('run_deploy', names)).toEqual({ names: ['run_deploy', 'run_deploy_prod'] });
  expect(matchPattern('run_deploy$', names)).toEqual({ names: ['run_deploy'] });
  expect(matchPattern('get|run', names)).toEqual({ names: ['get_entity', 'run_deploy', 'run_deploy_prod'] });
});

test('what is no expression is told, also where wrapping would complete it', () => {
  for (const pattern of ['run_(', 'a)|(b', 'x'.repeat(1001)])
    expect(matchPattern(pattern, names)).toHaveProperty('problem');
});

test('a pattern that only the server can run is not guessed, and a slow one does not hold the page up', () => {
  expect(matchPattern('(?!run_)\\w+', names)).toHaveProperty('untried');
  const before = performance.now();
  matchPattern('(a+)+$', [`${'a'.repeat(5000)}!`]);
  expect(performance.now() - before).toBeLessThan(500);
});

test('in words', () => {
  expect(inWords(['^(get|list)_'], names)).toBe('2 tools, reads only');
  expect(inWords(['.*'], names)).toBe('2 reads, 2 actions');
  expect(inWords(['run_deploy$'], names)).toBe('1 action');
  expect(inWords([], names)).toBe('No tools');
});
