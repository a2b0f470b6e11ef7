const lengthMax = 2000;

export const noticeLinkRule = 'must begin with https://, or with / for a place in the portal';

/** Where a notice may lead: elsewhere by https, or to a place in the portal; undefined for anything else. */
export function readNoticeLink(link: unknown): string | undefined {
  if (typeof link !== 'string' || link.length > lengthMax) return undefined;
  const text = link.trim();
  // browsers drop tabs and line ends, and read // and /\ as another host
  if (/[\s\p{Cc}\\]/u.test(text)) return undefined;
  if (/^\/(?!\/)/.test(text)) return text;
  return URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined;
}
