/** What stands behind a part of a Markdown text, and what of it is underlined. */
export interface TextNote {
  /** Places in the Markdown. */
  readonly start: number;
  readonly end: number;
  /** Found again by whoever draws it. */
  readonly id: number;
  /** Words of the part that are underlined. */
  readonly underlined: readonly string[];
}

interface Leaf {
  readonly type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Leaf[];
  readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } };
}

interface Spot {
  readonly parent: Leaf;
  readonly leaf: Leaf;
  readonly start: number;
  readonly end: number;
}

/** Elements that nothing is put inside of. */
const whole = new Set(['a', 'code', 'pre', 'img', 'input', 'thead']);

/** Puts `note-place` elements behind the parts of a text, and `note-word` elements around the underlined words. */
export function placeNotes(notes: readonly TextNote[]) {
  return () => (tree: object) => {
    for (const note of notes) place(tree as Leaf, note);
  };
}

function place(tree: Leaf, { start, end, id, underlined }: TextNote): void {
  const spots = spotsIn(tree).filter((spot) => spot.start < end && spot.end > start);
  const last = spots.at(-1);
  if (!last) return;
  for (const spot of spots) underline(spot, start, end, underlined);
  const mark: Leaf = { type: 'element', tagName: 'note-place', properties: { note: String(id) }, children: [] };
  const after = spotsIn(tree).findLast((spot) => spot.start < end && spot.end > start) ?? last;
  const { parent, leaf } = after;
  const siblings = parent.children ?? [];
  const at = siblings.indexOf(leaf);
  const cut = end - after.start;
  // a text that goes on behind the part is cut there, if its places are those of the source
  if (leaf.type === 'text' && leaf.value !== undefined && after.end > end && isExact(after)) {
    const [before, rest] = [leaf.value.slice(0, cut), leaf.value.slice(cut)];
    siblings.splice(at, 1, textAt(before, after.start), mark, textAt(rest, end));
  } else siblings.splice(at + 1, 0, mark);
}

function underline({ parent, leaf, start }: Spot, from: number, to: number, words: readonly string[]): void {
  const siblings = parent.children ?? [];
  const at = siblings.indexOf(leaf);
  if (leaf.type !== 'text') {
    const text = plainText(leaf);
    if (words.includes(text)) siblings.splice(at, 1, wordElement(leaf, start, leaf.position?.end.offset ?? start));
    return;
  }
  const value = leaf.value ?? '';
  const spot = { parent, leaf, start, end: leaf.position?.end.offset ?? start };
  if (!isExact(spot)) return;
  for (const word of words) {
    const found = value.indexOf(word, Math.max(0, from - start));
    if (word === '' || found < 0 || start + found + word.length > to) continue;
    const [begin, end] = [start + found, start + found + word.length];
    siblings.splice(
      at,
      1,
      ...[
        textAt(value.slice(0, found), start),
        wordElement(textAt(word, begin), begin, end),
        textAt(value.slice(found + word.length), end),
      ].filter((each) => each.value !== ''),
    );
    return;
  }
}

function isExact({ leaf, start, end }: Spot): boolean {
  return leaf.value?.length === end - start;
}

function textAt(value: string, start: number): Leaf {
  return { type: 'text', value, position: { start: { offset: start }, end: { offset: start + value.length } } };
}

function wordElement(child: Leaf, start: number, end: number): Leaf {
  const position = { start: { offset: start }, end: { offset: end } };
  return { type: 'element', tagName: 'note-word', properties: {}, children: [child], position };
}

function plainText({ value, children = [] }: Leaf): string {
  return value ?? children.map(plainText).join('');
}

/** Texts, and elements that nothing is put inside of, in the order in which they are read. */
function spotsIn(tree: Leaf): Spot[] {
  const spots: Spot[] = [];
  const visit = (parent: Leaf): void => {
    for (const leaf of parent.children ?? []) {
      const [start, end] = [leaf.position?.start.offset, leaf.position?.end.offset];
      const isWhole = leaf.type === 'element' && whole.has(leaf.tagName ?? '');
      if (leaf.type === 'text' || isWhole || leaf.tagName === 'note-word') {
        const isShown = leaf.type !== 'text' || (leaf.value ?? '').trim() !== '';
        if (start !== undefined && end !== undefined && isShown) spots.push({ parent, leaf, start, end });
      } else visit(leaf);
    }
  };
  visit(tree);
  return spots;
}
