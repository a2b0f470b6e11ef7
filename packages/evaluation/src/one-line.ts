/** The text on one line, cut at the width. */
export function oneLine(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
