import type { JqValue } from './value/value.ts';

/** A place in a source text. `offset` counts UTF-16 units from 0; `line` and `column` count from 1. */
export interface SourcePosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset; an offset past the end gives the place after the last character. */
export function toPosition(source: string, offset: number): SourcePosition {
  const end = Math.min(offset, source.length);
  let line = 1;
  let lineStart = 0;
  for (let at = source.indexOf('\n'); at !== -1 && at < end; at = source.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { offset: end, line, column: end - lineStart + 1 };
}

/** Base class of every error that this package throws on purpose, so one `instanceof` tells them from defects. */
export class JqError extends Error {
  override readonly name: string = 'JqError';
}

/** The text is not a jq program: a grammar error, or an undefined function, variable or label. */
export class JqSyntaxError extends JqError {
  override readonly name = 'JqSyntaxError';
  readonly position: SourcePosition;
  /** What the grammar would accept at the position; empty for other errors. */
  readonly expected: readonly string[];

  constructor(problem: string, source: string, offset: number, expected: readonly string[] = []) {
    const position = toPosition(source, offset);
    const wanted = expected.length === 0 ? '' : `, expected ${listed(expected)}`;
    super(`${problem} at line ${position.line}, column ${position.column}${wanted}`);
    this.position = position;
    this.expected = expected;
  }

  get line(): number {
    return this.position.line;
  }

  get column(): number {
    return this.position.column;
  }

  get offset(): number {
    return this.position.offset;
  }
}

/** The program raised an uncaught error. `value` is what `catch` would have seen; messages are jq's own. */
export class JqRuntimeError extends JqError {
  override readonly name = 'JqRuntimeError';
  readonly value: JqValue;

  constructor(message: string, value: JqValue) {
    super(message);
    this.value = value;
  }
}

export type BudgetLimit =
  | 'steps'
  | 'outputs'
  | 'depth'
  | 'stringLength'
  | 'arrayLength'
  | 'allocatedBytes'
  | 'wallTime'
  | 'resultSize'
  | 'resultDepth'
  | 'sourceLength'
  | 'nesting'
  | 'regexPatternLength'
  | 'regexSubjectLength'
  | 'regexTime';

/** A limit was exceeded and the evaluation stopped. `limit` names it; a program cannot catch this error. */
export class JqBudgetError extends JqError {
  override readonly name = 'JqBudgetError';
  readonly limit: BudgetLimit;
  /** The configured limit, in the unit of the budget's field; undefined if the JavaScript stack overflowed first. */
  readonly bound: number | undefined;

  constructor(limit: BudgetLimit, bound?: number) {
    super(bound === undefined ? `limit reached: ${limit}` : `limit reached: ${limit} (${bound})`);
    this.limit = limit;
    this.bound = bound;
  }
}

/** The program needs something that this engine never does (input, modules, halt), or gave what is not taken. `try` cannot catch it. */
export class JqRefusedError extends JqError {
  override readonly name = 'JqRefusedError';
  readonly feature: string;

  constructor(feature: string, reason: string) {
    super(`${feature} is refused: ${reason}`);
    this.feature = feature;
  }
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
