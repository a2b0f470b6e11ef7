import { createHash } from 'node:crypto';

/** An index entry holds about 2,700 bytes. */
const keyMax = 500;

/**
 * Names of teams and addresses of users must differ in this (decision 0021): the text without differences of case,
 * width, composition, blanks and invisible characters.
 */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  const key = folded
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return key.length <= keyMax ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
