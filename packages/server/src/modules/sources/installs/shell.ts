/** A word of a POSIX shell that stands for exactly this text. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A scalar of YAML that stands for exactly this text: every JSON text is one. */
export function yamlText(text: string): string {
  return JSON.stringify(text);
}
