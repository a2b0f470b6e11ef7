/** Finds many texts in another in one pass, whatever they are: the automaton of Aho and Corasick over UTF-16 units. */
export interface Matcher {
  /** The text with everything that was found replaced; what lies side by side is replaced as one. */
  replace(text: string, replacement: string): string;
}

/** At the end of a text, which may have been cut there, so much of the beginning of a searched text counts as found. */
const cutMin = 8;
const denseUnits = 256;

interface Automaton {
  /** Children of the root by unit, where the unit is small. */
  readonly root: Int32Array;
  readonly unit: Uint16Array;
  readonly firstChild: Int32Array;
  readonly sibling: Int32Array;
  readonly failure: Int32Array;
  readonly depth: Int32Array;
  /** The length of the longest searched text that ends here; 0 if none does. */
  readonly found: Int32Array;
}

/** Costs time and memory in proportion to the length of all texts together. */
export function createMatcher(texts: Iterable<string>): Matcher {
  const automaton = build([...texts]);
  return { replace: (text, replacement) => replaceSpans(text, spansIn(automaton, text), replacement) };
}

function childOf(automaton: Automaton, node: number, unit: number): number {
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
      let child = childOf(automaton, node, unit);
      if (child === 0) {
        child = count++;
        automaton.unit[child] = unit;
        automaton.depth[child] = at + 1;
        automaton.sibling[child] = automaton.firstChild[node] as number;
        automaton.firstChild[node] = child;
        // where there is no room for it, it is found among the children
        if (node === 0) automaton.root[unit] = child;
      }
      node = child;
    }
    automaton.found[node] = text.length;
  }
  linkFailures(automaton, count);
  return automaton;
}

/** Each node learns of the longest end of its text that is a beginning too; breadth first, so that shorter ones are known. */
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
    const child = childOf(automaton, node, unit);
    if (child !== 0 || node === 0) return child;
  }
}

/** Starts and ends of what was found, in order and apart from one another. */
function spansIn(automaton: Automaton, text: string): number[] {
  const spans: number[] = [];
  const add = (start: number, end: number): void => {
    let from = start;
    while ((spans.at(-1) ?? -1) >= from) {
      spans.pop();
      from = Math.min(from, spans.pop() as number);
    }
    spans.push(from, end);
  };
  let node = 0;
  for (let at = 0; at < text.length; at++) {
    node = step(automaton, node, text.charCodeAt(at));
    const length = automaton.found[node] as number;
    if (length > 0) add(at + 1 - length, at + 1);
  }
  const begun = automaton.depth[node] as number;
  if (begun >= cutMin) add(text.length - begun, text.length);
  return spans;
}

function replaceSpans(text: string, spans: readonly number[], replacement: string): string {
  let replaced = '';
  let from = 0;
  for (let at = 0; at < spans.length; at += 2) {
    replaced += text.slice(from, spans[at]) + replacement;
    from = spans[at + 1] as number;
  }
  return replaced + text.slice(from);
}
