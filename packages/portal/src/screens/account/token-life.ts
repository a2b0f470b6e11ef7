import { t } from '../../kit/translate.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Lifetimes of a new token, at most a year. */
export const lives = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const;

/** Sets of scopes for a new token, in words. */
export const reaches = [
  { value: 'all', label: t('Everything you may'), scopes: ['*'] },
  { value: 'read', label: t('Read only'), scopes: ['read:*'] },
  { value: 'ai', label: t('Ask the assistant only'), scopes: ['invoke:ai', 'read:ai'] },
] as const;

export function expiryAfter(days: string, now: number): string {
  return new Date(now + Number(days) * dayMs).toISOString();
}

/** A token's scopes in words. */
export function describeScopes(scopes: readonly string[]): string {
  const text = scopes.join(' ');
  return reaches.find((each) => each.scopes.join(' ') === text)?.label ?? scopes.join(', ');
}
