import { JqBudgetError, JqSyntaxError } from '../errors.ts';

export type TokenKind = 'name' | 'field' | 'variable' | 'format' | 'number' | 'string' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The name without its `.`, `$` or `@`; the symbol; the digits. For a string only its opening quote. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|\.(?<field>[a-zA-Z_]\w*)|(?<name>(?:[a-zA-Z_]\w*::)*[a-zA-Z_]\w*)|\$\s*(?<variable>(?:[a-zA-Z_]\w*::)*[a-zA-Z_]\w*)|@(?<format>\w+)|(?<string>")|(?<symbol>\?\/\/=?|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\]{}()|,:;=<>+\-*/%?$])/y;
const blankPattern = /[ \t\r\n]+/y;

export const keywords: ReadonlySet<string> = new Set([
  ...['def', 'as', 'if', 'then', 'elif', 'else', 'end', 'reduce', 'foreach', 'try', 'catch', 'label'],
  ...['import', 'include', 'module', 'and', 'or', '__loc__'],
]);

/**
 * Reads tokens on demand, one ahead. The parser reads strings piece by piece, because it knows their interpolations.
 */
export class Tokens {
  readonly source: string;
  current: Token;
  /** Start of the text after the current token. */
  private position = 0;
  private nesting = 0;
  private readonly nestingMax: number;

  constructor(source: string, nestingMax: number) {
    this.source = source;
    this.nestingMax = nestingMax;
    this.current = this.read();
  }

  advance(): Token {
    const token = this.current;
    this.current = this.read();
    return token;
  }

  isSymbol(text: string): boolean {
    return this.current.kind === 'symbol' && this.current.text === text;
  }

  isKeyword(text: string): boolean {
    return this.current.kind === 'name' && this.current.text === text;
  }

  /** Consumes the symbol if it comes next. */
  take(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.advance();
    return true;
  }

  expect(text: string): Token {
    if (!this.isSymbol(text)) throw this.unexpected([`'${text}'`]);
    return this.advance();
  }

  expectKeyword(text: string): Token {
    if (!this.isKeyword(text)) throw this.unexpected([`'${text}'`]);
    return this.advance();
  }

  expectKind(kind: TokenKind, description: string): Token {
    if (this.current.kind !== kind) throw this.unexpected([description]);
    return this.advance();
  }

  unexpected(expected: readonly string[]): JqSyntaxError {
    const { kind, start, end } = this.current;
    const what = kind === 'end' ? 'end of expression' : `'${this.source.slice(start, Math.min(end, start + 40))}'`;
    return new JqSyntaxError(`unexpected ${what}`, this.source, start, expected);
  }

  /** Splits the current `?//` into `?` (returned) and `//` (next), for `.a?//1`, where no pattern is possible. */
  splitAlternation(): void {
    const { start, end, text } = this.current;
    this.current = { kind: 'symbol', text: text.slice(1), start: start + 1, end };
  }

  /** Runs a parse function one level deeper; too deep throws `JqBudgetError` ("nesting"). */
  nested<T>(parse: () => T): T {
    if (++this.nesting > this.nestingMax) throw new JqBudgetError('nesting', this.nestingMax);
    const result = parse();
    this.nesting--;
    return result;
  }

  /** The raw text of a string up to the next interpolation or its closing quote, and which of the two ended it. */
  readStringPiece(): { raw: string; start: number; isLast: boolean } {
    const { source } = this;
    const start = this.position;
    for (let index = start; index < source.length; index++) {
      const char = source[index];
      if (char === '"') {
        this.position = index + 1;
        return { raw: source.slice(start, index), start, isLast: true };
      }
      if (char !== '\\') continue;
      if (source[index + 1] === '(') {
        this.position = index + 2;
        return { raw: source.slice(start, index), start, isLast: false };
      }
      index++;
    }
    throw new JqSyntaxError('unfinished string', source, source.length, [`'"'`]);
  }

  /** End of the last string piece; valid until the next token is read. */
  get stringEnd(): number {
    return this.position;
  }

  private read(): Token {
    this.skipBlanks();
    const start = this.position;
    if (start >= this.source.length) return { kind: 'end', text: '', start, end: start };
    tokenPattern.lastIndex = start;
    const match = tokenPattern.exec(this.source);
    if (match === null)
      throw new JqSyntaxError(`unexpected character '${charAt(this.source, start)}'`, this.source, start);
    this.position = tokenPattern.lastIndex;
    const end = this.position;
    for (const kind of tokenKinds) {
      const text = match.groups![kind];
      if (text !== undefined) return { kind, text, start, end };
    }
    throw new JqSyntaxError('unexpected character', this.source, start);
  }

  private skipBlanks(): void {
    const { source } = this;
    for (;;) {
      blankPattern.lastIndex = this.position;
      if (blankPattern.test(source)) this.position = blankPattern.lastIndex;
      if (source[this.position] !== '#') return;
      this.position = commentEnd(source, this.position);
    }
  }
}

const tokenKinds = ['name', 'field', 'symbol', 'string', 'number', 'variable', 'format'] as const;

function charAt(source: string, offset: number): string {
  return String.fromCodePoint(source.codePointAt(offset)!);
}

/**
 * The end of a comment. Since 1.7.1 an odd number of backslashes continues it on the next line (manual, "Comments").
 */
function commentEnd(source: string, start: number): number {
  for (let index = start; ; ) {
    const newline = source.indexOf('\n', index);
    if (newline === -1) return source.length;
    const last = source[newline - 1] === '\r' ? newline - 2 : newline - 1;
    let backslashes = 0;
    while (last - backslashes > start && source[last - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return newline;
    index = newline + 1;
  }
}
