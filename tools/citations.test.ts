import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CitablePages, choicesPage, citationFindings, citedPages } from './lib/citations.ts';
import { filesUnder, top } from './lib/source-files.ts';

const pages = [...Object.values(citedPages), choicesPage].map((path) => ({
  path,
  text: readFileSync(join(top, path), 'utf8'),
}));
const citable: CitablePages = {
  headings: new Map(
    pages.map(({ path, text }) => [path, [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)]),
  ),
  decisions: new Set(readdirSync(join(top, 'docs/decisions')).map((name) => name.slice(0, 4))),
};

test('every section, choice and decision that sources cite is there', () => {
  const sources = filesUnder(
    ['packages', 'tools', 'bench', 'e2e'],
    /(?<!\/citations(?:\.test)?)\.(?:tsx?|mjs|sql|md)$/,
  );
  expect(sources.flatMap((file) => citationFindings(file, citable))).toEqual([]);
});

test.each(pages)('$path says its date, its owner and that it is written by hand', ({ text }) => {
  expect(text.split('\n\n')[1]).toMatch(/^\d{4}-\d{2}-\d{2}, kept by the maintainers[^,]*, written by hand\./);
});

describe('a citation', () => {
  const known: CitablePages = {
    headings: new Map([
      ['docs/reference/api-contract.md', ['1. Conventions', '1.4 Refusals']],
      [choicesPage, ['Drafts', 'People and teams']],
    ]),
    decisions: new Set(['0012', '0019']),
  };
  const findingsIn = (text: string) =>
    citationFindings({ path: 'a.ts', text: text.replaceAll('SECTION ', '\u00a7') }, known);

  test.each([
    '/** Codes (api contract SECTION 1.4). */',
    '/**\n * Codes (api contract\n * SECTION 1.4).\n */',
    '-- codes (api contract\n-- SECTION 1.4)',
    '// codes: api contract SECTION 1, SECTION 1.4 and the list of SECTION 1.4',
    '/** Codes (JSON-RPC 2.0 SECTION 4, SECTION 5; RFC 9110 SECTION 5.5). */',
    '/** Versions (MCP 2025-11-25, Lifecycle SECTION Version Negotiation). */',
    '/** Nothing to open (Transports SECTION Listening, SECTION Sessions). */',
    '/** Who decides (compatibility choices, Drafts). */',
    '/** Names (compatibility\n * choices, People and teams; decisions 0012, 0019). */',
  ])('%j resolves', (text) => {
    expect(findingsIn(text)).toEqual([]);
  });

  test.each([
    ['/** Codes (api contract SECTION 1.5). */', 'is no heading'],
    ['/** Codes (api contract\n * SECTION 1.40). */', 'is no heading'],
    ['/** Codes (api contract SECTION 1, SECTION 2). */', 'is no heading'],
    ['/** Codes (SECTION 1.4). */', 'names no page'],
    ['/** Codes (design SECTION 1.4). */', 'names no page'],
    ['/** Codes (api contract SECTION 1.4). Empty ones too (SECTION 1). */', 'names no page'],
    ['/** Who decides (compatibility choices, Draft). */', 'is no heading'],
    ['/** Rights (decisions 0012, 0020). */', 'there is no decision 0020'],
  ])('%j is found', (text, finding) => {
    expect(findingsIn(text)).toEqual([expect.stringContaining(finding)]);
  });
});
