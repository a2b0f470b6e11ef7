import fc from 'fast-check';
import type { JqValue } from '../src/index.ts';

/** Names the documents and the expressions share, so that accesses often hit. */
const names = ['a', 'b', 'c', 'team', 'x'];
const texts = ['', 'a', 'b', 'A', 'ab', 'a,b', '1', ' x', 'é', '😀', '0', '2015-03-05T23:51:47Z', '"q"', 'null'];
const numbers = [0, 1, 2, 3, -1, 10, 0.5, -2.5, 1e3, 100];

const scalar: fc.Arbitrary<JqValue> = fc.oneof(
  fc.constantFrom<JqValue>(null, true, false),
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
);

/** Small JSON documents over the shared names. */
export const document: fc.Arbitrary<JqValue> = fc.letrec<{ value: JqValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<JqValue>,
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JqValue>,
  ),
})).value;

const literal = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '.', '..', '[]', '{}'),
  fc.constantFrom(...numbers.map(String)),
  fc.constantFrom(...texts.map((text) => JSON.stringify(text))),
);

/** Builtins without arguments whose results both engines define alike. */
const plainCalls = [
  ...[
    'length',
    'keys',
    'type',
    'not',
    'add',
    'sort',
    'unique',
    'min',
    'max',
    'reverse',
    'flatten',
    'to_entries',
    'tostring',
  ],
  ...[
    'tojson',
    'fromjson',
    'ascii_downcase',
    'ascii_upcase',
    'explode',
    'first',
    'last',
    'empty',
    'error',
    'paths',
    'values',
  ],
  ...[
    'floor',
    'sqrt',
    'any',
    'all',
    'tostream',
    'transpose',
    'arrays',
    'objects',
    'strings',
    'numbers',
    'scalars',
    'nulls',
  ],
  ...[
    'utf8bytelength',
    'keys_unsorted',
    'recurse',
    'round',
    'ceil',
    'fabs',
    '@json',
    '@text',
    '@html',
    '@uri',
    '@csv',
    '@tsv',
  ],
  ...['@sh', '@base64', 'infinite', 'isvalue', 'booleans', 'iterables'].filter((name) => name !== 'isvalue'),
];

const unaryCalls = [
  ...[
    'map',
    'select',
    'sort_by',
    'group_by',
    'unique_by',
    'min_by',
    'max_by',
    'with_entries',
    'map_values',
    'any',
    'all',
  ],
  ...[
    'first',
    'last',
    'isempty',
    'path',
    'paths',
    'del',
    'recurse',
    'has',
    'contains',
    'inside',
    'join',
    'split',
    'index',
  ],
  ...[
    'startswith',
    'endswith',
    'ltrimstr',
    'rtrimstr',
    'getpath',
    'error',
    'walk',
    'flatten',
    'IN',
    'indices',
    'range',
    'pick',
  ],
  'rindex',
];

/** Source texts of programs, mostly well formed and mostly quick. */
export const expression: fc.Arbitrary<string> = fc.letrec<{ e: string; t: string }>((tie) => {
  const e = tie('e');
  const t = tie('t');
  const binary = fc.constantFrom(
    '+',
    '-',
    '*',
    '/',
    '%',
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'and',
    'or',
    '//',
    ',',
    '|',
  );
  const assign = fc.constantFrom('=', '|=', '+=', '-=', '*=', '//=');
  const name = fc.constantFrom(...names);
  const path = fc.oneof(
    name.map((key) => `.${key}`),
    fc.tuple(name, name).map(([first, second]) => `.${first}.${second}`),
    fc.constantFrom('.[0]', '.[1:]', '.[-1]', '.[]', '.[]?', '.[:1]', '.a[0]', '.a[]?', '..', '.', 'first', 'last'),
    name.map((key) => `getpath(["${key}"])`),
  );
  return {
    t: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      path,
      fc.constantFrom(...plainCalls),
      e.map((body) => `(${body})`),
      e.map((body) => `[${body}]`),
      fc.tuple(name, e).map(([key, body]) => `{${key}: (${body})}`),
      name.map((key) => `{${key}}`),
      fc.tuple(e, name).map(([body, key]) => `{(${body} | tostring): .${key}?}`),
      e.map((body) => `"<\\(${body})>"`),
    ),
    e: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      t,
      fc.tuple(t, binary, t).map(([left, operator, right]) => `${left} ${operator} ${right}`),
      fc.tuple(t, t).map(([left, right]) => `${left} | ${right}`),
      fc.tuple(path, assign, t).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(fc.constantFrom(...unaryCalls), e).map(([call, arg]) => `${call}(${arg})`),
      fc.tuple(e, e, e).map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
      fc.tuple(e, e).map(([a, b]) => `try (${a}) catch (${b})`),
      t.map((a) => `${a}?`),
      fc.tuple(t, e, e).map(([a, b, c]) => `reduce ${a} as $v (${b}; ${c})`),
      fc.tuple(t, e, e).map(([a, b, c]) => `[foreach ${a} as $v (${b}; ${c})]`),
      fc.tuple(t, e).map(([a, b]) => `${a} as $v | ${b}`),
      fc.tuple(t, e).map(([a, b]) => `${a} as [$v, {a: $w}] | [$v, $w] | ${b}`),
      fc.tuple(t, e).map(([a, b]) => `${a} as [$v] ?// $v | ${b}`),
      fc.tuple(e, e).map(([a, b]) => `def f: ${a}; ${b} | f`),
      fc.tuple(e, e).map(([a, b]) => `def f(g): ${a} | g; f(${b})`),
      fc.tuple(e, e).map(([a, b]) => `label $out | ${a} | ., break $out, ${b}`),
      fc.tuple(fc.constantFrom('1', '2', '0'), e).map(([count, a]) => `[limit(${count}; ${a})]`),
      e.map((a) => `-(${a})`),
      fc.tuple(e, e).map(([a, b]) => `[${a}] | .[0] as $w | ${b} | ., $w`),
    ),
  };
}).e;
