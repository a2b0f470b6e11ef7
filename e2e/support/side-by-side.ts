import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const windows = 4;

/**
 * Contexts with the session of one, for pages that are walked at the same time: each has a window of its own. Of several
 * tabs in one window Chromium draws all but one once a second.
 */
export async function openWindows(of: BrowserContext, options: BrowserContextOptions): Promise<BrowserContext[]> {
  const browser = of.browser();
  if (!browser) throw new Error('The context has no browser');
  const storageState = await of.storageState();
  return Promise.all(Array.from({ length: windows }, () => browser.newContext({ ...options, storageState })));
}

/**
 * Works through a list in as many windows at once as there are contexts.
 * @param keepsPage one page of a window is used for all its items, with nobody listening to it any more.
 */
export async function workThrough<Item>(
  contexts: readonly BrowserContext[],
  items: readonly Item[],
  work: (page: Page, item: Item) => Promise<void>,
  { keepsPage = false } = {},
): Promise<void> {
  const waiting = [...items];
  const walk = async (context: BrowserContext) => {
    let page: Page | undefined;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      page ??= await context.newPage();
      page.setDefaultTimeout(15_000);
      await work(page, next);
      if (keepsPage) await page.removeAllListeners(undefined, { behavior: 'wait' });
      else page = void (await page.close());
    }
  };
  await Promise.all(contexts.map(walk));
  await Promise.all(contexts.map((context) => context.close()));
}
