import { describe, expect, test } from 'vitest';
import { endsOfName, fold, nameWords, splitWords, stemWord } from './words.ts';

test.each([
  ["Who's on call for geo.tiles?", ['Who', 'is', 'on', 'call', 'for', 'geo.tiles']],
  ["Priya's manager", ['Priya', "'s", 'manager']],
  ["which services don't use it", ['which', 'services', 'do', 'not', 'use', 'it']],
  ['fail "Has a runbook", please', ['fail', 'Has a runbook', ',', 'please']],
  ['eta+forecast (beta)', ['eta+forecast', 'beta']],
])('%s is split into words', (text, words) => {
  expect(splitWords(text).map(({ raw }) => raw)).toEqual(words);
});

test('spelling variants fold to the same', () => {
  expect(new Set(['on-premises', 'On Premises', 'onPremisés'].map(fold)).size).toBe(1);
  expect(nameWords('cloudResource')).toEqual(nameWords('Cloud Resource'));
});

test.each([
  ['services', 'service'],
  ['policies', 'policy'],
  ['status', 'status'],
  ['people', 'person'],
])('the singular of %s is %s', (word, singular) => expect(stemWord(word)).toBe(singular));

describe('a name is found', () => {
  test.each([
    ['cloud resources', ['cloud', 'resource'], [2]],
    ['cloudResource', ['cloud', 'resource'], [1]],
    ['Maschinen', ['maschine'], [1]],
    ['Störungen', ['storung'], [1]],
    ['runbook', ['runbooks'], [1]],
    ['clouds', ['cloud', 'resource'], []],
    ['rated', ['rate'], []],
  ])('in %s', (text, name, ends) => expect(endsOfName(splitWords(text), 0, name)).toEqual(ends));
});
