import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmenter, segmentCharactersMin } from './segmenter.ts';

function segmentsOf(text: string, size = 7): string[] {
  const segmenter = createSegmenter();
  const segments: string[] = [];
  for (let start = 0; start < text.length; start += size)
    segments.push(...(segmenter.push(text.slice(start, start + size)) ?? []));
  const last = segmenter.end();
  return last === undefined ? segments : [...segments, last];
}

const paragraph = 'word '.repeat(45).trim();

describe('a text', () => {
  test('is cut after blank lines, which stay with the segment before', () => {
    expect(segmentsOf(`${paragraph}\n\n\n${paragraph}\n\nend`)).toEqual([
      `${paragraph}\n\n\n`,
      `${paragraph}\n\n`,
      'end',
    ]);
  });

  test('is not cut before 200 characters', () => {
    expect(segmentsOf('short\n\nshort\n\nshort')).toHaveLength(1);
  });

  test('is not cut inside a fence', () => {
    const code = `${paragraph}\n\`\`\`yaml\na: 1\n\n${paragraph}\n\nb: 2\n\`\`\`\n\n`;
    expect(segmentsOf(`${code}${paragraph}`)).toEqual([code, paragraph]);
  });

  test('may hold a shorter fence inside a longer one', () => {
    const code = `${paragraph}\n\`\`\`\`md\n\`\`\`\n\n${paragraph}\n\`\`\`\`\n\n`;
    expect(segmentsOf(`${code}${paragraph}`)).toEqual([code, paragraph]);
  });

  test.each(['{', '[', '```json\n', ' \n{', '~~~\n', '`', '``'])('that starts with %j', (start) => {
    const text = `${start}${paragraph}\n\n${paragraph}\n\n${paragraph}`;
    expect(segmentsOf(text, 1)).toHaveLength(start.includes('`') && start.length < 3 ? 3 : 1);
  });

  test('that is empty has no segment', () => {
    expect(segmentsOf('')).toEqual([]);
  });
});

test('segments joined are the text, whatever the pieces it came in, and only the last is short', () => {
  const line = fc.oneof(fc.constantFrom('', ' ', '```', '~~~', '````', '{', '- item'), fc.string({ maxLength: 120 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (lines, size) => {
      const text = lines.join('\n');
      const segments = segmentsOf(text, size);
      expect(segments.join('')).toBe(text);
      for (const segment of segments.slice(0, -1)) expect(segment.length).toBeGreaterThanOrEqual(segmentCharactersMin);
      if (/^\s*([{[]|```|~~~)/.test(text)) expect(segments).toHaveLength(1);
      expect(segments).toEqual(segmentsOf(text, 1));
    }),
    { numRuns: 300 },
  );
});
