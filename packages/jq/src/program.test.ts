import { describe, expect, test } from 'vitest';
import {
  compile,
  JqBudgetError,
  JqRefusedError,
  JqRuntimeError,
  JqSyntaxError,
  type JqValue,
  stringify,
} from './index.ts';

const findLimit = (source: string, input: JqValue = null, budget = {}): string => {
  try {
    compile(source).run(input, { budget });
  } catch (error) {
    if (error instanceof JqBudgetError) return error.limit;
    throw error;
  }
  return 'none';
};

describe('running', () => {
  test('gives all outputs, the first, or one at a time until told to stop', () => {
    const program = compile('.[] | . + 1');
    expect(program.run([1, 2, 3])).toEqual([2, 3, 4]);
    expect(program.first([1, 2, 3])).toBe(2);
    expect(compile('empty').first(null)).toBeUndefined();
    const seen: JqValue[] = [];
    compile('repeat(1)').each(null, (output) => seen.push(output) < 3);
    expect(seen).toEqual([1, 1, 1]);
  });

  test('the same text is compiled once', () => {
    expect(compile('.a.b')).toBe(compile('.a.b'));
    expect(compile('$x', { variables: ['x'] })).toBe(compile('$x', { variables: ['x'] }));
  });

  test('declared variables need a value and undeclared ones are errors of the program', () => {
    const program = compile('$limit + .', { variables: ['limit'] });
    expect(program.first(1, { variables: { limit: 2 } })).toBe(3);
    expect(() => program.first(1)).toThrow('no value given for $limit');
    expect(() => compile('$limit')).toThrow(JqSyntaxError);
  });

  test('the clock is the one given', () => {
    expect(compile('now').first(null, { now: new Date(1_500) })).toBe(1.5);
  });

  test('an uncaught error carries its value', () => {
    expect(() => compile('error({a: 1})').run(null)).toThrow(JqRuntimeError);
    try {
      compile('error({a: 1})').run(null);
    } catch (error) {
      expect((error as JqRuntimeError).value).toEqual({ a: 1 });
      expect((error as JqRuntimeError).message).toBe('(not a string): {"a":1}');
    }
  });

  test('inputs are never changed', () => {
    const input = Object.freeze({ a: Object.freeze([1, 2]), b: Object.freeze({ c: 1 }) });
    expect(compile('.a[0] = 9 | .b.c += 1 | .a |= map(. + 1)').first(input)).toEqual({ a: [10, 3], b: { c: 2 } });
    expect(compile('reduce range(3) as $i (.; .a += [$i])').first(input)).toEqual({ a: [1, 2, 0, 1, 2], b: { c: 1 } });
    expect(input).toEqual({ a: [1, 2], b: { c: 1 } });
  });

  test('values shared in a fold stay as they were', () => {
    expect(compile('reduce range(3) as $i ({l: []}; .l += [$i] | .all += [.l])').first(null)).toEqual({
      l: [0, 1, 2],
      all: [[0], [0, 1], [0, 1, 2]],
    });
    expect(compile('[foreach range(3) as $i ([]; . + [$i])]').first(null)).toEqual([[0], [0, 1], [0, 1, 2]]);
  });
});

describe('long loops stay flat', () => {
  for (const [source, expected] of [
    ['def f: if . > 100000 then . else . + 1 | f end; 0 | f', 100_001],
    ['[limit(100000; repeat(1))] | length', 100_000],
    ['[range(1e5)] | length', 100_000],
    ['0 | until(. > 100000; . + 1)', 100_001],
    ['[0 | while(. < 50000; . + 1)] | length', 50_000],
    ['last(range(1e5))', 99_999],
    ['reduce range(1e6) as $i (0; . + $i)', 499_999_500_000],
    ['reduce range(1e5) as $i ([]; . + [$i]) | length', 100_000],
    ['reduce range(1e5) as $i ({}; .["k\\($i % 100)"] += 1) | length', 100],
    ['[limit(100000; 1 | recurse(. + 1))] | length', 100_000],
    ['def f(g): if . > 20000 then . else g | f(g) end; 0 | f(. + 1)', 20_001],
  ] as const) {
    test(source, () => expect(compile(source, { budget: { wallTimeMs: 10_000 } }).first(null)).toBe(expected));
  }
});

describe('limits', () => {
  test.each([
    ['def f: f; f', 'steps'],
    ['until(false; .)', 'steps'],
    ['def f: 1 + f; f', 'depth'],
    ['def f: [f]; f', 'depth'],
    ['"x" * 1e9', 'stringLength'],
    ['reduce range(60) as $i (1; [., .])', 'resultSize'],
    ['reduce range(2000) as $i (1; [.])', 'resultDepth'],
    ['reduce range(60) as $i (1; [., .]) | . == (reduce range(60) as $i (1; [., .]))', 'steps'],
    ['"a" * 300000 | test("a")', 'regexSubjectLength'],
    ['test("a" * 2000)', 'regexPatternLength'],
  ])('%s reaches %s', (source, limit) => {
    expect(findLimit(source, 'x', { stepsMax: 300_000, wallTimeMs: 60_000 })).toBe(limit);
  });

  test('outputs, time, arrays and memory are limits too', () => {
    expect(findLimit('range(100)', null, { outputsMax: 10 })).toBe('outputs');
    expect(findLimit('until(false; .)', null, { wallTimeMs: 20, stepsMax: 1e12 })).toBe('wallTime');
    expect(findLimit('[range(1e9)]', null, { arrayLengthMax: 1_000 })).toBe('arrayLength');
    expect(findLimit('repeat(empty)', null, { stepsMax: 10_000 })).toBe('steps');
    expect(findLimit('last(repeat(1))', null, { wallTimeMs: 20, stepsMax: 1e12 })).toBe('wallTime');
    expect(findLimit('[repeat(1)]', null, { arrayLengthMax: 1_000 })).toBe('arrayLength');
    expect(findLimit('repeat(1)', null, { outputsMax: 10 })).toBe('outputs');
    expect(findLimit('path(repeat(empty))')).toBe('depth');
    expect(findLimit('range(nan) | empty', null, { stepsMax: 10_000 })).toBe('steps');
    expect(findLimit('yn(1e9; 1e9)', null, { stepsMax: 10_000 })).toBe('steps');
    expect(findLimit('[foreach range(1e5) as $i ([]; . + [$i])]', null, { allocatedBytesMax: 1e6 })).toBe(
      'allocatedBytes',
    );
  });

  test('a program cannot catch a limit', () => {
    expect(findLimit('try ("x" * 1e9) catch 1')).toBe('stringLength');
    expect(findLimit('first(("x" * 1e9)?, 1)')).toBe('stringLength');
  });
});

describe('what is refused', () => {
  test.each(['halt', 'halt_error', 'halt_error(1)', 'import "a" as a; .', 'include "a"; .', 'modulemeta'])(
    '%s',
    (source) => {
      expect(() => compile(source)).toThrow(JqRefusedError);
    },
  );

  test('nothing of the surroundings can be seen', () => {
    expect(compile('[$ENV, env, input_filename, [inputs], (try input catch .), debug, stderr]').first(7)).toEqual([
      {},
      {},
      null,
      [],
      'No more inputs',
      7,
      7,
    ]);
  });
});

describe('keys', () => {
  test('names of inherited properties are plain keys', () => {
    expect(compile('.constructor, .__proto__, has("toString")').run({})).toEqual([null, null, false]);
    const made = compile('.__proto__.x = 1').first({}) as Record<string, JqValue>;
    expect(Object.keys(made)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(stringify(compile('[{key: "__proto__", value: 1}] | from_entries').first(null)!)).toBe('{"__proto__":1}');
  });

  test('keys that look like numbers keep the order they were added in', () => {
    const print = (source: string): string => stringify(compile(source).first(null)!);
    expect(print('{"b": 1, "1": 2, "a": 3, "0": 4}')).toBe('{"b":1,"1":2,"a":3,"0":4}');
    expect(print('{"b": 1} | .["7"] = 2 | .c = 3 | keys_unsorted')).toBe('["b","7","c"]');
    expect(print('{"b": 1, "1": 2} | to_entries | map(.key)')).toBe('["b","1"]');
    expect(print('{"b": 1, "1": 2} + {"0": 3} | del(.b) | tojson')).toBe('"{\\"1\\":2,\\"0\\":3}"');
    expect(print('"{\\"b\\":1,\\"1\\":2}" | fromjson')).toBe('{"b":1,"1":2}');
  });
});
