import { expect, test } from 'vitest';
import { searchQuery } from './search-query.ts';

const many = Array.from({ length: 10_001 }, (_, index) => index);

test.each([
  ['in', many, 'holds more than 10000 values'],
  ['=', 'a\0', 'holds a character that cannot be stored'],
  ['=', { a: 1 }, 'is not a value of this operator'],
  ['in', ['a', {}], 'is not a value of this operator'],
  ['between', many, 'is not a value of this operator'],
  ['>', 'soon', 'must be a number or an ISO date-time'],
])('a value that %s does not take is told by what is wrong with it', (operator, value, message) => {
  const { error } = searchQuery.safeParse({ combinator: 'and', rules: [{ property: 'x', operator, value }] });
  expect(error?.issues.map(({ path, message: told }) => [path, told])).toEqual([[['rules', 0, 'value'], message]]);
});
