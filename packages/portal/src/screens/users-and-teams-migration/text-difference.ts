/** A part of a text that is unchanged, deleted or inserted. */
export interface Stretch {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Longer changed parts are shown as replaced as a whole: the word comparison is quadratic. */
const comparedMax = 800;

/** The deletions and insertions that turn one text into the other, word by word. */
export function textDifference(before: string, after: string): Stretch[] {
  const [left, right] = [splitWords(before), splitWords(after)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end += 1;
  }
  const middle = compareWords(left.slice(start, left.length - end), right.slice(start, right.length - end));
  const whole: Stretch[] = [
    { kind: 'same', text: left.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: end === 0 ? '' : left.slice(-end).join('') },
  ];
  return whole.filter(({ text }) => text !== '');
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

function compareWords(left: readonly string[], right: readonly string[]): Stretch[] {
  if (left.length > comparedMax || right.length > comparedMax) {
    return [
      { kind: 'gone', text: left.join('') },
      { kind: 'new', text: right.join('') },
    ];
  }
  // length of the longest common subsequence of the remaining words
  const common = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const row = common[i] as Uint16Array;
    for (let j = right.length - 1; j >= 0; j -= 1) {
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const stretches: { kind: Stretch['kind']; text: string }[] = [];
  const add = (kind: Stretch['kind'], text: string) => {
    const last = stretches.at(-1);
    if (last?.kind === kind) last.text += text;
    else stretches.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && left[i] === right[j]) {
      add('same', left[i] as string);
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) {
      add('gone', left[i] as string);
      i += 1;
    } else {
      add('new', right[j] as string);
      j += 1;
    }
  }
  return stretches;
}
