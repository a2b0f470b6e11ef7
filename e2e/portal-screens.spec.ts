import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colourRules, seriousFindings } from './support/axe.ts';
import { keepPicture, launchBrowser, watch } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { inspect } from './support/inspect-screens.ts';
import { type Product, startProduct } from './support/product.ts';
import { examples, fillAddress, findPlaces, furtherAddresses } from './support/screens.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { walkInTabs } from './support/walk-in-tabs.ts';

/** A walk over all screens is many journeys. */
const walkMs = 600_000;
/** The thing of this address is nowhere, which the browser complains about. */
const unknownThings = ['/builder/connectors/gallery'];

let browser: Browser;
let product: Product;
let addresses: readonly string[];

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  const places = await findPlaces(product);
  addresses = [...Object.values(examples).map((example) => fillAddress(places, example)), ...furtherAddresses];
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Goes to every screen as an administrator, and answers what is wrong with them. */
async function walk(options: BrowserContextOptions, look: (page: Page) => Promise<readonly string[]>) {
  const context = await browser.newContext({ baseURL: product.address, reducedMotion: 'reduce', ...options });
  const first = await context.newPage();
  await first.goto('/sign-in');
  await signIn(first, product);
  await first.close();
  const problems: string[] = [];
  const loaded = new WeakSet<Page>();
  const visitOne = async (page: Page, address: string) => {
    const complaints = watch(page, product.address);
    try {
      if (loaded.has(page)) await goTo(page, address);
      else await page.goto(address);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      loaded.add(page);
      await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 10_000 }).toBe(0);
      await settled(page);
      problems.push(...(await look(page)).map((each) => `${address}: ${each}`));
    } catch (error) {
      loaded.delete(page);
      problems.push(`${address}: ${(error as Error).message.split('\n')[0]}`);
    }
    if (!unknownThings.includes(address)) problems.push(...complaints.map((each) => `${address}: ${each}`));
    await keepPicture(page, `screen${address.replaceAll(/[^a-z0-9]+/gi, '-')}-${options.viewport?.width}`);
  };
  await walkInTabs(context, addresses, visitOne, { keepsPage: true });
  await context.close();
  return problems;
}

/** Shows the portal as it is for somebody whose system asks for other colours, once it has heard of it. */
async function askForColours(page: Page, colorScheme: 'light' | 'dark', contrast: 'more' | 'no-preference') {
  await page.emulateMedia({ colorScheme, contrast });
  const strong = contrast === 'more' ? '[data-contrast=more]' : ':not([data-contrast])';
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]${strong}`).waitFor({ state: 'attached' });
}

test('every screen can be read and used, light or in strong contrast, wide', { timeout: walkMs }, async () => {
  const problems = await walk({ viewport: { width: 1360, height: 850 } }, async (page) => {
    const found = await inspect(page);
    await askForColours(page, 'dark', 'more');
    found.push(...(await seriousFindings(page, colourRules)).map((each) => `in strong contrast: ${each}`));
    await askForColours(page, 'light', 'no-preference');
    return found;
  });
  expect(problems).toEqual([]);
});

test('every screen can be read and used, dark and at 360 pixels', { timeout: walkMs }, async () => {
  const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  expect(await walk(options, inspect)).toEqual([]);
});
