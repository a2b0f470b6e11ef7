import { describe, expect, test } from 'vitest';
import { analyse, compile, JqError, type JqValue, renderTemplate, stringify } from '../src/index.ts';
import { nodeRegexEngine } from '../src/node.ts';

/** Everything here must end as a value or as an error of ours, never as another exception, a hang or a polluted prototype. */
const budget = { stepsMax: 500_000, wallTimeMs: 1_000, allocatedBytesMax: 64e6 };

function nested(depth: number, wrap: (inner: JqValue) => JqValue): JqValue {
  let value: JqValue = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const deepArray = nested(10_000, (inner) => [inner]);
const deepObject = nested(10_000, (inner) => ({ a: inner }));
const evil = `${'a'.repeat(40)}b`;

const attacks: [source: string, input?: JqValue][] = [
  ['.', deepArray],
  ['..|numbers', deepArray],
  ['[..]|length', deepObject],
  ['tojson', deepArray],
  ['. == .', deepArray],
  ['walk(.)', deepArray],
  ['flatten', deepArray],
  ['[tostream]|length', deepObject],
  ['[paths]|length', deepArray],
  ['.. |= .', deepObject],
  ['del(..)', deepObject],
  ['sort', [deepArray, deepArray]],
  ['setpath([range(9000)|0]; 2)', deepArray],
  ['fromjson', '['.repeat(20_000)],
  ['fromjson', `{"1":${'['.repeat(20_000)}`],
  ['tonumber', '9'.repeat(5_000)],
  ['explode, @uri, @base64, length, [match("."; "g")]', 'a\ud800b'],
  ['1e1000, -1e1000, 1e-99999 | tojson'],
  ['def f(x): f(x + x); f(1)'],
  ['def f(x): x | f(f(x)); f(.)'],
  ['def f: f | f; f'],
  ['"x" * 1e9'],
  ['"x" * infinite, "x" * nan'],
  ['[range(1e9)]'],
  ['range(0; 1; 0)'],
  ['until(false; .)'],
  ['[limit(1e9; repeat(1))]'],
  ['test("^(a+)+$")', evil],
  ['test("^(a+)+\\\\1$")', evil],
  ['test("(?=(a+)+$)b")', evil],
  ['[match("(.*)*x"; "g")]', 'a'.repeat(50_000)],
  ['test("(((a{100}){100}){100})")', 'a'],
  ['splits("")', 'abc'],
  ['implode', [1_114_112, -1, 55_296, 1e10, Number.NaN]],
  ['@csv, @tsv, @sh, @html, @json | length', new Array<JqValue>(50_000).fill('"<\t')],
  ['ltrimstr(1), rtrimstr({}), ltrimstr(null)', {}],
  ['getpath({})'],
  ['getpath([{}])', [1]],
  ['getpath([[]])', [1]],
  ['setpath(["a", 1e9]; 1)'],
  ['.[1e9] = 1'],
  ['.[infinite], .[nan], .[infinite:], .[nan] = 1', [1]],
  ['limit("a"; 1)'],
  ['range(nan), range(infinite)'],
  ['1e300 | todate'],
  ['[1e300, 1, 1, 1, 1, 1] | mktime'],
  ['now | strftime("%Y" * 1e6)'],
  ['strptime("%Y" * 10000)', '1'],
  ['reduce range(60) as $i (1; [., .]) | tojson'],
  ['reduce range(60) as $i (1; [., .]) | ., flatten'],
  ['error(reduce range(60) as $i (1; [., .]))'],
  ['[1, 2] | combinations(30)'],
  ['$ENV, env, debug, input_filename, (try input catch .)'],
];

describe('hostile programs', () => {
  for (const [source, input = null] of attacks) {
    test(`${source} ends well`, () => {
      const started = performance.now();
      try {
        for (const output of compile(source, { regex: nodeRegexEngine }).run(input, { budget })) stringify(output);
      } catch (error) {
        expect(error).toBeInstanceOf(JqError);
      }
      expect(performance.now() - started).toBeLessThan(10_000);
    });
  }
});

test('no key reaches a prototype', () => {
  const sources = [
    'setpath(["__proto__", "polluted"]; 1)',
    '.__proto__.polluted = 1',
    '. * {"__proto__": {"polluted": 1}}',
    '[{key: "__proto__", value: {polluted: 1}}] | from_entries',
    'reduce ("__proto__", "constructor") as $k (.; .[$k].polluted = 1)',
    '{__proto__: {polluted: 1}} | with_entries(.)',
    '"{\\"__proto__\\":{\\"polluted\\":1}}" | fromjson',
    'INDEX({polluted: 1}; "__proto__")',
    '"x" | capture("(?<__proto__>x)")',
  ];
  for (const source of sources) compile(source).run({});
  renderTemplate({ __proto__x: 1, '{{ "__proto__" }}': { polluted: 1 } }, {});
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('the analysis survives what the parser lets through', () => {
  for (const source of ['.a'.repeat(300), `[${'.a,'.repeat(5_000)}.b]`, '.a|'.repeat(5_000).concat('.')]) {
    expect(analyse(source).reads.length).toBeGreaterThan(0);
  }
});
