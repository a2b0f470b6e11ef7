/** How somebody says that they cannot or will not answer; the first is that of the built-in planner. */
const inabilities: readonly RegExp[] = [
  /^i did not answer this\b/,
  /\bi (?:can(?:no|')t|cannot|could not|couldn't|am unable to|am not able to|won't|will not) /,
  /\bi(?:'m| am) (?:sorry|afraid|unable|not able)\b/,
  /\bi (?:don't|do not) (?:know|have|see|find|understand)\b/,
];

/** How somebody says that something is not there; an answer too, if it was asked for. */
const absences: readonly RegExp[] = [
  /\bi (?:didn't|did not) find\b/,
  /\b(?:there is|there's|there are) no (?:\p{L}+ ){1,4}(?:called|named|with that name|by that name)\b/u,
  /\b(?:does not|doesn't|do not|don't) (?:exist|seem to exist)\b/,
  /\b(?:not|nothing) (?:found )?in (?:the|this|your) catalog\b/,
];

/** An answer that declines says so at once. */
const openingCharacters = 300;

/** Whether an answer declines, in words of the planner, of most models, or in phrases that the case adds. */
export function isRefusal(answer: string, phrases: readonly string[] = []): boolean {
  const opening = plain(answer.trim().slice(0, openingCharacters));
  const added = phrases.some((phrase) => plain(answer).includes(plain(phrase)));
  return added || [...inabilities, ...absences].some((pattern) => pattern.test(opening));
}

/**
 * Why a text is no answer to be compared: its first sentence says that it cannot be given, or it asks back. The names and
 * numbers in it are not said of anything then. Undefined for an answer.
 */
export function explainNoAnswer(answer: string): string | undefined {
  const [first = ''] = plain(answer.trim().slice(0, openingCharacters)).split(/[.!?\n]/);
  if (inabilities.some((pattern) => pattern.test(first))) return 'it refuses';
  return isQuestion(answer) ? 'it asks back' : undefined;
}

/** Questions that end an answer and are none about the question that was asked. */
const offer = /^(?:would you like|do you want|want me|shall i|should i|can i|may i|is there anything|anything else)\b/;

/** Whether an answer asks back: it begins as the planner asks, or ends with a question that is no offer of more. */
export function isQuestion(answer: string): boolean {
  if (/^(?:which do you mean|did you mean)\b/.test(plain(answer.trim().slice(0, openingCharacters)))) return true;
  const ending = plain(answer.trim().slice(-openingCharacters)).trim();
  if (!ending.endsWith('?')) return false;
  const last =
    ending
      .slice(0, -1)
      .split(/[.!?:\n]\s/)
      .at(-1) ?? '';
  return !offer.test(last.trim());
}

/** In small letters, without marks of Markdown and with straight apostrophes. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('\u2019', "'").replaceAll(/[*_`]/g, '');
}
