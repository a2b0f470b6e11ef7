/** Of notes for the assistant: of one, of a person, and of what is shown with a question. */
export const memoryBounds = { charactersMax: 300, notesMax: 50, promptCharactersMax: 3_300 } as const;

/**
 * What a person asks to be remembered, letter by letter as it stands in the question; undefined if they ask for nothing.
 * Only the question is looked at, so no other text can become a note.
 */
export function findProposedNote(question: string): string | undefined {
  for (const line of question.split(/(?<=[.!?])\s+|\n+/u)) {
    const found = order.exec(line.trim());
    const note = found?.[1]?.replace(/[.!\s]+$/u, '').trim();
    if (note && !/\?$/u.test(note) && note.length <= memoryBounds.charactersMax) return note;
  }
  return undefined;
}

const order =
  /^(?:please |bitte )?(?:remember|keep in mind|make a note|note down|merke? dir|merken sie sich|denk(?:e)? daran)(?:,?\s+(?:that|dass)\s+|\s*:\s*|,\s+)(\S.{2,})$/iu;
