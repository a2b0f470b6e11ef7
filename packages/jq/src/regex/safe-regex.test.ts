import { describe, expect, test } from 'vitest';
import { compile, JqBudgetError, JqRefusedError, JqSyntaxError } from '../index.ts';
import { nodeRegexEngine } from '../node.ts';
import { createSafeRegex } from './safe-regex.ts';

describe('foreign patterns', () => {
  test('linear patterns need no engine', () => {
    const regex = createSafeRegex('^(?:get|list)_\\w+$');
    expect(regex.test('list_entities')).toBe(true);
    expect(regex.test('delete_all')).toBe(false);
    expect(createSafeRegex('(?<a>x)(y)?').exec('zx')).toMatchObject({
      start: 1,
      text: 'x',
      groups: ['x', null],
      named: { a: 'x' },
    });
  });

  test('lookarounds run with the Node engine and are refused without', () => {
    expect(createSafeRegex('^(?:(?!delete_)\\w+)', { engine: nodeRegexEngine }).test('delete_x')).toBe(false);
    expect(createSafeRegex('^(?:(?!delete_)\\w+)', { engine: nodeRegexEngine }).test('get_x')).toBe(true);
    expect(() => createSafeRegex('(?!a)b')).toThrow(JqRefusedError);
  });

  test('catastrophic patterns end at their deadline or never start', () => {
    const evil = `${'a'.repeat(40)}b`;
    expect(createSafeRegex('^(a+)+$').test(evil)).toBe(false);
    expect(() => createSafeRegex('^(?=(a+)+$)', { engine: nodeRegexEngine }).test(evil)).toThrow(JqBudgetError);
    expect(() => createSafeRegex('(a*)*\\1z', { engine: nodeRegexEngine }).test('a'.repeat(20_000))).toThrow(
      JqBudgetError,
    );
    expect(() => createSafeRegex('a'.repeat(2_000))).toThrow(JqBudgetError);
  });

  test.each(['(', '[', 'a{2,1}', '(?<n', '\\', '*a', '[z-a]', '(?z)a', '\\p{Nope}'])('%s is no pattern', (pattern) => {
    expect(() => createSafeRegex(pattern)).toThrow(JqSyntaxError);
  });
});

describe('the dialect', () => {
  const run = (source: string): unknown => compile(source, { regex: nodeRegexEngine }).first(null);
  test.each<[string, unknown]>([
    ['"a\\nb" | [match("^b|b$"; "g").offset]', [2]],
    ['"a\\n" | test("a$")', true],
    ['"a\\nb\\n" | test("b$")', true],
    ['"a\\nb\\n" | test("a$")', false],
    ['"a\\nb" | test("a.b")', false],
    ['"a\\nb" | test("a.b"; "p")', true],
    ['"a\\nb" | test("(?s)a.b")', true],
    ['"x\\ny\\nz" | [match("(?m)^\\\\w$"; "g").offset]', [0, 2, 4]],
    ['"é1 ٣" | [match("\\\\w+"; "g").string]', ['é1', '٣']],
    ['"😀x" | match("x").offset', 1],
    ['"fooBAR" | match("(?i)bar").offset', 3],
    ['"ab" | test("a b # free"; "x")', true],
    ['"aaa" | test("a++a")', false],
    ['"aaab" | test("(?>a+)b")', true],
    ['"abab" | test("(ab)\\\\1")', true],
    ['"foo" | match("(?<=f)o").offset', 1],
    ['"a.b" | test("^\\\\Qa.b\\\\E$")', true],
    ['"A" | test("\\\\x41")', true],
    ['"[a]" | [match("[[a]+"; "g").string]', ['[a']],
    ['"été" | [match("\\\\bt|\\\\Bt"; "g").offset]', [1]],
    ['"aab" | [match("a*"; "gn").string]', ['aa']],
    ['"ab" | match("a|ab"; "l").string', 'ab'],
  ])('%s', (source, expected) => expect(run(source)).toEqual(expected));
});
