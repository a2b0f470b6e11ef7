const contextLines = 3;
/** Above this many cells, the changed middle is shown as replaced as a whole. */
const cellsMax = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The change of a file as `diff -u` prints it; empty where nothing changed. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = linesOf(rowsOf(before), rowsOf(after));
  let text = `--- a/${file}\n+++ b/${file}\n`;
  let old = 1;
  let now = 1;
  for (let at = 0; at < lines.length; ) {
    const first = lines.findIndex(({ sign }, index) => index >= at && sign !== ' ');
    if (first < 0) break;
    let last = first;
    for (let next = first; next < lines.length && next <= last + 2 * contextLines; next++)
      if (lines[next]!.sign !== ' ') last = next;
    const from = Math.max(at, first - contextLines);
    const to = Math.min(lines.length, last + contextLines + 1);
    const skipped = lines.slice(at, from).length;
    old += skipped;
    now += skipped;
    const hunk = lines.slice(from, to);
    const [olds, news] = [
      hunk.filter(({ sign }) => sign !== '+').length,
      hunk.filter(({ sign }) => sign !== '-').length,
    ];
    text += `@@ -${old},${olds} +${now},${news} @@\n${hunk.map(({ sign, text: line }) => `${sign}${line}\n`).join('')}`;
    old += olds;
    now += news;
    at = to;
  }
  return text;
}

/** The lines; the end of the last one begins no other. */
function rowsOf(text: string): string[] {
  const rows = text.split('\n');
  if (rows.at(-1) === '') rows.pop();
  return rows;
}

function linesOf(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ sign: ' ', text }));
  const [olds, news] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  return [...same(before.slice(0, head)), ...middle(olds, news), ...same(before.slice(before.length - tail))];
}

/** By the longest common subsequence. */
function middle(olds: readonly string[], news: readonly string[]): Line[] {
  const width = news.length + 1;
  if ((olds.length + 1) * width > cellsMax) {
    return [...olds.map((text): Line => ({ sign: '-', text })), ...news.map((text): Line => ({ sign: '+', text }))];
  }
  const length = new Uint32Array((olds.length + 1) * width);
  for (let i = olds.length - 1; i >= 0; i--) {
    for (let j = news.length - 1; j >= 0; j--) {
      length[i * width + j] =
        olds[i] === news[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < olds.length || j < news.length) {
    if (i < olds.length && j < news.length && olds[i] === news[j]) {
      lines.push({ sign: ' ', text: olds[i]! });
      i++;
      j++;
    } else if (i < olds.length && (j === news.length || length[(i + 1) * width + j]! >= length[i * width + j + 1]!)) {
      lines.push({ sign: '-', text: olds[i++]! });
    } else lines.push({ sign: '+', text: news[j++]! });
  }
  return lines;
}
