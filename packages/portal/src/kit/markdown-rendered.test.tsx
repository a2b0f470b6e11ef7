import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { MarkdownRendered } from './markdown-rendered.tsx';

function drawn(text: string, writer: 'person' | 'model', isGrowing = false): HTMLElement {
  const element = <MarkdownRendered text={text} writer={writer} isGrowing={isGrowing} />;
  const { container } = render(
    <MantineProvider>
      <main>{element}</main>
    </MantineProvider>,
  );
  return container.querySelector('main') as HTMLElement;
}
const linksOf = (within: HTMLElement) =>
  [...within.querySelectorAll('a')].map((each) => [each.getAttribute('href'), each.getAttribute('rel')]);

describe.each(['person', 'model'] as const)('Markdown of a %s', (writer) => {
  test('leads to the web, to mail and inside the portal alone, and away from here without a trace', () => {
    const bad = ['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example', 'vbscript:x'];
    const text = [...bad, 'https://a.example', 'mailto:a@b.example', '/runs'].map((each) => `[x](${each})`).join(' ');
    expect(linksOf(drawn(text, writer))).toEqual([
      ['https://a.example', 'noopener noreferrer'],
      ['mailto:a@b.example', null],
      ['/runs', null],
    ]);
  });

  test('fetches no picture: a link leads to it', () => {
    const within = drawn(
      '![a cat](https://a.example/c.png) ![](https://a.example/d.png) ![e](data:image/png,x)',
      writer,
    );
    expect(within.querySelectorAll('img')).toHaveLength(0);
    expect(linksOf(within).map(([href]) => href)).toEqual(['https://a.example/c.png', 'https://a.example/d.png']);
    expect(within.textContent).toBe('a cat picture e');
  });

  test('makes no element of HTML', () => {
    const within = drawn(
      'a <b>x</b> <script>alert(1)</script>\n\n<div onclick="x">hi</div>\n\n<iframe src="x"></iframe>',
      writer,
    );
    expect(within.querySelectorAll('b, script, [onclick], iframe')).toHaveLength(0);
    expect(within.textContent?.includes('<script>')).toBe(writer === 'model');
  });

  test('code without a language is a block that keys can scroll, and tables are aligned as written', () => {
    const within = drawn('`in`\n\n```\nlet a\n```\n\n| a |\n| -: |\n| 1 |', writer);
    expect(within.querySelector('pre[tabindex="0"] > code')?.textContent).toBe('let a\n');
    expect(within.querySelector('p > code')?.textContent).toBe('in');
    expect((within.querySelector('td') as HTMLElement).style.textAlign).toBe('right');
  });
});

test('headings of people begin below the title of the screen, those of models are one level', () => {
  const levels = (writer: 'person' | 'model') =>
    [...drawn('# a\n\n## b\n\n#### c', writer).querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => tagName);
  expect([levels('person'), levels('model')]).toEqual([
    ['H2', 'H3', 'H4'],
    ['H3', 'H3', 'H3'],
  ]);
});

test('what is open at the end of a growing text is drawn as closed, and what a person wrote is drawn as it is', () => {
  const unfinished = 'is **very impor';
  expect(drawn(unfinished, 'model', true).querySelector('strong')?.textContent).toBe('very impor');
  expect(drawn(unfinished, 'person').textContent).toBe(unfinished);
  expect(linksOf(drawn('see [the docs](https://exa', 'model', true))).toEqual([]);
});
