import { expect, test } from 'vitest';
import { distance, likeness, linkName } from './link-names.ts';

const engine = { identifier: 'rate-engine', title: 'Rate Engine', blueprint: 'service' };
const cache = { identifier: 'cache/rates', title: 'Rate cache', blueprint: 'cloudResource' };
const ledgers = ['service', 'domain'].map((blueprint) => ({
  identifier: `ledger-${blueprint}`,
  title: 'Ledger',
  blueprint,
}));
const all = [engine, cache, ...ledgers];

test.each([
  ['rate-engine', 1],
  ['Rate Engine', 1],
  ['RATE ENGINE', 1],
  ['engine rate', 0.93],
  ['rate enginee', 0.8],
  ['engine', 0.7],
  ['cache', 0],
])('%s is like Rate Engine by %d', (text, confidence) => expect(likeness(text, engine)).toBe(confidence));

test('a name is linked only if it is the name of one', () => {
  expect(linkName({ text: 'rate engine' }, all)).toMatchObject({ kind: 'linked', entity: engine });
  expect(linkName({ text: 'Ledger' }, all)).toMatchObject({ kind: 'unsure', options: ledgers });
  expect(linkName({ text: 'Ledger', types: ['domain'] }, all)).toMatchObject({ kind: 'linked', entity: ledgers[1] });
  expect(linkName({ text: 'rate engne' }, all)).toMatchObject({ kind: 'unsure', options: [engine] });
  expect(linkName({ text: 'payments' }, all)).toEqual({ kind: 'unknown', near: [] });
  expect(linkName({ text: 'rate engine', types: ['cloudResource'] }, all)).toMatchObject({ kind: 'unknown' });
});

test('a part of many names is the name of none', () => {
  const many = ['a', 'b', 'c', 'd'].map((each) => ({
    identifier: each,
    title: `Portal ${each}`,
    blueprint: 'service',
  }));
  expect(linkName({ text: 'portal' }, many).kind).toBe('unknown');
});

test.each([
  ['abcd', 'abcd', 0],
  ['abcd', 'abdc', 1],
  ['abcd', 'abc', 1],
  ['abcd', 'xbcy', 2],
  ['abcd', 'wxyz', 3],
])('the distance of %s and %s is %d, or more than looked for', (a, b, edits) => expect(distance(a, b, 2)).toBe(edits));
