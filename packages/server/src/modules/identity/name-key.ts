import { createHash } from 'node:crypto';

/** An index holds about 2,700 bytes of a key. */
const keyMax = 500;

/**
 * What two names of teams or addresses of users must not share (decision 0021): the text without differences of case,
 * width, composition, blanks and invisible signs.
 */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  const key = folded
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return key.length <= keyMax ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
