import { describe, expect, test } from 'vitest';
import { createMarkScanner } from './mark-scanner.ts';

function scan(pieces: readonly string[], isOn = true) {
  const scanner = createMarkScanner(() => isOn);
  const text = pieces.map((piece) => scanner.push(piece)).join('') + scanner.end();
  return { text, marks: scanner.marks.map(({ ref, at }) => `${ref}@${at}`), length: scanner.length };
}

describe('marks', () => {
  test('are taken out wherever the stream is cut, and nothing else is', () => {
    const whole = 'Cart is in Go.[^r1][^c12] See [docs](x) and `[^r2]`.\n\n- It [^ has [ and [^r] too[^u3]\n';
    const expected = scan([whole]);
    expect(expected.text).toBe('Cart is in Go. See [docs](x) and `[^r2]`.\n\n- It [^ has [ and [^r] too\n');
    expect(expected.marks).toEqual(['r1@14', 'c12@14', 'u3@69']);
    expect(expected.length).toBe(expected.text.length);
    for (let at = 0; at <= whole.length; at++) {
      expect(scan([whole.slice(0, at), whole.slice(at)])).toEqual(expected);
    }
    expect(scan([...whole])).toEqual(expected);
  });

  test.each([
    ['in fenced code', 'So:\n\n```\nx[^r1]\n```\n\nIt is so.[^r1]', 'So:\n\n```\nx[^r1]\n```\n\nIt is so.'],
    ['in longer code marks', '``a`[^r1]`` is so[^r1]', '``a`[^r1]`` is so'],
  ])('%s stay', (_, text, expected) => {
    expect(scan([text]).text).toBe(expected);
    expect(scan([...text]).text).toBe(expected);
  });

  test.each(['{"a":"[^r1]"}', '["[^r1]"]', '```json\n"[^r1]"\n```', '~~~\n[^r1]\n~~~'])(
    'in an answer for a program stay: %s',
    (text) => {
      expect(scan([...text])).toEqual({ text, marks: [], length: text.length });
    },
  );

  test('may begin an answer', () => {
    expect(scan([...'[^r1] Cart'])).toMatchObject({ text: ' Cart', marks: ['r1@0'] });
  });

  test('are text if nothing was read', () => {
    expect(scan(['You wrote [^r1].'], false).text).toBe('You wrote [^r1].');
  });

  test('after a code mark that is never closed are found in the next paragraph', () => {
    expect(scan(['A ` sign.\n\nCart is in Go.[^r1]']).marks).toEqual(['r1@25']);
  });
});
