import { RE2JS } from 're2js';
import { JqBudgetError, JqRefusedError } from '../errors.ts';
import { LruCache } from '../lru-cache.ts';
import { PatternError } from './pattern-escape.ts';
import type { BacktrackEngine, MatchRequest, RegexEngine, RegexLimits, RegexMatch } from './regex-engine.ts';
import { type TranslatedPattern, translatePattern } from './translate.ts';

const cacheSize = 500;
const backtrackSubjectLengthMax = 16_384;
const notAscii = /[^\0-\x7f]/;

interface Compiled {
  readonly translated: TranslatedPattern;
  /** The RE2 program; undefined if only backtracking can run the pattern. */
  readonly program: RE2JS | undefined;
}

/**
 * RE2 where possible, and `backtrack` (if given) for the rest. Without it such patterns throw {@link JqRefusedError}: a
 * browser cannot interrupt V8 inside a match.
 */
export function createRegexEngine(backtrack?: BacktrackEngine): RegexEngine {
  const cache = new LruCache<string, Compiled>(cacheSize);
  return {
    matchAll(request, subject, limits) {
      if (request.pattern.length > limits.regexPatternLengthMax) {
        throw new JqBudgetError('regexPatternLength', limits.regexPatternLengthMax);
      }
      if (subject.length > limits.regexSubjectLengthMax) {
        throw new JqBudgetError('regexSubjectLength', limits.regexSubjectLengthMax);
      }
      const isAscii = !notAscii.test(subject);
      const lineEnds = findLineEnds(subject);
      const key = cacheKey(request, isAscii, lineEnds);
      let compiled = cache.get(key);
      if (compiled === undefined) {
        compiled = compile(request, isAscii, lineEnds, backtrack !== undefined);
        cache.set(key, compiled);
      }
      const { translated, program } = compiled;
      const names = translated.groups;
      if (program !== undefined) return { names, matches: runLinear(program, names.length, request, subject, limits) };
      return { names, matches: runBacktracking(translated, request, subject, limits, backtrack) };
    },
  };
}

type LineEnds = 'none' | 'final' | 'inner';

/** How `$` must be translated: it also matches before a final line break. */
function findLineEnds(subject: string): LineEnds {
  if (!subject.endsWith('\n')) return 'none';
  return subject.indexOf('\n') === subject.length - 1 ? 'final' : 'inner';
}

function cacheKey(request: MatchRequest, isAscii: boolean, lineEnds: LineEnds): string {
  const flags =
    (request.ignoreCase ? 1 : 0) | (request.extended ? 2 : 0) | (request.dotAll ? 4 : 0) | (request.longest ? 8 : 0);
  return `${flags}${isAscii ? 'a' : 'u'}${lineEnds} ${request.pattern}`;
}

function compile(request: MatchRequest, isAscii: boolean, lineEnds: LineEnds, canBacktrack: boolean): Compiled {
  const translated = translatePattern(request.pattern, request, isAscii);
  if (translated.backtracking !== undefined) return { translated, program: undefined };
  // RE2 has no `$` that matches before a line break, and only ASCII word boundaries; V8 does both exactly.
  const isBeyondRe2 = (translated.hasSoftEnd && lineEnds === 'inner') || (translated.hasWordBoundary && !isAscii);
  if (isBeyondRe2 && canBacktrack) return { translated, program: undefined };
  const source = lineEnds === 'final' ? translated.re2.replaceAll('(?:$)', '(?m:$)') : translated.re2;
  try {
    return { translated, program: RE2JS.compile(source, request.longest ? RE2JS.LONGEST_MATCH : 0) };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new PatternError(error instanceof Error ? error.message : 'not a regular expression');
  }
}

/** All matches from left to right; after an empty match the search continues one character further. */
function runLinear(
  program: RE2JS,
  groupCount: number,
  request: MatchRequest,
  subject: string,
  limits: RegexLimits,
): RegexMatch[] {
  const matches: RegexMatch[] = [];
  const matcher = program.matcher(subject);
  const deadline = performance.now() + Math.max(limits.regexTimeMs, 1) * 20;
  for (let from = 0; from <= subject.length; ) {
    if (!matcher.find(from)) break;
    const [start, end] = [matcher.start(), matcher.end()];
    if (start !== end || !request.notEmpty) {
      matches.push({ start, end, groups: toGroups(matcher, groupCount) });
      if (!request.isGlobal) break;
    }
    from = start === end ? end + (subject.codePointAt(end)! > 0xffff ? 2 : 1) : end;
    if ((matches.length & 255) === 255 && performance.now() > deadline) {
      throw new JqBudgetError('regexTime', limits.regexTimeMs);
    }
  }
  return matches;
}

function toGroups(matcher: ReturnType<RE2JS['matcher']>, count: number): RegexMatch['groups'] {
  const groups: ([number, number] | null)[] = [];
  for (let group = 1; group <= count; group++) {
    const start = matcher.start(group);
    groups.push(start < 0 ? null : [start, matcher.end(group)]);
  }
  return groups;
}

function runBacktracking(
  translated: TranslatedPattern,
  request: MatchRequest,
  subject: string,
  limits: RegexLimits,
  backtrack: BacktrackEngine | undefined,
): readonly RegexMatch[] {
  const reason = translated.backtracking ?? 'the end of a line or a word in this text';
  if (backtrack === undefined) throw new JqRefusedError('regular expression', `${reason} needs a backtracking engine`);
  const subjectMax = Math.min(backtrackSubjectLengthMax, limits.regexSubjectLengthMax);
  if (subject.length > subjectMax) throw new JqBudgetError('regexSubjectLength', subjectMax);
  const matches = backtrack.matchAll({
    source: translated.v8,
    flags: `ud${translated.isIgnoringCase ? 'i' : ''}`,
    subject,
    groupCount: translated.groups.length,
    isGlobal: request.isGlobal,
    notEmpty: request.notEmpty,
    timeMs: limits.regexTimeMs,
  });
  if (matches === undefined) throw new JqBudgetError('regexTime', limits.regexTimeMs);
  return matches;
}

/** The default engine: RE2 alone. One per process, so that its cache is shared. */
export const linearRegexEngine: RegexEngine = createRegexEngine();
