import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countCharacters, createTokenRatios } from './token-ratio.ts';

describe('tokens of a character', () => {
  test('are estimated at first, and move to what a model reports, for that model alone', () => {
    const ratios = createTokenRatios();
    expect(ratios.of('a')).toBe(0.3);
    ratios.correct('a', 10_000, 4_000);
    expect(ratios.of('a')).toBe(0.32);
    for (let turn = 0; turn < 30; turn += 1) ratios.correct('a', 10_000, 4_000);
    expect([ratios.of('a'), ratios.of('b')]).toEqual([0.4, 0.3]);
  });

  test('stay between 0.2 and 0.6 whatever is reported', () => {
    const report = fc.record({ characters: fc.integer({ min: 0 }), tokens: fc.integer() });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 60 }), (reports) => {
        const ratios = createTokenRatios();
        for (const { characters, tokens } of reports) ratios.correct('a', characters, tokens);
        expect(ratios.of('a')).toBeGreaterThanOrEqual(0.2);
        expect(ratios.of('a')).toBeLessThanOrEqual(0.6);
      }),
    );
    const ratios = createTokenRatios();
    for (let turn = 0; turn < 60; turn += 1) ratios.correct('high', 2_000, 1e9);
    for (let turn = 0; turn < 60; turn += 1) ratios.correct('low', 1e9, 1);
    expect([ratios.of('high'), ratios.of('low')]).toEqual([0.6, 0.2]);
  });

  test('are not learned from a short prompt, nor from a report of nothing', () => {
    const ratios = createTokenRatios();
    ratios.correct('a', 100, 60);
    ratios.correct('a', 10_000, 0);
    expect(ratios.of('a')).toBe(0.3);
  });
});

test('characters of a prompt are those of all its texts, tool results and tools', () => {
  const tools = [{ type: 'function', name: 'look', description: 'x', inputSchema: {} }] as const;
  const count = countCharacters(
    [
      { role: 'system', content: 'abc' },
      { role: 'user', content: [{ type: 'text', text: 'de' }] },
    ],
    [...tools],
  );
  expect(count).toBeGreaterThanOrEqual(5 + JSON.stringify(tools).length);
  expect(count).toBeLessThan(20 + JSON.stringify(tools).length);
});
