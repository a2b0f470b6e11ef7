import { expect, test } from 'vitest';
import { readNumber } from './answer-number.ts';

test.each([
  ['Services: **18**', 18],
  ['Total monthly cost: **12,345.50**', 12_345.5],
  ['There are 18 services in **Production**.', 18],
  ['**INC-1204** is one of **7 incidents**', 7],
  ['On 2026-03-02 there were 5 of them.', 5],
  ['`tier-1` services: 4', 4],
  ['1. Of v2 there are\n2. exactly 9', 9],
  ['The balance is -3.5 now', -3.5],
  ['$1,200 a month', 1200],
  ['There are four.', 4],
  ['There are no incidents.', 0],
  ['None.', 0],
  ['Many.', undefined],
  ['INC-1204 at 09:30, version 1.2.3', undefined],
])('%j says %s', (answer, number) => expect(readNumber(answer)).toBe(number));

test.each(['1,', '*', '\n', '9'])('a long answer of %j is read at once', (sign) => {
  const start = performance.now();
  readNumber(`${sign.repeat(100_000)}x`);
  expect(performance.now() - start).toBeLessThan(2_000);
});
