/** The words of a line up to a comment; `\\#` and `\\ ` belong to a word, other backslashes stay as they are. */
export function readWords(line: string): string[] {
  const words: string[] = [];
  for (const word of line.match(/(?:\\.|[^\s\\])+/g) ?? []) {
    if (word.startsWith('#')) break;
    words.push(word.replace(/\\([ #])/g, '$1'));
  }
  return words;
}
