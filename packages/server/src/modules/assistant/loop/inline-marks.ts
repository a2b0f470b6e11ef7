/**
 * Whether a position in growing Markdown is plain prose: not in a heading, table, quote or code, and with no open
 * emphasis, code, link or bracket. False in doubt. Reads character by character.
 */
export interface InlineMarks {
  /** Reads the next character; `line` is the line so far. */
  take(sign: string, line: string): void;
  /** True if a cut before the next character splits no markup. */
  isPlain(): boolean;
  reset(): void;
}

const runs = new Set(['*', '_', '~', '`']);
const openers: Readonly<Record<string, string>> = { ']': '[', ')': '(' };
/** Starts of lines that are not prose: headings, tables, quotes, tags, rules and underlines, indented code. */
const otherLine = /^(?: {0,3}(?:#|\||>|<|=|-{2}|_{3}|\*{3}|`{3}|~{3}|\[)|\t| {4})/;
const marker = /^\s*(?:[-*+]|\d{1,9}[.)])?\s*$/;

export function createInlineMarks(): InlineMarks {
  let open = new Set<string>();
  let brackets: Record<string, number> = { '[': 0, '(': 0 };
  let run = '';
  let isRunAfterBlank = true;
  let before = '';
  let isOther = false;
  let isAtMarker = true;

  const endRun = (next: string): void => {
    const isIntraword = run[0] === '_' && /\w/.test(before) && /\w/.test(next);
    const isAlone = isRunAfterBlank && /\s/.test(next);
    if (!isIntraword && !isAlone && !(isAtMarker && run === '*')) {
      if (open.has(run)) open.delete(run);
      else open.add(run);
    }
    before = run;
    run = '';
  };

  return {
    take(sign, line) {
      if (run !== '' && sign !== run[0]) endRun(sign);
      if (sign === '\n') {
        isOther = false;
        isAtMarker = true;
        before = '';
        return;
      }
      isAtMarker = isAtMarker && marker.test(line);
      if (sign === '|' || otherLine.test(line)) isOther = true;
      if (runs.has(sign)) {
        if (run === '') isRunAfterBlank = before === '' || /\s/.test(before);
        run += sign;
        return;
      }
      if (sign in brackets) brackets[sign] = (brackets[sign] as number) + 1;
      const opener = openers[sign];
      if (opener !== undefined) brackets[opener] = Math.max(0, (brackets[opener] as number) - 1);
      before = sign;
    },
    isPlain: () =>
      !isOther && !isAtMarker && run === '' && open.size === 0 && brackets['['] === 0 && brackets['('] === 0,
    reset() {
      open = new Set();
      brackets = { '[': 0, '(': 0 };
      run = '';
      before = '';
    },
  };
}
