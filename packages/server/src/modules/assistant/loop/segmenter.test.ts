import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmenter, sentenceCharactersMin, sentenceMs } from './segmenter.ts';

/** No time passes between two pieces unless `pauseMs` is given. */
function collectSegments(text: string, size = 7, pauseMs = 0): string[] {
  let ms = 0;
  const segmenter = createSegmenter(() => ms);
  const segments: string[] = [];
  for (let start = 0; start < text.length; start += size) {
    ms += pauseMs;
    segments.push(...(segmenter.push(text.slice(start, start + size)) ?? []));
  }
  const last = segmenter.end();
  return last === undefined ? segments : [...segments, last];
}

const paragraph = 'word '.repeat(45).trim();

describe('a text', () => {
  test('is cut after blank lines, which stay with the segment before', () => {
    expect(collectSegments(`${paragraph}\n\n\n${paragraph}\n\nend`)).toEqual([
      `${paragraph}\n\n\n`,
      `${paragraph}\n\n`,
      'end',
    ]);
  });

  test('is not cut before 200 characters', () => {
    expect(collectSegments('short\n\nshort\n\nshort')).toHaveLength(1);
  });

  test('is not cut inside a fence', () => {
    const code = `${paragraph}\n\`\`\`yaml\na: 1\n\n${paragraph}\n\nb: 2\n\`\`\`\n\n`;
    expect(collectSegments(`${code}${paragraph}`)).toEqual([code, paragraph]);
  });

  test('may hold a shorter fence inside a longer one', () => {
    const code = `${paragraph}\n\`\`\`\`md\n\`\`\`\n\n${paragraph}\n\`\`\`\`\n\n`;
    expect(collectSegments(`${code}${paragraph}`)).toEqual([code, paragraph]);
  });

  test.each(['{', '[', '```json\n', ' \n{', '~~~\n', '`', '``'])('that starts with %j', (start) => {
    const text = `${start}${paragraph}\n\n${paragraph}\n\n${paragraph}`;
    expect(collectSegments(text, 1)).toHaveLength(start.includes('`') && start.length < 3 ? 3 : 1);
  });

  test('that is empty has no segment', () => {
    expect(collectSegments('')).toEqual([]);
  });
});

describe('prose', () => {
  const first = 'The service shop is owned by the team Payments, and runs. ';
  const second = 'It was deployed today by Ines Duarte, with version 3.2 of it. ';
  test('is cut after its sentences, and the blank stays with the sentence before', () => {
    expect(collectSegments(`${first}${second}Done`)).toEqual([first, second, 'Done']);
  });
  test.each([
    ['a short sentence', 'Yes. It is so. And this is the rest of what is to be said here'],
    ['an abbreviation', 'The services that were looked at, e.g. shop and cart, are fine'],
    ['a heading', `# ${first}Heading goes on`],
    ['a table', `| ${first}| ${second}|`],
    ['a table without its first bar', `${first.trim()} | ${second}`],
    ['open emphasis', `The team says: **${first}${second}and more**`],
    ['open code', `The answer is \`${first}${second}\``],
    ['a link', `[${first}${second}](https://example.com)`],
    ['a bracket', `(${first}${second})`],
    ['indented code', `    ${first}${second}`],
    ['a quotation', `> ${first}${second}`],
  ])('is not cut within %s', (_, text) => {
    expect(collectSegments(text)).toEqual([text]);
    for (const segment of collectSegments(text, 7, sentenceMs).slice(0, -1)) expect(text).toContain(segment);
  });
  test('is cut after marks that are closed, and in items of a list', () => {
    const marked = 'The *service* `shop_cart` of **Payments** [here](https://x.io/a_b) is fine. ';
    expect(collectSegments(`${marked}Done`)).toEqual([marked, 'Done']);
    const item = '- The service shop is owned by the team Payments. ';
    expect(collectSegments(`${item}It runs.\n* ${first}End`)).toEqual([item, `It runs.\n* ${first}`, 'End']);
  });
  test('does not wait longer than 400 ms for the end of a sentence', () => {
    const slow = 'one two three four five six';
    expect(collectSegments(slow, 4, sentenceMs / 2)).toEqual(['one two ', 'three four ', 'five ', 'six']);
    expect(collectSegments('**one two three four** five six', 4, sentenceMs)[0]).toBe('**one two three four** ');
    expect(collectSegments('{"a": "one two three"}', 4, sentenceMs)).toHaveLength(1);
  });
});

test('segments joined are the text, whatever the pieces it came in, and only the last is short', () => {
  const line = fc.oneof(fc.constantFrom('', ' ', '```', '~~~', '````', '{', '- item'), fc.string({ maxLength: 120 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (lines, size) => {
      const text = lines.join('\n');
      const segments = collectSegments(text, size);
      expect(segments.join('')).toBe(text);
      for (const segment of segments.slice(0, -1)) expect(segment.length).toBeGreaterThanOrEqual(sentenceCharactersMin);
      if (/^\s*([{[]|```|~~~)/.test(text)) expect(segments).toHaveLength(1);
      expect(segments).toEqual(collectSegments(text, 1));
    }),
    { numRuns: 300 },
  );
});
