import { characterEscape, PatternError } from './pattern-escape.ts';
import { parseClass } from './translate-class.ts';
import { classBodies, escapeSet, literal, propertyBody } from './translate-sets.ts';

/** A jq pattern (Oniguruma, Perl_NT syntax) in the two dialects that we can run. */
export interface TranslatedPattern {
  readonly re2: string;
  /** For V8 with the flags `u`, `d` and, if `isIgnoringCase`, `i`. */
  readonly v8: string;
  readonly isIgnoringCase: boolean;
  /** Names of the capture groups in order; null for a plain group. */
  readonly groups: readonly (string | null)[];
  /** Why RE2 cannot run it (lookaround, backreference, …), or undefined. */
  readonly backtracking: string | undefined;
  /** `$` or `\Z` is used, which also matches before a final line break. */
  readonly hasSoftEnd: boolean;
  /** `\b` is used; RE2 only knows ASCII word boundaries. */
  readonly hasWordBoundary: boolean;
}

export interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly extended: boolean;
  readonly dotAll: boolean;
}

interface Modes extends PatternOptions {
  /** `(?m)`: `^` and `$` also match at line breaks. */
  readonly lines: boolean;
}

/** Translates a pattern for subjects that are all ASCII or not (classes such as `\w` are much smaller for ASCII). */
export function translatePattern(pattern: string, options: PatternOptions, isAscii: boolean): TranslatedPattern {
  return new Translator(pattern, options, isAscii).translate();
}

const softEndRe2 = '(?:$)';
const nestingMax = 200;

class Translator {
  private readonly pattern: string;
  private readonly isAscii: boolean;
  private readonly ignoreCase: boolean;
  private modes: Modes;
  private at = 0;
  private depth = 0;
  private re2 = '';
  private v8 = '';
  /** The start of the last complete item in both outputs, for possessive repetition; -1 if there is none. */
  private itemRe2 = -1;
  private itemV8 = -1;
  private atomics = 0;
  private backtracking: string | undefined;
  private hasSoftEnd = false;
  private hasWordBoundary = false;
  private hasInlineCase = false;
  private readonly groups: (string | null)[] = [];

  constructor(pattern: string, options: PatternOptions, isAscii: boolean) {
    this.pattern = pattern;
    this.isAscii = isAscii;
    this.ignoreCase = options.ignoreCase;
    this.modes = { ...options, lines: false };
  }

  translate(): TranslatedPattern {
    this.alternatives();
    if (this.at < this.pattern.length) throw new PatternError('unmatched close parenthesis');
    const isIgnoringCase = this.ignoreCase || (this.hasInlineCase && this.backtracking !== undefined);
    return {
      re2: this.ignoreCase ? `(?i)${this.re2}` : this.re2,
      v8: this.v8,
      isIgnoringCase,
      groups: this.groups,
      backtracking: this.backtracking,
      hasSoftEnd: this.hasSoftEnd,
      hasWordBoundary: this.hasWordBoundary,
    };
  }

  private alternatives(): void {
    if (++this.depth > nestingMax) throw new PatternError('too deeply nested');
    while (this.at < this.pattern.length && this.pattern[this.at] !== ')') this.item();
    this.depth--;
  }

  private item(): void {
    const { pattern } = this;
    const char = String.fromCodePoint(pattern.codePointAt(this.at)!);
    if (this.modes.extended && (/\s/.test(char) || char === '#')) return this.skipExtended(char);
    this.at += char.length;
    switch (char) {
      case '|':
        this.raw('|');
        this.itemRe2 = -1;
        return;
      case '(':
        return this.group();
      case '[': {
        const set = parseClass(pattern, this.at, this.isAscii);
        this.at = set.end;
        return this.put(set.text);
      }
      case '.':
        return this.modes.dotAll ? this.put('(?s:.)', '[^]') : this.put('[^\\n]');
      case '^':
        return this.modes.lines ? this.put('(?m:^)', '(?<![^\\n])') : this.put('\\A', '(?<![^])');
      case '$':
        if (this.modes.lines) return this.put('(?m:$)', '(?![^\\n])');
        return this.softEnd();
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        return this.repeat(char);
      case '{': {
        const bounds = /^(\d+)(?:(,)(\d*))?\}/.exec(pattern.slice(this.at));
        if (bounds === null) return this.put('\\{');
        this.at += bounds[0].length;
        return this.repeat(`{${bounds[0]}`);
      }
      default:
        this.put(literal(char));
    }
  }

  private skipExtended(char: string): void {
    if (char !== '#') {
      this.at += char.length;
      return;
    }
    const newline = this.pattern.indexOf('\n', this.at);
    this.at = newline === -1 ? this.pattern.length : newline + 1;
  }

  private put(re2: string, v8 = re2): void {
    this.itemRe2 = this.re2.length;
    this.itemV8 = this.v8.length;
    this.raw(re2, v8);
  }

  private raw(re2: string, v8 = re2): void {
    this.re2 += re2;
    this.v8 += v8;
  }

  private softEnd(): void {
    this.hasSoftEnd = true;
    this.put(softEndRe2, '(?=\\n?(?![^]))');
  }

  private repeat(operator: string): void {
    if (this.itemRe2 === -1) throw new PatternError('target of repeat operator is not specified');
    const mark = this.pattern[this.at];
    const isLazy = mark === '?';
    const isPossessive = mark === '+' && !operator.startsWith('{');
    if (isLazy || isPossessive) this.at++;
    const count = Math.max(...(operator.match(/\d+/g) ?? ['0']).map(Number));
    if (count > 100_000) throw new PatternError('too big number');
    if (count > 1_000) this.backtracking ??= 'a repetition above 1000';
    const repeated = `${operator}${isLazy ? '?' : ''}`;
    this.re2 = `${this.re2.slice(0, this.itemRe2)}(?:${this.re2.slice(this.itemRe2)})${repeated}`;
    const item = `(?:${this.v8.slice(this.itemV8)})${repeated}`;
    this.v8 = this.v8.slice(0, this.itemV8) + (isPossessive ? this.atomic(item) : item);
    if (isPossessive) this.backtracking ??= 'a possessive repetition';
  }

  /** An atomic group, written as a lookahead and a backreference. */
  private atomic(body: string): string {
    const name = `atomic${this.atomics++}`;
    return `(?=(?<${name}>${body}))\\k<${name}>`;
  }

  private group(): void {
    const { pattern } = this;
    const rest = pattern.slice(this.at);
    const [itemRe2, itemV8] = [this.re2.length, this.v8.length];
    const outerModes = this.modes;
    const named = /^\?P?<([A-Za-z_]\w*)>/.exec(rest);
    if (named !== null) {
      this.at += named[0].length;
      this.capture(named[1]!);
    } else if (rest.startsWith('?#')) {
      const end = rest.indexOf(')');
      if (end === -1) throw new PatternError('end pattern in group');
      this.at += end + 1;
      return;
    } else if (!rest.startsWith('?')) {
      this.capture(null);
    } else if (this.special(rest)) {
      return;
    }
    if (pattern[this.at] !== ')') throw new PatternError('end pattern with unmatched parenthesis');
    this.at++;
    this.modes = outerModes;
    this.itemRe2 = itemRe2;
    this.itemV8 = itemV8;
  }

  private capture(name: string | null): void {
    this.groups.push(name);
    this.raw('(', `(?<g${this.groups.length}>`);
    this.inside();
    this.raw(')');
  }

  private inside(): void {
    this.itemRe2 = -1;
    this.alternatives();
  }

  /** Non-capturing `(?…` forms. True if the group only changed the mode and has no body. */
  private special(rest: string): boolean {
    const look = /^\?(<?[=!]|>|:)/.exec(rest);
    if (look !== null) {
      this.at += look[0].length;
      const [start, v8Start] = [this.re2.length, this.v8.length];
      if (look[1] === ':') {
        this.raw('(?:');
        this.inside();
        this.raw(')');
        return false;
      }
      this.backtracking ??= look[1] === '>' ? 'an atomic group' : 'a lookaround';
      this.inside();
      const body = this.v8.slice(v8Start);
      this.re2 = `${this.re2.slice(0, start)}(?:)`;
      this.v8 = this.v8.slice(0, v8Start) + (look[1] === '>' ? this.atomic(body) : `(?${look[1]}${body})`);
      return false;
    }
    const change = /^\?([imsx]*)(?:-([imsx]+))?([:)])/.exec(rest);
    if (change === null) throw new PatternError('undefined group option');
    this.at += change[0].length;
    const [, on = '', off = '', end] = change;
    this.modes = changedModes(this.modes, on, off);
    if ((on + off).includes('i')) this.hasInlineCase = true;
    const re2Flags = `${on.includes('i') ? 'i' : ''}${off.includes('i') ? '-i' : ''}`;
    if (end === ':') {
      this.raw(re2Flags === '' ? '(?:' : `(?${re2Flags}:`, '(?:');
      this.inside();
      this.raw(')');
      return false;
    }
    if (re2Flags !== '') this.raw(`(?${re2Flags})`, '');
    return true;
  }

  private escape(): void {
    const { pattern } = this;
    if (this.at >= pattern.length) throw new PatternError('end pattern at escape');
    const char = String.fromCodePoint(pattern.codePointAt(this.at)!);
    this.at += char.length;
    const set = escapeSet(char, this.isAscii);
    if (set !== undefined) return this.put(`[${set}]`);
    switch (char) {
      case 'A':
        return this.put('\\A', '(?<![^])');
      case 'z':
        return this.put('\\z', '(?![^])');
      case 'Z':
        return this.softEnd();
      case 'b':
      case 'B': {
        this.hasWordBoundary = true;
        const word = `[${classBodies(this.isAscii).word}]`;
        const edge = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
        return this.put(`\\${char}`, char === 'b' ? edge : `(?!${edge})`);
      }
      case 'Q': {
        const end = pattern.indexOf('\\E', this.at);
        const text = pattern.slice(this.at, end === -1 ? undefined : end);
        this.at = end === -1 ? pattern.length : end + 2;
        for (const quoted of text) this.put(literal(quoted));
        return;
      }
      case 'R':
        return this.put(
          '(?:\\r\\n|[\\n\\x0b\\f\\r\\x{85}\\x{2028}\\x{2029}])',
          '(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])',
        );
      case 'k':
      case 'p':
      case 'P':
        return this.named(char);
      case 'G':
      case 'K':
      case 'g':
      case 'X':
        throw new PatternError(`\\${char} is not supported`);
      default:
    }
    if (char >= '1' && char <= '9') return this.reference(Number(char));
    const code = characterEscape(pattern, this.at - char.length);
    this.at = code.end;
    this.put(literal(code.char));
  }

  private named(char: string): void {
    const rest = this.pattern.slice(this.at);
    if (char === 'k') {
      const name = /^<(\w+)>/.exec(rest);
      if (name === null) throw new PatternError('invalid backref number/name');
      this.at += name[0].length;
      const index = this.groups.lastIndexOf(name[1]!);
      if (index === -1) throw new PatternError(`undefined name <${name[1]}> reference`);
      return this.reference(index + 1);
    }
    const property = /^\{(\^?)([\w ]+)\}|^([A-Z])/.exec(rest);
    if (property === null) throw new PatternError('invalid character property name');
    this.at += property[0].length;
    const body = propertyBody(property[2] ?? property[3]!);
    if (body === undefined) throw new PatternError(`invalid character property name {${property[2] ?? property[3]}}`);
    const isNegated = (char === 'P') !== (property[1] === '^');
    this.put(`[${isNegated ? '^' : ''}${body}]`);
  }

  private reference(group: number): void {
    if (group > this.groups.length) throw new PatternError('invalid backref number/name');
    this.backtracking ??= 'a backreference';
    this.put('(?:)', `\\k<g${group}>`);
  }
}

function changedModes(modes: Modes, on: string, off: string): Modes {
  const has = (letter: string, before: boolean): boolean =>
    on.includes(letter) ? true : off.includes(letter) ? false : before;
  return {
    ignoreCase: has('i', modes.ignoreCase),
    extended: has('x', modes.extended),
    dotAll: has('s', modes.dotAll),
    lines: has('m', modes.lines),
  };
}
