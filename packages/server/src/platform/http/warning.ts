/** Most sentences per header: clients refuse headers of several kilobytes. */
const sentencesMax = 10;

export function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {};
  const more = warnings.length - sentencesMax;
  const shown = more > 0 ? [...warnings.slice(0, sentencesMax), `and ${more} more`] : warnings;
  return { warning: shown.map((text) => `299 portolan "${headerSafe(text)}"`).join(', ') };
}

/** Header values are Latin-1 without control characters; quotes would end the text (RFC 9110 §5.5). */
function headerSafe(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500);
}
