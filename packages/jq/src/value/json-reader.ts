import { type ObjectDraft, setKey } from './object.ts';
import { wellFormed } from './text.ts';
import type { JqValue } from './value.ts';

const nestingMax = 10_000;
const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** The special numbers of the decimal arithmetic with which jq reads literals; digits after NaN are its payload. */
const nanPattern = /^[+-]?s?nan\d*$/i;
const infinityPattern = /^[+-]?inf(?:inity)?$/i;

/** One open array or object; `key` is the pending key of an object. */
interface Open {
  readonly container: JqValue[] | ObjectDraft;
  key: string | undefined;
}

/**
 * A tolerant reader that follows the states of jq's own parser (`jv_parse.c`), because expressions can catch and see
 * its messages. It does not recurse, so a counter bounds the depth, not the stack.
 */
export class JsonReader {
  private readonly text: string;
  private readonly fail: (message: string) => Error;
  private readonly open: Open[] = [];
  private next: JqValue | undefined;
  private result: JqValue | undefined;
  private at = 0;

  constructor(text: string, fail: (message: string) => Error) {
    this.text = text;
    this.fail = fail;
  }

  /** The one document in the text; undefined if there is none. */
  document(): JqValue | undefined {
    const { text } = this;
    let tokenStart = -1;
    for (this.at = 0; this.at < text.length; this.at++) {
      const char = text[this.at]!;
      const isSpace = char === ' ' || char === '\n' || char === '\t' || char === '\r';
      if (!isSpace && !'[]{},:"'.includes(char)) {
        if (tokenStart === -1) tokenStart = this.at;
        continue;
      }
      if (tokenStart !== -1) {
        this.literal(text.slice(tokenStart, this.at));
        tokenStart = -1;
      }
      if (char === '"') this.put(this.string());
      else if (!isSpace) this.punctuation(char);
      if (isSpace) this.finishTop();
    }
    if (tokenStart !== -1) this.literal(text.slice(tokenStart), true);
    if (this.open.length > 0) throw this.error('Unfinished JSON term', true);
    this.finishTop();
    return this.result;
  }

  private finishTop(): void {
    if (this.open.length > 0 || this.next === undefined) return;
    if (this.result !== undefined) throw this.fail('Unexpected extra JSON values');
    this.result = this.next;
    this.next = undefined;
  }

  private punctuation(char: string): void {
    const top = this.open.at(-1);
    switch (char) {
      case '[':
      case '{':
        if (this.next !== undefined) throw this.error('Expected separator between values');
        if (this.open.length >= nestingMax) throw this.error('Exceeds depth limit for parsing');
        this.open.push({ container: char === '[' ? [] : {}, key: undefined });
        break;
      case ':':
        if (top === undefined || Array.isArray(top.container)) throw this.error("':' not as part of an object");
        if (this.next === undefined) throw this.error('Expected string key before ":"');
        if (top.key !== undefined) throw this.error("':' should follow a key");
        if (typeof this.next !== 'string') throw this.error('Object keys must be strings');
        top.key = this.next;
        this.next = undefined;
        break;
      case ',':
        if (this.next === undefined) throw this.error("Expected value before ','");
        if (top === undefined) throw this.error("',' not as part of an object or array");
        this.store(top);
        break;
      default:
        this.close(char, top);
    }
  }

  private close(char: string, top: Open | undefined): void {
    const isList = char === ']';
    if (top === undefined || Array.isArray(top.container) !== isList) throw this.error(`Unmatched '${char}'`);
    if (this.next !== undefined) this.store(top);
    else if (isList ? (top.container as JqValue[]).length > 0 : top.key !== undefined) {
      throw this.error(isList ? 'Expected another array element' : `Unmatched '${char}'`);
    } else if (!isList && Object.keys(top.container).length > 0) throw this.error('Expected another key-value pair');
    this.open.pop();
    this.next = top.container;
  }

  private store(top: Open): void {
    if (Array.isArray(top.container)) top.container.push(this.next!);
    else {
      if (top.key === undefined) throw this.error('Objects must consist of key:value pairs');
      setKey(top.container, top.key, this.next!);
      top.key = undefined;
    }
    this.next = undefined;
  }

  private put(value: JqValue, atEnd = false): void {
    if (this.next !== undefined) throw this.error('Expected separator between values', atEnd);
    this.next = value;
  }

  private literal(token: string, atEnd = false): void {
    const first = token[0]!;
    if (first === 't' || first === 'f' || token.startsWith('nu')) {
      if (token !== 'true' && token !== 'false' && token !== 'null') throw this.error('Invalid literal', atEnd);
      this.put(token === 'null' ? null : token === 'true', atEnd);
    } else {
      this.put(this.number(token, atEnd), atEnd);
    }
  }

  private number(token: string, atEnd: boolean): number {
    if (numberPattern.test(token)) return Number(token);
    if (nanPattern.test(token)) return Number.NaN;
    if (!infinityPattern.test(token)) throw this.error('Invalid numeric literal', atEnd);
    return token.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  private string(): string {
    const start = this.at;
    let end = start + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) {
      this.at = this.text.length;
      throw this.error('Unfinished string', true);
    }
    this.at = end;
    return this.unescape(this.text.slice(start + 1, end));
  }

  private unescape(raw: string): string {
    const text = raw.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_, code: string) => {
      if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
      const plain = escapes[code];
      if (plain === undefined) throw this.error(code === 'u' ? 'Invalid escape' : 'Invalid escape');
      return plain;
    });
    return wellFormed(text);
  }

  private error(problem: string, atEnd = false): Error {
    const seen = this.text.slice(0, this.at + (atEnd ? 0 : 1));
    const lines = seen.split('\n');
    const place = `at line ${lines.length}, column ${new TextEncoder().encode(lines.at(-1)).length}`;
    return this.fail(`${problem}${atEnd ? ' at EOF' : ''} ${place}`);
  }
}

const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
