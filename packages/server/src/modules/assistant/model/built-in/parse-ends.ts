import { type Grammar, phrases } from './grammar.ts';
import { tails } from './vocabulary.ts';

/** Whether a question may end at a position: nothing follows, or only words without meaning. */
export function endsAt(grammar: Grammar, at: number): boolean {
  return phrases(grammar, at, tails).includes(grammar.words.length);
}
