const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * The number that an answer gives: the first one in bold, else the first one at all that is no part of a name, a date or
 * a version, else the first one written as a word. Commas group thousands.
 */
export function readNumber(answer: string): number | undefined {
  for (const [, bold = ''] of answer.matchAll(/\*\*(.+?)\*\*/g)) {
    const [, digits] = /^[^\p{L}\p{N}-]*(-?\d[\d,]{0,30}(?:\.\d{1,30})?)(?![\p{L}\p{N}_]|[-:/.]\d)/u.exec(bold) ?? [];
    if (digits !== undefined) return toNumber(digits);
  }
  const prose = answer.replaceAll(/`[^`]*`/g, ' ').replaceAll(/^[ \t]*\d{1,4}[.)]\s/gm, ' ');
  const [, digits] =
    /(?<![\p{L}\p{N}_.:/-])(-?\d[\d,]{0,30}(?:\.\d{1,30})?)(?![\p{L}\p{N}_]|[-:/.,]\d)/u.exec(prose) ?? [];
  if (digits !== undefined) return toNumber(digits);
  const said = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  const first = said.find((word) => words.includes(word) || word === 'no' || word === 'none');
  return first === undefined ? undefined : Math.max(0, words.indexOf(first));
}

function toNumber(digits: string): number {
  return Number(digits.replaceAll(',', ''));
}
