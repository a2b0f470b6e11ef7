/** A URL that is safe as a link target; undefined for scripts, data and invalid URLs. */
export function safeLink(address: string | undefined): string | undefined {
  const text = (address ?? '').trim();
  if (/^[/#?](?![/\\])/.test(text) || text === '/') return text;
  if (!URL.canParse(text)) return undefined;
  return ['http:', 'https:', 'mailto:'].includes(new URL(text).protocol) ? text : undefined;
}
