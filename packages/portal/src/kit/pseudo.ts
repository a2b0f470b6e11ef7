const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/** A text with accents on its vowels, and longer: `Save` becomes `[Sávé·]`. Placeholders and marks stay. */
function pseudo(text: string): string {
  const accented = text.replace(/Portolan|\{\w+\}|<\/?\d+\/?>|[aeiou]/gi, (found) => accents[found] ?? found);
  return `[${accented}${'·'.repeat(Math.ceil(text.length * 0.3))}]`;
}

/** Every text there is, as a language that shows which ones were left out and what longer words do to a layout. */
export const pseudoCatalogue: Readonly<Record<string, string>> = new Proxy(
  {},
  {
    get: (_, text) =>
      typeof text === 'string' && !/_(zero|one|two|few|many)$/.test(text)
        ? pseudo(text.replace(/_other$/, ''))
        : undefined,
  },
);
