import type { Page } from 'playwright-core';

const quiet = `(() => {
  const last = Math.max(window.arrivedAt ?? 0, ...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd));
  return performance.now() - last > 500 && !document.querySelector('[aria-busy=true]');
})()`;
const withinMs = 30_000;

/**
 * Nothing that a screen shows is on its way any more. The stream of changes stays open, so that the network is never
 * idle: what counts is that no answer came for a while and nothing says it is busy.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const deadline = Date.now() + withinMs;
  while (!(await page.evaluate<boolean>(quiet))) {
    if (Date.now() > deadline) throw new Error(`${page.url()} did not settle within ${withinMs} ms`);
    await page.waitForTimeout(100);
  }
}
