/** The part of a documentation page under one heading. */
export interface ManualSection {
  /** Path within the documentation folder. */
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Full-text index of sections. */
export interface ManualIndex {
  /**
   * Best matches first; empty if no word of the query occurs. Sections whose table says what a name in code means come before
   * those that hold it whole, and these before those that hold parts of it.
   */
  search(query: string, limit: number): ManualSection[];
}

/** Weight of a word in a heading relative to the text below it. */
const headingWeight = 4;
/** BM25: saturation of repeated words (k1), and the penalty of long sections (b). */
const saturation = 1.2;
const lengthShare = 0.75;

/** Splits a markdown page by headings, without empty sections; a `#` in fenced code is no heading. */
export function splitSections(page: string, markdown: string): ManualSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  let title = page;
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks = '', heading = ''] = (!isCode && /^(#{1,3})\s+(.*)$/.exec(line)) || [];
    if (marks === '#') title = heading;
    else if (marks !== '') sections.push({ heading, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ page, title, heading: heading || title, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');
}

export function indexManual(sections: readonly ManualSection[]): ManualIndex {
  const counted = sections.map((section) => {
    const counts = new Map<string, number>();
    const add = (text: string, weight: number): void => {
      for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    add(section.text, 1);
    add(section.heading === section.title ? section.title : `${section.title} ${section.heading}`, headingWeight);
    const defined = new Set([...section.text.matchAll(/^\|\s*`(\w+)`/gm)].map(([, name = '']) => name.toLowerCase()));
    return { section, counts, defined, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const meanLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const rarity = (word: string): number => {
    const having = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  };
  return {
    search(query, limit) {
      const asked = [...new Set(splitWords(query))].map((word) => [word, rarity(word)] as const);
      return counted
        .map(({ section, counts, defined, length }) => {
          const held = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
          const score = asked.reduce((sum, [word, rare]) => {
            const count = counts.get(word) ?? 0;
            return sum + (rare * count * (saturation + 1)) / (count + held);
          }, 0);
          const names = asked
            .filter(([word]) => word.includes('_') && counts.has(word))
            .reduce((sum, [word]) => sum + (defined.has(word) ? 2 : 1), 0);
          return { section, names, score };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.names - a.names || b.score - a.score)
        .slice(0, limit)
        .map(({ section }) => section);
    },
  };
}

/** Words without endings, so that `automations` finds `automation`; names in code are indexed whole and in parts. */
function splitWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .filter((word) => word.length > 1)
    .map((word) => (word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word));
}
