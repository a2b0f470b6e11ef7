import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, savePicture } from './support/browser.ts';
import { comparePicture } from './support/compare-pictures.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

// Small pictures of how screens are laid out, kept beside this file. After a wanted change look at the new ones, which
// PORTOLAN_KEEP_PICTURES=true writes.
const folder = join(import.meta.dirname, 'pictures');
/** Of all blocks: what data of another day moves is below, a panel that is gone or moved far above. */
const shareMax = 0.01;

const screens: Readonly<Record<string, string>> = {
  home: '/',
  table: '/catalog/service',
  dashboard: '/catalog/delivery',
  entity: '/e/service/route-planner',
  'data-model': '/builder/data-model',
  blueprint: '/builder/data-model/service',
  scorecard: '/builder/scorecards/service/production_readiness',
  'self-service': '/self-service',
  'action-form': '/self-service/create_sandbox',
  action: '/builder/actions/create_sandbox',
  users: '/builder/users',
  assistant: '/ai',
};
const looks = [
  ['light', { width: 1440, height: 896 }],
  ['dark', { width: 360, height: 736 }],
] as const;

// The content security policy allows no style of ours.
const hideTimesScript = `(async () => {
  for (const time of document.querySelectorAll('time')) time.style.visibility = 'hidden';
  await document.fonts.ready;
})()`;

let browser: Browser;
let product: Product;
let scratch: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  scratch = await browser.newPage();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

test.each(looks)('twelve screens look as they did: %s', async (theme, viewport) => {
  const context = await browser.newContext({ baseURL: product.address, viewport });
  await context.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
  const page = await openSignedIn(context);
  const different: string[] = [];
  for (const [name, address] of Object.entries(screens)) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
    await page.evaluate(hideTimesScript);
    const kept = join(folder, `${name}-${theme}.png`);
    let { share, at } = await comparePicture(page, scratch, kept);
    // on a slow machine the last part of a screen may come after the last answer
    for (let again = 0; share > shareMax && again < 5; again += 1) {
      await page.waitForTimeout(1_000);
      ({ share, at } = await comparePicture(page, scratch, kept));
    }
    if (share <= shareMax) continue;
    different.push(
      `${name}: ${(100 * share).toFixed(1)} % at ${at}, see ${await savePicture(page, `${name}-${theme}`)}`,
    );
  }
  await context.close();
  expect(different).toEqual([]);
});

async function openSignedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, product);
  return page;
}
