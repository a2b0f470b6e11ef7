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

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Sentences, list items and table rows. Headings, questions, code, and the head of a table are none. */
export function splitUnits(text: string): Unit[] {
  const units: Unit[] = [];
  let prose: { start: number; end: number; isItem: boolean } | undefined;
  let fence = '';
  let isInTable = false;
  const close = (): void => {
    if (prose) addUnits(text, prose, units);
    prose = undefined;
  };
  for (const line of linesOf(text)) {
    const mark = fenceLine.exec(line.text)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = '';
      continue;
    }
    const isTable = tableLine.test(line.text);
    if (mark !== undefined || isTable || line.text.trim() === '' || headingLine.test(line.text)) close();
    if (mark !== undefined) fence = mark;
    else if (isTable) {
      if (isInTable && !ruleLine.test(line.text)) add(text, line.start, line.start + line.text.length, units);
    } else if (line.text.trim() !== '' && !headingLine.test(line.text)) {
      const item = itemLine.exec(line.text)?.[0];
      if (item !== undefined) close();
      const end = line.start + line.text.length;
      if (prose) prose.end = end;
      else prose = { start: line.start + (item?.length ?? 0), end, isItem: item !== undefined };
    }
    isInTable = isTable;
  }
  close();
  return units;
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield { start, text: text.slice(start, end) };
    start = end + 1;
  }
}

function addUnits(
  text: string,
  { start, end, isItem }: { start: number; end: number; isItem: boolean },
  units: Unit[],
) {
  const part = text.slice(start, end);
  if (isItem || !/[.!?。…]["”')\]*_`]*\s/.test(part)) return add(text, start, end, units);
  for (const { index, segment } of sentences.segment(part)) {
    add(text, start + index, start + index + segment.length, units);
  }
}

function add(text: string, from: number, to: number, units: Unit[]): void {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text[start] as string)) start++;
  while (end > start && /\s/.test(text[end - 1] as string)) end--;
  const said = text.slice(start, end);
  if (said === '' || /\?["”')*_]*$/.test(said)) return;
  units.push({ start, end, text: said });
}
