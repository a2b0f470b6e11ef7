import { expect, test } from 'vitest';
import { createKnownSecrets } from './known-secrets.ts';
import { maskedDestination } from './masked-destination.ts';
import { mask } from './secret-scope.ts';

/** Secrets that share no part with another, of so many characters. */
const secretNumber = (number: number, length = 12): string => `${`z${number}q`.padEnd(length - 1, 'X9')}Q`;
const isMasked = (known: ReturnType<typeof createKnownSecrets>, secret: string): boolean =>
  known.maskText(`it was ${secret}.`) === `it was ${mask}.`;

test('what is unknown is shown, and what was said is masked from then on', () => {
  const known = createKnownSecrets();
  const secret = 'kT9vQ2mXw7Lp4RzB';
  expect(isMasked(known, secret)).toBe(false);
  known.keep(secret);
  expect(isMasked(known, secret)).toBe(true);
  expect(isMasked(known, 'another9vQ2mXw7L')).toBe(false);
  known.note('another9vQ2mXw7L');
  expect(isMasked(known, 'another9vQ2mXw7L')).toBe(true);
  expect(isMasked(known, secret)).toBe(true);
});

test('what the operator left out is no secret', () => {
  const known = createKnownSecrets();
  known.keep(undefined);
  known.keep('');
  expect(known.maskText('as it is')).toBe('as it is');
});

test('of those that were opened the last thousand are kept in mind; those of the operator always', () => {
  const known = createKnownSecrets();
  known.keep(secretNumber(5_000));
  for (let number = 0; number < 1_000; number++) known.note(secretNumber(number));
  expect(isMasked(known, secretNumber(0))).toBe(true);
  // opened again, it is no longer the oldest
  known.note(secretNumber(0));
  known.note(secretNumber(1_000));
  expect(isMasked(known, secretNumber(1))).toBe(false);
  for (const number of [0, 2, 1_000, 5_000]) expect(isMasked(known, secretNumber(number)), String(number)).toBe(true);
});

test('of long ones fewer are kept in mind', () => {
  const known = createKnownSecrets();
  const long = 16 * 1024;
  for (let number = 0; number < 4; number++) known.note(secretNumber(number, long));
  expect(isMasked(known, secretNumber(0, long))).toBe(true);
  known.note(secretNumber(4, long));
  expect(isMasked(known, secretNumber(0, long))).toBe(false);
  expect(isMasked(known, secretNumber(1, long))).toBe(true);
  // opened again, one takes up no more room
  for (let count = 0; count < 9; count++) known.note(secretNumber(4, long));
  expect(isMasked(known, secretNumber(1, long))).toBe(true);
  // what was forgotten takes up none
  known.note('kT9vQ2mXw7Lp4RzB');
  expect(isMasked(known, secretNumber(1, long))).toBe(false);
  expect(isMasked(known, secretNumber(2, long))).toBe(true);
});

test('a log goes on without them', () => {
  const known = createKnownSecrets();
  known.keep('kT9vQ2mXw7Lp4RzB');
  const lines: string[] = [];
  maskedDestination({ write: (line) => lines.push(line) }, known).write('{"url":"/x?token=kT9vQ2mXw7Lp4RzB"}\n');
  expect(lines).toEqual([`{"url":"/x?token=${mask}"}\n`]);
});
