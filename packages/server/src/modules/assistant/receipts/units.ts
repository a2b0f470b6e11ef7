/** A part of an answer that is checked on its own. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const fenceLine = /^\s*(`{3,}|~{3,})/;
const itemLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const tableLine = /^\s*\|/;
const ruleLine = /^\s*\|?[\s:|-]+$/;
const headingLine = /^\s{0,3}#{1,6}\s/;

interface Prose {
  readonly start: number;
  end: number;
  readonly isItem: boolean;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Sentences, list items and table rows. Headings, questions, code, and the head of a table are none. */
export function* unitsIn(text: string): Generator<Unit> {
  let prose: Prose | undefined;
  let fence = '';
  let isInTable = false;
  function* close(): Generator<Unit> {
    if (prose) yield* unitsOf(text, prose);
    prose = undefined;
  }
  for (const line of linesOf(text)) {
    const mark = fenceLine.exec(line.text)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
      continue;
    }
    const isTable = tableLine.test(line.text);
    if (mark !== undefined || isTable || line.text.trim() === '' || headingLine.test(line.text)) yield* close();
    if (mark !== undefined) fence = mark;
    else if (isTable) {
      if (isInTable && !ruleLine.test(line.text)) yield* trimmed(text, line.start, line.start + line.text.length);
    } else if (line.text.trim() !== '' && !headingLine.test(line.text)) {
      const item = itemLine.exec(line.text)?.[0];
      if (item !== undefined) yield* close();
      const end = line.start + line.text.length;
      if (prose) prose.end = end;
      else prose = { start: line.start + (item?.length ?? 0), end, isItem: item !== undefined };
    }
    isInTable = isTable;
  }
  yield* close();
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield { start, text: text.slice(start, end) };
    start = end + 1;
  }
}

function* unitsOf(text: string, { start, end, isItem }: Prose): Generator<Unit> {
  const part = text.slice(start, end);
  if (isItem || !/[.!?。…]["”')\]*_`]*\s/.test(part)) {
    yield* trimmed(text, start, end);
    return;
  }
  for (const { index, segment } of sentences.segment(part)) {
    yield* trimmed(text, start + index, start + index + segment.length);
  }
}

function* trimmed(text: string, from: number, to: number): Generator<Unit> {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start] as string)) start++;
  while (end > start && /\s/.test(text[end - 1] as string)) end--;
  const said = text.slice(start, end);
  if (said !== '' && !/\?["”')*_]*$/.test(said)) yield { start, end, text: said };
}
