/** For texts that people choose: a line break in one could fake another line. */
export function onOneLine(text: string, lengthMax = 200): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, lengthMax);
}
