import { expect, test } from 'vitest';
import { createStatementNames } from './statement-names.ts';

test('a text has no name at first, and keeps the one it is given', () => {
  const { nameOf } = createStatementNames();
  const names = [1, 2, 3].map(() => nameOf('select 1'));
  expect(names).toEqual([undefined, 's1', 's1']);
});

test('a name is never used for a second text', () => {
  const { nameOf } = createStatementNames(2);
  const names = ['a', 'b', 'c', 'a', 'b', 'c'].flatMap((text) => [nameOf(text), nameOf(text)]);
  const given = names.filter((name) => name !== undefined);
  expect(new Set(given).size).toBe(given.length);
});

test('a long text has no name', () => {
  const { nameOf } = createStatementNames();
  const text = 'x'.repeat(9_000);
  expect([nameOf(text), nameOf(text)]).toEqual([undefined, undefined]);
});

test('renewing gives every text another name', () => {
  const names = createStatementNames();
  const use = (): (string | undefined)[] => [names.nameOf('a'), names.nameOf('a')];
  const before = use();
  names.renew();
  expect([before, use()]).toEqual([
    [undefined, 's1'],
    [undefined, 's2'],
  ]);
});
