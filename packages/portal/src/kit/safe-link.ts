/** An address that a link of people's text may lead to; undefined for scripts, data and what is no address. */
export function safeLink(address: string | undefined): string | undefined {
  const text = (address ?? '').trim();
  if (/^[/#?](?![/\\])/.test(text) || text === '/') return text;
  if (!URL.canParse(text)) return undefined;
  return ['http:', 'https:', 'mailto:'].includes(new URL(text).protocol) ? text : undefined;
}
