import type { Token } from './normal-values.ts';

/** Phrases of words, found in a text at the cost of its own words, however many there are. */
export interface Phrases<Value> {
  add(phrase: string, value: Value): void;
  has(phrase: string): boolean;
  /** Whether a phrase begins with it. */
  begins(word: string): boolean;
  /** The longest phrase that stands at this place. */
  find(
    tokens: readonly Token[],
    at: number,
  ): { readonly length: number; readonly phrase: string; readonly values: readonly Value[] } | undefined;
}

const wordsMax = 12;

export function createPhrases<Value>(): Phrases<Value> {
  const values = new Map<string, Value[]>();
  /** By first word, how long its phrases are. */
  const lengths = new Map<string, Set<number>>();
  return {
    add(phrase, value) {
      const list = values.get(phrase);
      if (list) return void list.push(value);
      const words = phrase.split(' ');
      if (words.length > wordsMax) return;
      values.set(phrase, [value]);
      const [first = ''] = words;
      const known = lengths.get(first);
      if (known) known.add(words.length);
      else lengths.set(first, new Set([words.length]));
    },
    has: (phrase) => values.has(phrase),
    begins: (word) => lengths.has(word),
    find(tokens, at) {
      const known = lengths.get(tokens[at]?.word ?? '');
      if (!known) return undefined;
      let phrase = '';
      let found: { length: number; phrase: string; values: readonly Value[] } | undefined;
      for (let length = 1; length <= wordsMax && at + length <= tokens.length; length++) {
        phrase += (length === 1 ? '' : ' ') + (tokens[at + length - 1] as Token).word;
        const list = known.has(length) ? values.get(phrase) : undefined;
        if (list) found = { length, phrase, values: list };
      }
      return found;
    },
  };
}
