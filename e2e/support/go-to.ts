import type { Page } from 'playwright-core';

/** An address of no screen: whatever is shown after it has been drawn for its own address. */
const between = '/between-screens';

/** The router hears of it as of a link. What is settled is told by resources, of which a browser counts 250 by itself. */
const follow = (path: string): string => `(() => {
  performance.setResourceTimingBufferSize(100_000);
  window.arrivedAt = performance.now();
  history.pushState({}, '', ${JSON.stringify(path)});
})()`;

/**
 * To another screen of the portal that is loaded, as a link leads there. Loading the portal anew for each screen takes
 * several times as long. What was read before is still known to the portal.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(follow(between));
  await page.getByRole('heading', { name: 'There is nothing here', level: 1 }).waitFor();
  await page.evaluate('document.querySelector("h1").dataset.between = "yes"');
  await page.evaluate(follow(path));
  await page.locator('[data-between]').waitFor({ state: 'detached' });
  await page.evaluate('window.arrivedAt = performance.now()');
}
