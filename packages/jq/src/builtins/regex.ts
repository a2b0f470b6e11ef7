import { notSingle } from '../evaluate/forms-access.ts';
import { collect } from '../evaluate/forms-basic.ts';
import { raise, raiseAbout } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { PatternError } from '../regex/pattern-escape.ts';
import type { MatchRequest, MatchResult, RegexMatch } from '../regex/regex-engine.ts';
import { add } from '../value/arithmetic.ts';
import { type ObjectDraft, setKey } from '../value/object.ts';
import { codePointOffsets } from '../value/text.ts';
import { type JqValue, jqType } from '../value/value.ts';
import { type CallForms, type ValueFunction, valueForms } from './value-builtin.ts';

interface FoundMatch extends MatchResult {
  readonly subject: string;
}

/** jq's flags (manual, "Regular expressions"): `m` lets the dot match line breaks, `s` is always on, `p` is both. */
function toMatchRequest(pattern: string, flags: JqValue, isTest: boolean): MatchRequest {
  if (flags !== null && typeof flags !== 'string') throw raiseAbout(flags, 'is not a string');
  const letters = flags ?? '';
  if (/[^gimnplsx]/.test(letters)) throw raise(`${letters} is not a valid modifier string`);
  return {
    pattern,
    ignoreCase: letters.includes('i'),
    extended: letters.includes('x'),
    dotAll: letters.includes('m') || letters.includes('p'),
    longest: letters.includes('l'),
    notEmpty: letters.includes('n'),
    isGlobal: letters.includes('g') && !isTest,
  };
}

function find(run: Run, input: JqValue, pattern: JqValue, flags: JqValue, isTest = false): FoundMatch {
  if (typeof input !== 'string') throw raiseAbout(input, 'cannot be matched, as it is not a string');
  if (typeof pattern !== 'string') throw raiseAbout(pattern, 'is not a string');
  const request = toMatchRequest(pattern, flags, isTest);
  run.spend(1 + (input.length >> 4));
  try {
    const result = run.regex.matchAll(request, input, run.budget);
    run.checkArray(result.matches.length * (1 + result.names.length));
    return { ...result, matches: result.matches.map(withEmptyGroups), subject: input };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw raise(`Regex failure: ${error.message}`);
  }
}

/** An empty match has only empty groups, even for groups that did not participate (jq 1.7.1). */
function withEmptyGroups(match: RegexMatch): RegexMatch {
  if (match.start !== match.end) return match;
  return { ...match, groups: match.groups.map(() => [match.start, match.start] as const) };
}

/** `f($val)`: a pattern, or a list of pattern and flags. */
function fromOneArgument(value: JqValue): [pattern: JqValue, flags: JqValue] {
  if (typeof value === 'string') return [value, null];
  if (Array.isArray(value) && value.length > 0) return [value[0]!, value[1] ?? null];
  throw raise(`${jqType(value)} not a string or array`);
}

function describe(found: FoundMatch, offsetOf: (unit: number) => number, match: RegexMatch): JqValue {
  const offset = offsetOf(match.start);
  const isEmpty = match.start === match.end;
  const captures = match.groups.map((group, at): JqValue => {
    const name = found.names[at]!;
    if (group === null) return { offset: -1, string: null, length: 0, name };
    const start = offsetOf(group[0]);
    const string = found.subject.slice(group[0], group[1]);
    const length = offsetOf(group[1]) - start;
    return isEmpty ? { offset: start, string, length, name } : { offset: start, length, string, name };
  });
  const string = found.subject.slice(match.start, match.end);
  return { offset, length: offsetOf(match.end) - offset, string, captures };
}

function describeAll(found: FoundMatch): JqValue[] {
  const offsetOf = codePointOffsets(found.subject);
  return found.matches.map((match) => describe(found, offsetOf, match));
}

/** An object of the named groups; of groups with the same name the last wins. */
function namedGroups(found: FoundMatch, match: RegexMatch): JqValue {
  const draft: ObjectDraft = {};
  for (const [at, name] of found.names.entries()) {
    const group = match.groups[at]!;
    if (name !== null) setKey(draft, name, group === null ? null : found.subject.slice(group[0], group[1]));
  }
  return draft;
}

/** The text between the matches. */
function pieces(found: FoundMatch): JqValue[] {
  const parts: JqValue[] = [];
  let previous = 0;
  for (const match of found.matches) {
    parts.push(found.subject.slice(previous, match.start));
    previous = match.end;
  }
  parts.push(found.subject.slice(previous));
  return parts;
}

function scanned(found: FoundMatch): JqValue[] {
  return found.matches.map((match) =>
    found.names.length === 0
      ? found.subject.slice(match.start, match.end)
      : match.groups.map((group) => (group === null ? null : found.subject.slice(group[0], group[1]))),
  );
}

const withG = (flags: JqValue): JqValue => {
  if (flags !== null && typeof flags !== 'string') throw raiseAbout(flags, 'is not a string');
  return `g${flags ?? ''}`;
};

/** A builtin that gives each element of a list computed from input, pattern and flags. */
function listForms(list: (run: Run, input: JqValue, ...args: JqValue[]) => JqValue[]): CallForms {
  const values = valueForms(list as ValueFunction, 'first-outermost');
  return {
    isSingle: () => false,
    single: notSingle,
    each: (compiler, node, scope) => {
      if (!values.isSingle(compiler, node, scope)) {
        const each = values.each(compiler, node, scope, false);
        return (run, cells, input, emit) =>
          each(run, cells, input, (items) => {
            for (const item of items as JqValue[]) emit(item);
          });
      }
      const single = values.single(compiler, node, scope, false);
      return (run, cells, input, emit) => {
        for (const item of single(run, cells, input) as JqValue[]) {
          run.step();
          emit(item);
        }
      };
    },
  };
}

/** `sub` and `gsub`: each value of the replacement gives a separate result, joined position by position (jq 1.7). */
function substitution(isGlobal: boolean): CallForms {
  return {
    isSingle: () => false,
    single: notSingle,
    each: (compiler, node, scope) => {
      const pattern = compiler.each(node.args[0]!, scope);
      const replacement = compiler.each(node.args[1]!, scope);
      const flags = node.args[2] === undefined ? undefined : compiler.each(node.args[2], scope);
      return (run, cells, input, emit) => {
        const substitute = (re: JqValue, letters: JqValue): void => {
          const found = find(run, input, re, isGlobal ? withG(letters) : letters);
          for (const text of results(run, found, (groups) => collect(run, cells, groups, replacement))) emit(text);
        };
        pattern(run, cells, input, (re) => {
          if (flags === undefined) substitute(re, null);
          else flags(run, cells, input, (letters) => substitute(re, letters));
        });
      };
    },
  };
}

function results(run: Run, found: FoundMatch, replace: (groups: JqValue) => JqValue[]): JqValue[] {
  const texts: string[][] = [];
  let previous = 0;
  let length = 0;
  for (const match of found.matches) {
    const gap = found.subject.slice(previous, match.start);
    for (const [at, inserted] of replace(namedGroups(found, match)).entries()) {
      run.step();
      const piece = add(run, gap, inserted) as string;
      length += piece.length;
      if (length > run.budget.stringLengthMax) run.checkString(length);
      texts[at] ??= [];
      texts[at].push(piece);
    }
    previous = match.end;
  }
  if (texts.length === 0) return [found.subject];
  run.checkString(length + found.subject.length - previous);
  return texts.map((pieces) => pieces.join('') + found.subject.slice(previous));
}

export const regexBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['test', 1, valueForms((run, input, value) => find(run, input, ...fromOneArgument(value!), true).matches.length > 0)],
  ['test', 2, valueForms((run, input, re, flags) => find(run, input, re!, flags!, true).matches.length > 0)],
  ['match', 1, listForms((run, input, value) => describeAll(find(run, input, ...fromOneArgument(value!))))],
  ['match', 2, listForms((run, input, re, flags) => describeAll(find(run, input, re!, flags!)))],
  [
    'capture',
    1,
    listForms((run, input, value) => {
      const found = find(run, input, ...fromOneArgument(value!));
      return found.matches.map((match) => namedGroups(found, match));
    }),
  ],
  [
    'capture',
    2,
    listForms((run, input, re, flags) => {
      const found = find(run, input, re!, flags!);
      return found.matches.map((match) => namedGroups(found, match));
    }),
  ],
  ['scan', 1, listForms((run, input, re) => scanned(find(run, input, re!, 'g')))],
  ['scan', 2, listForms((run, input, re, flags) => scanned(find(run, input, re!, withG(flags!))))],
  ['splits', 1, listForms((run, input, re) => pieces(find(run, input, re!, 'g')))],
  ['splits', 2, listForms((run, input, re, flags) => pieces(find(run, input, re!, withG(flags!))))],
  ['split', 2, valueForms((run, input, re, flags) => pieces(find(run, input, re!, withG(flags!))), 'first-outermost')],
  ['sub', 2, substitution(false)],
  ['sub', 3, substitution(false)],
  ['gsub', 2, substitution(true)],
  ['gsub', 3, substitution(true)],
];
