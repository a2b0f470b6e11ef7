// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of HCL look like those of JavaScript
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasTerraform } from '../../../../test/has-terraform.ts';
import { HclSyntaxError } from './cursor.ts';
import { parseHcl } from './parse-body.ts';
import { constantText, findAttribute, walkExpressions } from './read-syntax.ts';

/** The kinds of nodes in the value of `a`. */
function describeShape(value: string): string {
  const found = findAttribute(parseHcl(`a = ${value}\n`), 'a')!;
  return [...walkExpressions(found.value)].map(({ kind }) => kind).join(' ');
}

function refusal(source: string): number | undefined {
  try {
    parseHcl(source);
    return undefined;
  } catch (error) {
    if (error instanceof HclSyntaxError) return error.offset;
    throw error;
  }
}

test.each([
  ['1 + 2 * 3', 'binary literal binary literal literal'],
  ['-a.b[0]["c"].*.d', 'unary access variable literal template'],
  ['a ? b : c ? d : e', 'conditional variable variable conditional variable variable variable'],
  ['[for k, v in a : v if k != null]', 'for variable variable binary variable literal'],
  ['{for k, v in a : k => v...}', 'for variable variable variable'],
  ['merge(a, [b]...)', 'call variable tuple variable'],
  ['provider::port::f(1)', 'call literal'],
  ['"${a}-%{ if b }c%{ else }${d}%{ endif }"', 'template variable variable variable'],
  ['{\n  b = 1 # c\n\n  "d" : 2,\n  (e) = 3 }', 'object variable literal template literal group variable literal'],
  ['(\n  1\n  + 2\n)', 'group binary literal literal'],
  ['<<-EOT\n  x ${a}\n  EOT', 'template variable'],
  ['a.0.1', 'access variable literal literal'],
])('%s', (value, shape) => expect(describeShape(value)).toBe(shape));

test.each([
  ['a = 1 b = 2\n', 6],
  ['a =\n  1\n', 3],
  ['a = 1\n+ 2\n', 6],
  ['a = "x\n"\n', 4],
  ['a = "\\q"\n', 5],
  ['a = { b = 1 c = 2 }\n', 12],
  ['a = [1 2]\n', 7],
  ['a = f(\n', 7],
  ['b { c = 1, d = 2 }\n', 9],
  ['b "${c}" {}\n', 2],
  ['a = 1\na = 2\n', 6],
  ['a = "%{ if b }"\n', 5],
  ['a = "%{ endif }"\n', 5],
  ['a = <<E\nx\n', 4],
  ['/* a', 0],
  ['a = x.*.y.*\n', 9],
])('%j is refused where it goes wrong', (source, offset) => expect(refusal(source)).toBe(offset));

test('what is nested too deeply is refused, and ends nothing', () => {
  expect(refusal(`a = ${'('.repeat(5000)}`)).toBe(104);
  expect(refusal(`a = ${'-'.repeat(5000)}1`)).toBe(204);
});

test('escapes, byte order marks and Windows line ends', () => {
  const body = parseHcl('\uFEFFa = "\\u00e9$${b}%%{c}\\n"\r\nb = <<E\r\nx\r\nE\r\n');
  expect(constantText(findAttribute(body, 'a')!.value)).toBe('é${b}%{c}\n');
  expect(constantText(findAttribute(body, 'b')!.value)).toBe('x\r\n');
});

const name = fc.constantFrom('a', 'port_team', 'x-y', 'é');
/** `$&$&` doubles the character, which escapes it. */
const text = fc.string({ maxLength: 8 }).map((each) => JSON.stringify(each).replaceAll(/[$%](?=\{)/g, '$&$&'));
const gap = fc.constantFrom('', ' ', '  ', ' /* c { */ ');
const { expression } = fc.letrec<{ expression: [string, string] }>((tie) => {
  const inner = tie('expression');
  const joined = (parts: [string, string][]): string => parts.map(([, shape]) => shape).join(' ');
  return {
    expression: fc.oneof(
      { maxDepth: 4 },
      name.map((each): [string, string] => [each, 'variable']),
      fc.nat().map((each): [string, string] => [String(each), 'literal']),
      text.map((each): [string, string] => [each, 'template']),
      fc
        .tuple(fc.array(inner, { maxLength: 3 }), gap)
        .map(([items, space]): [string, string] => [
          `[${items.map(([source]) => `${space}${source}`).join(`${space},`)}${space}]`,
          ['tuple', joined(items)].filter(Boolean).join(' '),
        ]),
      fc
        .tuple(fc.array(inner, { maxLength: 3 }), fc.constantFrom('\n', ', ', ' # c\n'))
        .map(([items, end]): [string, string] => [
          `{ ${items.map(([source], at) => `k${at} = ${source}`).join(end)}\n}`,
          ['object', ...items.map(([, shape]) => `variable ${shape}`)].join(' '),
        ]),
      fc
        .tuple(inner, inner, inner)
        .map(([a, b, c]): [string, string] => [
          `(${a[0]}\n? ${b[0]} : ${c[0]})`,
          `group conditional ${joined([a, b, c])}`,
        ]),
      fc.tuple(inner, inner).map(([a, b]): [string, string] => [`f(${a[0]},\n ${b[0]})`, `call ${joined([a, b])}`]),
      fc.tuple(name, inner).map(([a, b]): [string, string] => [`${a}.b[${b[0]}]`, `access variable ${b[1]}`]),
      inner.map(([a, shape]): [string, string] => [`"x\${ ${a} }y"`, `template ${shape}`]),
    ),
  };
});

test('whatever is written is read as what it was written from, and its spans are the text', () => {
  fc.assert(
    fc.property(expression, ([source, shape]) => {
      const { value, start } = findAttribute(parseHcl(`# before\na = ${source} // after\n`), 'a')!;
      expect([...walkExpressions(value)].map(({ kind }) => kind).join(' ')).toBe(shape);
      expect(`# before\na = ${source} // after\n`.slice(start, value.end)).toBe(`a = ${source}`);
    }),
    { numRuns: 300 },
  );
});

const seeds = [
  'resource "a" "b" {\n  c = merge(local.d, { e = [for f in g : f.h if f != null] })\n  i = a ? b : c\n}\n',
  'a = <<-EOT\n  x ${b.*.c[0]} %{ if d }e%{ else }f%{ endif }\n  EOT\nb {\n  c = "d \\"$${e}\\" ${f("g")}"\n}\n',
  'a = { b = 1, "c" : 2\n (d) = -3 } // e\nf = a.0.b || !c && (d\n >= 1.5e3)\n',
];
const insertions = [
  '\n',
  ' ',
  '"',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '=',
  '.',
  '...',
  ',',
  '?',
  ':',
  '${',
  '%{ endif }',
  '#',
  '*/',
  '\\',
  '*',
  '<<E\n',
  '\nE\n',
  'for',
  '1.',
  '=>',
  '@',
  "'",
  '~}',
];

if (hasTerraform()) {
  describe('Terraform itself', () => {
    test('refuses what is refused here, and nothing else', () => {
      const folder = mkdtempSync(join(tmpdir(), 'portolan-hcl-'));
      const mutation = fc.tuple(fc.constantFrom(...seeds), fc.nat(), fc.constantFrom(...insertions), fc.nat(6));
      const sources = fc.sample(mutation, { numRuns: 400, seed: 7 }).map(([seed, at, insertion, removed]) => {
        const place = at % seed.length;
        return seed.slice(0, place) + (removed > 3 ? insertion : '') + seed.slice(place + (removed > 3 ? 0 : removed));
      });
      try {
        mkdirSync(join(folder, 'f'));
        for (const [at, source] of sources.entries()) writeFileSync(join(folder, 'f', `${at}.tf`), source);
        let answer = '';
        try {
          execFileSync('terraform', ['fmt', '-no-color', '-write=false', '-list=false', 'f'], {
            cwd: folder,
            stdio: 'pipe',
          });
        } catch (error) {
          answer = String((error as { stderr: Buffer }).stderr);
        }
        const theirs = new Set([...answer.matchAll(/on f\/(\d+)\.tf line/g)].map(([, at]) => Number(at)));
        const ours = sources.flatMap((source, at) => (refusal(source) === undefined ? [] : [at]));
        expect(ours.length).toBeGreaterThan(50);
        expect(sources.filter((_, at) => theirs.has(at) !== ours.includes(at))).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}

/** Files of other projects, outside this repository. */
const corpus = process.env['PORTOLAN_HCL_CORPUS'];
if (corpus !== undefined) {
  test('every file of the corpus is read', () => {
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.tf'));
    expect(files.length).toBeGreaterThan(0);
    const refused = files.filter((each) => refusal(readFileSync(join(corpus, each), 'utf8')) !== undefined);
    expect(refused).toEqual([]);
  });
}
