/** A footnote mark that was taken out of the text, and the place where it stood. */
export interface Mark {
  readonly ref: string;
  /** UTF-16 units of the text without marks. */
  readonly at: number;
}

/** Takes marks such as `[^r1]` out of a stream of text, wherever it is cut. */
export interface MarkScanner {
  /** The text without marks; keeps back at most the beginning of one. */
  push(text: string): string;
  /** What was kept back, at the end of an answer; the next answer begins a new text. */
  end(): string;
  /** Text of ours that a reader sees within the answer. */
  skip(text: string): void;
  readonly marks: readonly Mark[];
  readonly length: number;
}

const longestMark = 12;
const beginning = /^\[(?:\^(?:[rucxk]\d{0,8})?)?$/;
const whole = /^\[\^([rucxk]\d{1,8})\]$/;

/**
 * Marks in code, and in answers that are one value for a program (they begin with a brace, a bracket or a fence), stay.
 * So does everything while `isOn` is false: without records there are no marks.
 */
export function createMarkScanner(isOn: () => boolean): MarkScanner {
  const marks: Mark[] = [];
  let length = 0;
  let held = '';
  let isStarted = false;
  let isWhole = false;
  let line = '';
  let run = '';
  let code = '';
  let fence = '';

  const reset = (): void => {
    isStarted = false;
    isWhole = false;
    line = '';
    run = '';
    code = '';
    fence = '';
  };

  const endRun = (): void => {
    if (run === '') return;
    const isFence = run.length >= 3 && line.trim() === run;
    if (fence !== '') {
      if (isFence && run.startsWith(fence)) fence = '';
    } else if (isFence) fence = run;
    else if (run[0] === '`') {
      if (code === '') code = run;
      else if (code === run) code = '';
    }
    run = '';
  };

  /** Follows code; reads what stays in the text. */
  const follow = (sign: string): void => {
    if (run !== '' && sign !== run[0]) endRun();
    if (sign === '\n') {
      // code marks that were never closed end with their paragraph
      if (line.trim() === '') code = '';
      line = '';
      return;
    }
    if (line.length < 16) line += sign;
    if (sign === '`' || (sign === '~' && fence === '' && code === '')) run += sign;
    else if (sign === '~' && fence.startsWith('~')) run += sign;
  };

  const begin = (text: string): void => {
    const first = text.trimStart();
    if (first === '') return;
    isStarted = true;
    isWhole = /^(?:\{|\[(?!\^)|`{3}|~{3})/.test(first);
  };

  return {
    get marks() {
      return marks;
    },
    get length() {
      return length;
    },
    push(text) {
      let more = held + text;
      held = '';
      if (!isStarted) {
        // what kind of answer it is shows after its first characters
        if (/^\s*(?:\[|`{1,2}|~{1,2})$/.test(more)) {
          held = more;
          return '';
        }
        begin(more);
      }
      if (isWhole || !isOn()) {
        length += more.length;
        return more;
      }
      let clean = '';
      let from = 0;
      for (let at = 0; at < more.length; at++) {
        const sign = more[at] as string;
        if (sign === '[') {
          endRun();
          if (code === '' && fence === '') {
            const close = more.indexOf(']', at);
            const part = more.slice(at, close < 0 ? more.length : close + 1);
            const ref = whole.exec(part)?.[1];
            if (ref !== undefined) {
              clean += more.slice(from, at);
              marks.push({ ref, at: length + clean.length });
              from = close + 1;
              at = close;
              continue;
            }
            if (close < 0 && part.length <= longestMark && beginning.test(part)) {
              held = part;
              more = more.slice(0, at);
              break;
            }
          }
        }
        follow(sign);
      }
      clean += more.slice(from);
      length += clean.length;
      return clean;
    },
    end() {
      const rest = held;
      held = '';
      length += rest.length;
      reset();
      return rest;
    },
    skip(text) {
      length += text.length;
    },
  };
}
