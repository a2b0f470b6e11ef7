import type { JqValue } from '@portolan/jq';
import type { PassStart, SourceItem, SourcePage, SourceReader } from '../../src/modules/sources/source-type.ts';

/** What a pass brought, as a ledger would have it. */
export interface Walked {
  readonly items: ReadonlyMap<string, SourceItem>;
  readonly gone: readonly string[];
  readonly problems: readonly string[];
  readonly unread: readonly string[];
  readonly pages: number;
  readonly requests: number;
}

/** Reads all pages, each with a reader of its own: what one process left to the next is the cursor as JSON. */
export async function walk(
  open: () => SourceReader,
  pass: PassStart,
  eachPage?: (page: SourcePage) => void,
): Promise<Walked> {
  const items = new Map<string, SourceItem>();
  const gone: string[] = [];
  const problems: string[] = [];
  const unread: string[] = [];
  let pages = 0;
  let requests = 0;
  for (let cursor: JqValue | null = null; pages === 0 || cursor !== null; pages += 1) {
    const page: SourcePage = await open().readPage(pass, cursor, new AbortController().signal);
    for (const item of page.items) items.set(item.key, item);
    gone.push(...(page.gone ?? []).map(({ key }) => key));
    problems.push(...(page.problems ?? []).map(({ code }) => code));
    unread.push(...(page.unread ?? []));
    requests += page.requests;
    eachPage?.(page);
    cursor = page.next === null ? null : (JSON.parse(JSON.stringify(page.next)) as JqValue);
  }
  return { items, gone, problems, unread, pages, requests };
}
