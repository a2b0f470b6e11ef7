import type { BrowserContext, Page } from 'playwright-core';

const tabs = 4;

/**
 * Works through a list in a few tabs at once. Chromium draws those behind the first once a second, which spares the
 * machine; so nothing that is done there may wait for a frame.
 * @param keepsPage one tab is used for all its items, with nobody listening to it any more; otherwise each has a new one.
 */
export async function walkInTabs<Item>(
  context: BrowserContext,
  items: readonly Item[],
  work: (page: Page, item: Item) => Promise<void>,
  { keepsPage = false } = {},
): Promise<void> {
  const waiting = [...items];
  const openTab = async (): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    return page;
  };
  const walk = async () => {
    let page = await openTab();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await work(page, next);
      if (keepsPage) {
        await page.removeAllListeners(undefined, { behavior: 'wait' });
      } else {
        await page.close();
        page = await openTab();
      }
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: tabs }, walk));
}
