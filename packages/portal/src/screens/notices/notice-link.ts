import { safeLink } from '../../kit/safe-link.ts';

/** Where a notice may lead: elsewhere by https, or to a place in the portal. */
export function noticeLink(link: string | null): string | undefined {
  const safe = safeLink(link ?? undefined);
  return safe && /^(https:|\/)/i.test(safe) ? safe : undefined;
}
