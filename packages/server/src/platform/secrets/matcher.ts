/** Finds many texts in one pass: an Aho-Corasick automaton over UTF-16 units. */
export interface Matcher {
  /** Replaces all matches; adjacent matches become one replacement. */
  replace(text: string, replacement: string): string;
  /** The same for text that arrives in parts. */
  stream(replacement: string): TextStream;
}

/** Text read in parts: a possible beginning of a match is held back until more is known. */
export interface TextStream {
  /** The part of the text that is settled, beyond what was returned before. */
  push(part: string): string;
  /** Returns the rest. The next part begins another text. */
  end(): string;
}

/** At the end of a text, which may be cut there, a beginning of this length counts as a match. */
const cutMin = 8;
const denseUnits = 256;

interface Automaton {
  /** Children of the root for small units. */
  readonly root: Int32Array;
  readonly unit: Uint16Array;
  readonly firstChild: Int32Array;
  readonly sibling: Int32Array;
  readonly failure: Int32Array;
  readonly depth: Int32Array;
  /** Length of the longest searched text ending here, or 0. */
  readonly found: Int32Array;
}

/** Time and memory are proportional to the total length of the texts. */
export function createMatcher(texts: Iterable<string>): Matcher {
  const automaton = build([...texts]);
  return {
    replace: (text, replacement) => {
      const stream = streamOver(automaton, replacement);
      return stream.push(text) + stream.end();
    },
    stream: (replacement) => streamOver(automaton, replacement),
  };
}

function findChild(automaton: Automaton, node: number, unit: number): number {
  if (node === 0 && unit < denseUnits) return automaton.root[unit] as number;
  let child = automaton.firstChild[node] as number;
  while (child !== 0 && automaton.unit[child] !== unit) child = automaton.sibling[child] as number;
  return child;
}

function build(texts: readonly string[]): Automaton {
  const size = texts.reduce((sum, text) => sum + text.length, 1);
  const automaton: Automaton = {
    root: new Int32Array(denseUnits),
    unit: new Uint16Array(size),
    firstChild: new Int32Array(size),
    sibling: new Int32Array(size),
    failure: new Int32Array(size),
    depth: new Int32Array(size),
    found: new Int32Array(size),
  };
  let count = 1;
  for (const text of texts) {
    let node = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let child = findChild(automaton, node, unit);
      if (child === 0) {
        child = count++;
        automaton.unit[child] = unit;
        automaton.depth[child] = at + 1;
        automaton.sibling[child] = automaton.firstChild[node] as number;
        automaton.firstChild[node] = child;
        // without room in the table it is found among the children
        if (node === 0) automaton.root[unit] = child;
      }
      node = child;
    }
    automaton.found[node] = text.length;
  }
  linkFailures(automaton, count);
  return automaton;
}

/** Sets failure links breadth first, so that shorter suffixes come first. */
function linkFailures(automaton: Automaton, count: number): void {
  const { firstChild, sibling, failure, found, unit } = automaton;
  const queue = new Int32Array(count);
  let last = 1;
  for (let first = 0; first < last; first++) {
    const node = queue[first] as number;
    for (let child = firstChild[node] as number; child !== 0; child = sibling[child] as number) {
      if (node !== 0) failure[child] = step(automaton, failure[node] as number, unit[child] as number);
      if (found[child] === 0) found[child] = found[failure[child] as number] as number;
      queue[last++] = child;
    }
  }
}

function step(automaton: Automaton, from: number, unit: number): number {
  for (let node = from; ; node = automaton.failure[node] as number) {
    const child = findChild(automaton, node, unit);
    if (child !== 0 || node === 0) return child;
  }
}

function streamOver(automaton: Automaton, replacement: string): TextStream {
  let node = 0;
  let held = '';
  /** Starts and ends of matches in the held text, ordered and disjoint. */
  let spans: number[] = [];
  /** Whether the last output was a replacement, which an adjacent match extends. */
  let isReplaced = false;

  const add = (start: number, end: number): void => {
    let from = start;
    while ((spans.at(-1) ?? -1) >= from) {
      spans.pop();
      from = Math.min(from, spans.pop() as number);
    }
    spans.push(from, end);
  };
  /** Returns the held text up to `end` and drops it. */
  const tell = (end: number): string => {
    if (end === 0) return '';
    let told = '';
    let from = 0;
    const kept: number[] = [];
    for (let at = 0; at < spans.length; at += 2) {
      const [first, last] = [spans[at] as number, spans[at + 1] as number];
      if (first >= end) {
        kept.push(first - end, last - end);
        continue;
      }
      told += held.slice(from, first);
      if (first > from || !isReplaced) told += replacement;
      isReplaced = true;
      from = Math.min(last, end);
      // the rest of it is replaced already
      if (last > end) kept.push(0, last - end);
    }
    if (from < end) {
      told += held.slice(from, end);
      isReplaced = false;
    }
    held = held.slice(end);
    spans = kept;
    return told;
  };
  return {
    push(part) {
      const before = held.length;
      held += part;
      for (let at = before; at < held.length; at++) {
        node = step(automaton, node, held.charCodeAt(at));
        const length = automaton.found[node] as number;
        if (length > 0) add(at + 1 - length, at + 1);
      }
      return tell(held.length - (automaton.depth[node] as number));
    },
    end() {
      const begun = automaton.depth[node] as number;
      if (begun >= cutMin) add(held.length - begun, held.length);
      const rest = tell(held.length);
      node = 0;
      isReplaced = false;
      return rest;
    },
  };
}
