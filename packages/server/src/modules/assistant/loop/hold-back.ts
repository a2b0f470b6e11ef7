import type { LoopEvent } from './loop-event.ts';

/** A sentence of an answer that is not backed by what was read. */
export interface Unbacked {
  readonly sentence: string;
  /** The words of it that stand in nothing that was read. */
  readonly missing: readonly string[];
}

/** What of an answer is not backed; undefined if all of it is. Never rejects. */
export type FindUnbacked = (answer: string) => Promise<readonly Unbacked[] | undefined>;

interface HeldText {
  emit(event: LoopEvent): void;
  /** Says what was held, or forgets it. */
  release(isSaid: boolean): void;
}

/** Keeps the text of one answer; all else is told at once. */
export function holdText(say: (event: LoopEvent) => void): HeldText {
  let held: LoopEvent[] = [];
  return {
    emit(event) {
      if (event.type === 'segment' || event.type === 'text-delta') held.push(event);
      else say(event);
    },
    release(isSaid) {
      const events = held;
      held = [];
      if (isSaid) for (const event of events) say(event);
    },
  };
}

const sentencesMax = 20;
const sentenceCharactersMax = 300;
const wordsMax = 5;
const wordCharactersMax = 60;

/** For the model, which may read more or say less. */
export function repairText(unbacked: readonly Unbacked[]): string {
  const lines = unbacked.slice(0, sentencesMax).map(({ sentence, missing }) => {
    const words = missing.length > 0 ? ` (not found: ${missing.join(', ')})` : '';
    return `- ${short(sentence, sentenceCharactersMax)}${words}`;
  });
  return [
    'Your answer was not shown, because these sentences do not stand in the results of your tools:',
    ...lines,
    'Answer the question again, in full. Say only what the results say, read what is missing, and say what you could not find.',
  ].join('\n');
}

/** What stands in the place of an answer that is not backed. It names what was not found, and claims nothing. */
export function withheldText(unbacked: readonly Unbacked[]): string {
  const words = [...new Set(unbacked.flatMap(({ missing }) => missing))];
  if (words.length === 0)
    return `Not backed by what I read: ${unbacked.length === 1 ? 'one sentence' : `${unbacked.length} sentences`} of the answer.`;
  const named = words.slice(0, wordsMax).map((word) => `“${short(word.replace(/\s+/g, ' '), wordCharactersMax)}”`);
  const rest = words.length > wordsMax ? `, and ${words.length - wordsMax} more` : '';
  return `Not backed by what I read: ${named.join(', ')}${rest}.`;
}

function short(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}
