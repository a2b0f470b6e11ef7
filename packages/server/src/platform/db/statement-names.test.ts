import { expect, test } from 'vitest';
import { createStatementNames } from './statement-names.ts';

test('a text has no name at first, and keeps the one it is given', () => {
  const { nameOf } = createStatementNames();
  const names = [1, 2, 3].map(() => nameOf('select 1'));
  expect(names).toEqual([undefined, expect.stringMatching(/^p[0-9a-f]{32}$/), names[1]]);
});

test('two processes give a text the same name, and two texts different ones', () => {
  const [one, other] = [createStatementNames(), createStatementNames()];
  const twice = ({ nameOf }: typeof one, text: string) => [nameOf(text), nameOf(text)][1];
  expect(twice(one, 'select 1')).toBe(twice(other, 'select 1'));
  expect(twice(one, 'select 2')).not.toBe(twice(other, 'select 1'));
});

test('a text that was forgotten gets the name that it had', () => {
  const { nameOf } = createStatementNames(2);
  const names = ['a', 'b', 'c', 'a', 'b', 'c'].flatMap((text) => [nameOf(text), nameOf(text)]);
  const given = names.filter((name) => name !== undefined);
  expect([given.length, new Set(given).size]).toEqual([6, 3]);
  expect(given.slice(0, 3)).toEqual(given.slice(3));
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
  const after = use();
  expect([before[0], after[0]]).toEqual([undefined, undefined]);
  expect(after[1]).not.toBe(before[1]);
});
