import { isUtf8 } from 'node:buffer';

/** A line of a body; `text` is absent where the line is too long or no UTF-8. */
export interface BodyLine {
  readonly text?: string;
  readonly problem?: 'too_long' | 'not_utf8';
}

const newline = 0x0a;
const byteOrderMark = '\uFEFF';

/**
 * Splits bytes into lines, some at a time, without their ends and blanks around them. A line is held in memory up to
 * `bytesMax`; of a longer one the rest is read and dropped.
 */
export async function* readLines(
  body: AsyncIterable<Buffer | string>,
  bytesMax: number,
): AsyncGenerator<readonly BodyLine[]> {
  let kept: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;
  let isFirst = true;
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > bytesMax) {
      isTooLong = true;
      kept = [];
    } else if (part.length > 0 && !isTooLong) kept.push(part);
  };
  const take = (): BodyLine => {
    const line: BodyLine = isTooLong
      ? { problem: 'too_long' }
      : toLine(kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept));
    const hasMark = isFirst && line.text?.startsWith(byteOrderMark);
    kept = [];
    bytes = 0;
    isTooLong = false;
    isFirst = false;
    return hasMark ? { text: line.text?.slice(byteOrderMark.length) ?? '' } : line;
  };
  for await (const part of body) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    const lines: BodyLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      lines.push(take());
      from = at + 1;
    }
    keep(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (bytes > 0) yield [take()];
}

function toLine(bytes: Buffer): BodyLine {
  return isUtf8(bytes) ? { text: bytes.toString('utf8').trim() } : { problem: 'not_utf8' };
}
