import { describe, expect, test } from 'vitest';
import { JqBudgetError, JqSyntaxError } from '../errors.ts';
import { parse } from './parser.ts';
import { print } from './print.ts';

describe('errors name the place and what was expected', () => {
  test.each([
    ['.[', 1, 3, 'an expression'],
    ['{a', 1, 3, "'}'"],
    ['1 as', 1, 5, 'a variable'],
    ['.a\n| )', 2, 3, 'an expression'],
    ['if . then 1', 1, 12, "'end'"],
    ['"abc', 1, 5, "'\"'"],
    ['.a.', 1, 4, 'a field name'],
    ['1 == 1 == 1', 1, 8, 'parentheses around the comparison'],
    ['reduce . as $x', 1, 15, "'('"],
    ['.a )', 1, 4, 'end of expression'],
  ])('%s', (source, line, column, expected) => {
    try {
      parse(source);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JqSyntaxError);
      const problem = error as JqSyntaxError;
      expect([problem.line, problem.column]).toEqual([line, column]);
      expect(problem.expected.join(' ')).toContain(expected);
    }
  });
});

describe('limits of the text', () => {
  test.each(['[', '(', '{a:', '"\\(', '-', 'if ', 'try ', 'def f: ', '.[', '1 as $x|', '. as [', 'f(', 'reduce '])(
    '10,000 times %s is an error of ours',
    (open) => {
      expect(() => parse(open.repeat(10_000), { sourceLengthMax: 1e6 })).toThrow(/limit reached: nesting|unexpected/);
    },
  );

  test('a megabyte is refused by its length', () => {
    expect(() => parse('.a|'.repeat(350_000))).toThrow(JqBudgetError);
    expect(() => parse('1+'.repeat(40_000))).toThrow(JqBudgetError);
  });

  test('long flat lists are fine', () => {
    expect(parse(`[${'1,'.repeat(20_000)}1]`).kind).toBe('array');
  });
});

describe('positions and printing', () => {
  test('every node covers its text', () => {
    const source = ' .a | map(.b)  # end';
    const tree = parse(source);
    expect(source.slice(tree.start, tree.end)).toBe('.a | map(.b)');
  });

  test.each([
    '.a["b"].c[0][1:2]?',
    'def f(g; $x): g + $x; f(.a; 1) | .. .b',
    'reduce .[] as [$a, {b: $c, $d, ("k"): $e}] (0; . + $a) // -1',
    'foreach range(3) as $i (0; . + $i; [$i, .])',
    'try error("x \\(1 + 1)") catch @base64 "v\\(.)"',
    'if . then 1 elif .a then 2 else 3 end | label $out | break $out',
    '. as {a: $x} ?// [$x] | {$x, "y": 1, (.z): 2, @json "k": 3, $__loc__}',
    '.a |= 1 | .b //= 2 | (.a, .b) += 1 and (true or false)',
  ])('%s prints as it was', (source) => expect(print(parse(source))).toBe(source));
});
