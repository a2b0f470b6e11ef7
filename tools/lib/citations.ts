import type { SourceFile } from './source-files.ts';

/** The pages that sources cite by the numbers of their headings, by the name that comments use. */
export const citedPages: Readonly<Record<string, string>> = {
  'api contract': 'docs/reference/api-contract.md',
  'assistant reference': 'docs/reference/assistant.md',
  'catalog semantics': 'docs/reference/catalog-semantics.md',
  'users-and-teams': 'docs/reference/users-and-teams.md',
};
/** Cited by the words of its headings: `compatibility choices, Drafts`. */
export const choicesPage = 'docs/reference/compatibility-choices.md';

/** What citations may lead to. */
export interface CitablePages {
  /** Texts of the headings of each page, by path. */
  readonly headings: ReadonlyMap<string, readonly string[]>;
  /** The four digits of every decision record. */
  readonly decisions: ReadonlySet<string>;
}

const outside = /(?:\b(?:RFC \d+|JSON-RPC 2\.0)|\bMCP \d{4}-\d{2}-\d{2},(?: [\w ]+)?) $/;
/** Parts of the MCP specification, whose sections have names instead of numbers. */
const partOfMcp = /\b(?:Base protocol|Lifecycle|Streamable HTTP|Tools|Transports|Versioning) $/;
const pageName = new RegExp(`\\b(${Object.keys(citedPages).join('|')}) $`);
/** What may stand between two sections of one citation: `§4, §5 and the checklist of §7`. */
const sameCitation = /^[^().;:]{1,25}$/;

/** Citations that lead nowhere: to a page, section or decision that is not there, or to a section of no page. */
export function citationFindings({ path, text }: SourceFile, citable: CitablePages): string[] {
  const joined = text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|--)?[ \t]*/g, ' ');
  return [
    ...sectionFindings(joined, citable),
    ...choiceFindings(joined, citable),
    ...decisionFindings(joined, citable),
  ].map((finding) => `${path}: ${finding}`);
}

function sectionFindings(text: string, { headings }: CitablePages): string[] {
  const findings: string[] = [];
  let last: { readonly end: number; readonly page: string | undefined } | undefined;
  for (const { 0: section, index } of text.matchAll(/§(?:\d+(?:\.\d+)*|\w*)/g)) {
    const before = text.slice(Math.max(0, index - 80), index);
    const named = pageName.exec(before)?.[1];
    const goesOn = last !== undefined && sameCitation.test(text.slice(last.end, index));
    const isOutside = outside.test(before) || partOfMcp.test(before);
    if (named === undefined && !isOutside && !goesOn) {
      findings.push(`"${section}" names no page: write the name of one before it`);
      continue;
    }
    const page = named === undefined ? (isOutside ? undefined : last?.page) : citedPages[named];
    last = { end: index + section.length, page };
    if (page === undefined) continue;
    const number = section.slice(1);
    const isThere = headings.get(page)?.some((heading) => heading.split(' ')[0]?.replace(/\.$/, '') === number);
    if (!isThere) findings.push(`"${section}" is no heading of ${page}`);
  }
  return findings;
}

function choiceFindings(text: string, { headings }: CitablePages): string[] {
  const known = headings.get(choicesPage) ?? [];
  return [...text.matchAll(/\bcompatibility choices, ([^);.]*)/g)].flatMap(([, cited = '']) =>
    known.some((heading) => cited.startsWith(heading)) ? [] : [`"${cited}" is no heading of ${choicesPage}`],
  );
}

function decisionFindings(text: string, { decisions }: CitablePages): string[] {
  return [...text.matchAll(/\bdecisions? (\d{4}(?:(?:, | and )\d{4})*)/g)].flatMap(([, numbers = '']) =>
    (numbers.match(/\d{4}/g) ?? [])
      .filter((number) => !decisions.has(number))
      .map((number) => `there is no decision ${number}`),
  );
}
