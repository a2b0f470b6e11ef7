/** Statements of a migration in lower case with single blanks, without comments and with empty texts. */
export function splitStatements(text: string): readonly string[] {
  return text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
      /^['$]/.test(part) ? "''" : ' ',
    )
    .split(';')
    .map((each) => each.toLowerCase().replaceAll('"', '').replace(/\s+/g, ' ').trim())
    .filter((each) => each !== '');
}
