/**
 * jq's own test suite against this engine: `PORTOLAN_JQ_CHECKOUT=/path/to/jq npx tsx packages/jq/test/upstream-suite.ts`,
 * with a checkout of the tag jq-1.7.1. Nothing of jq is kept in this tree. Fails for a case that differs and is not
 * listed below, and for one that is listed and no longer differs.
 */
import { readFileSync } from 'node:fs';
import { compile, JqError, type JqValue, parseJson, stringify } from '../src/index.ts';
import { nodeRegexEngine } from '../src/node.ts';
import { equalValues } from '../src/value/compare.ts';

const checkout = process.env['PORTOLAN_JQ_CHECKOUT'];
if (checkout === undefined) throw new Error('set PORTOLAN_JQ_CHECKOUT to a checkout of jq at the tag jq-1.7.1');

const files = ['jq', 'man', 'onig', 'manonig', 'base64', 'optional'];

const modules = 'no modules (docs/reference/jq.md, "Refused")';
const doubles = 'numbers are doubles';
/** File and line of the program, as in the tag jq-1.7.1. */
const expected: ReadonlyMap<string, string> = new Map([
  ...[1584, 1588, 1592, 1596, 1601, 1605, 1609, 1613, 1641, 1645, 1649, 1661].map((line): [string, string] => [
    `jq:${line}`,
    modules,
  ]),
  ...['jq:1839', 'jq:1843', 'jq:1847', 'man:9', 'man:17', 'man:21'].map((at): [string, string] => [at, doubles]),
  ['jq:1949', 'jq without a source of inputs says "break"; here, as on its command line, "No more inputs"'],
  ['man:661', 'no environment'],
  ['man:665', 'no environment'],
]);

interface Case {
  readonly at: string;
  readonly program: string;
  readonly input: string;
  /** Undefined for a program that must not compile. */
  readonly outputs: readonly string[] | undefined;
}

const isGap = (line: string): boolean => /^\s*(#.*)?$/.test(line);

/** Blocks of a program, an input and outputs; `%%FAIL` stands before a program that is none and its message. */
function parseCases(file: string): Case[] {
  const lines = readFileSync(`${checkout}/tests/${file}.test`, 'utf8').split('\n');
  const cases: Case[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (isGap(lines[at]!)) continue;
    const mustFail = lines[at]!.startsWith('%%FAIL');
    if (mustFail) at++;
    const [program, place] = [lines[at]!, `${file}:${at + 1}`];
    const input = lines[++at]!;
    const outputs: string[] = [];
    while (!mustFail && at + 1 < lines.length && !isGap(lines[at + 1]!)) outputs.push(lines[++at]!);
    cases.push({ at: place, program, input, outputs: mustFail ? undefined : outputs });
  }
  return cases;
}

/** Undefined when the case holds, else what happened instead. */
function differenceIn({ program, input, outputs }: Case): string | undefined {
  const seen: JqValue[] = [];
  let problem = '';
  try {
    const compiled = compile(program, { regex: nodeRegexEngine });
    if (outputs === undefined) return 'compiles';
    // One case runs through tens of thousands of dates, more than the default second on a busy machine.
    const options = { budget: { wallTimeMs: 60_000 } };
    compiled.each(parseJson(input) ?? null, (value) => void seen.push(value), options);
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (outputs === undefined) return undefined;
    problem = error.message;
  }
  const wanted = outputs.map((text) => parseJson(text) ?? null);
  const isEqual = seen.length === wanted.length && seen.every((value, at) => isSame(value, wanted[at]!));
  return isEqual ? undefined : `${seen.map((value) => stringify(value)).join(' ')} ${problem}`;
}

/** Equal as values, where the order of keys and the sign of zero do not count, or printed alike, as NaN and null are. */
function isSame(left: JqValue, right: JqValue): boolean {
  return equalValues(left, right, { step: () => {} }) || stringify(left) === stringify(right);
}

let surprises = 0;
for (const file of files) {
  const cases = parseCases(file);
  let equal = 0;
  for (const one of cases) {
    const difference = differenceIn(one);
    if (difference === undefined) equal++;
    const reason = expected.get(one.at);
    if ((difference === undefined) === (reason === undefined)) continue;
    surprises++;
    const wanted = one.outputs?.join(' ') ?? 'no program';
    const problem =
      difference === undefined ? `no longer differs (${reason})` : `wanted ${wanted}\n  got ${difference}`;
    process.stdout.write(`${one.at} ${one.program}\n  ${problem}\n`);
  }
  process.stdout.write(`${file}: ${equal} of ${cases.length} equal\n`);
}
process.exitCode = surprises === 0 ? 0 : 1;
