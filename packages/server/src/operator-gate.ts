import { timingSafeEqual } from 'node:crypto';
import { AppError } from './platform/errors.ts';

/** Compares in constant time, so that the token cannot be guessed byte by byte. */
export function operatorGate(operatorToken: string) {
  const expected = Buffer.from(operatorToken);
  return (authorization: string | undefined): void => {
    const given = Buffer.from(authorization?.replace(/^bearer\s+/i, '') ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError('unauthorized', 'This needs the operator token of the installation');
    }
  };
}
