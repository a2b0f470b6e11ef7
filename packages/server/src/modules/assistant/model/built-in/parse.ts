import { type Grammar, phrases } from './grammar.ts';
import { parseActs } from './parse-acts.ts';
import { parseLists } from './parse-lists.ts';
import { parseNamed } from './parse-named.ts';
import { parseTops } from './parse-tops.ts';
import type { Reading } from './query.ts';
import { polite } from './vocabulary.ts';

/** Longer questions are refused: they hold more than the grammar can say, and all ways to read them would take long. */
export const wordsMax = 40;

/** All ways to read a question in which every word has its part; none if there are words without one. The cheapest first. */
export function parse(grammar: Grammar): Reading[] {
  if (grammar.words.length === 0 || grammar.words.length > wordsMax) return [];
  const byQuery = new Map<string, Reading>();
  for (const start of new Set(phrases(grammar, 0, polite))) {
    const readings = [
      ...parseLists(grammar, start),
      ...parseTops(grammar, start),
      ...parseNamed(grammar, start),
      ...parseActs(grammar, start),
    ];
    for (const reading of readings) {
      const key = JSON.stringify(reading.query);
      const known = byQuery.get(key);
      if (!known || known.cost > reading.cost) byQuery.set(key, reading);
    }
  }
  return [...byQuery.values()].sort((a, b) => a.cost - b.cost);
}
