import type { Name } from './syntax.ts';

/** The file is not valid HCL from `offset`. */
export class HclSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const word = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const sign = /==|!=|>=|<=|&&|\|\||::|\.\.\.|=>|<<|~\}|[[\](){}.,*/%+\-=<>!?:"]/y;
const number = /\d(?:(?:\d|\.|[eE][+-]?\d)*(?:\d|[eE][+-]?\d))?/y;
const blank = /(?:[ \t]|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const blankWithLines = /(?:[ \t\n]|\r\n|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const depthMax = 200;

/** A position in a file. Newlines are significant in bodies and objects, and whitespace in other brackets. */
export class Cursor {
  readonly source: string;
  at: number;
  #linesCount = true;
  #depth = 0;

  constructor(source: string) {
    this.source = source;
    this.at = source.startsWith('\uFEFF') ? 1 : 0;
  }

  /** Reads with significant or insignificant newlines, depending on the brackets. */
  inside<T>(linesCount: boolean, read: () => T): T {
    const before = this.#linesCount;
    this.#linesCount = linesCount;
    const result = this.deeper(read);
    this.#linesCount = before;
    return result;
  }

  deeper<T>(read: () => T): T {
    if (++this.#depth > depthMax) this.fail('This is nested too deeply.');
    const result = read();
    this.#depth--;
    return result;
  }

  fail(message: string, offset = this.at): never {
    throw new HclSyntaxError(message, offset);
  }

  skipBlank(): void {
    this.at += this.#match(this.#linesCount ? blank : blankWithLines)!.length;
  }

  skipLines(): void {
    this.at += this.#match(blankWithLines)!.length;
  }

  /** The next token, or an empty text. */
  peek(): string {
    this.skipBlank();
    return this.#match(sign) ?? '';
  }

  take(text: string): boolean {
    if (this.peek() !== text) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) this.fail(`"${text}" is expected here.`);
  }

  peekName(): string | undefined {
    this.skipBlank();
    return this.#match(word);
  }

  takeName(): Name | undefined {
    const text = this.peekName();
    if (text === undefined) return undefined;
    const start = this.at;
    this.at += text.length;
    return { text, start, end: this.at };
  }

  expectName(): Name {
    return this.takeName() ?? this.fail('A name is expected here.');
  }

  expectWord(text: string): void {
    if (this.takeName()?.text !== text) this.fail(`"${text}" is expected here.`);
  }

  takeNumber(): string | undefined {
    this.skipBlank();
    const text = this.#match(number);
    this.at += text?.length ?? 0;
    return text;
  }

  isAtEnd(): boolean {
    this.skipBlank();
    return this.at >= this.source.length;
  }

  /** Consumes a newline if there is one here; returns whether it did. */
  takeLineEnd(): boolean {
    this.skipBlank();
    const text = this.#match(/\r?\n/y);
    this.at += text?.length ?? 0;
    return text !== undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }
}
