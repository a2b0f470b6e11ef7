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
/** Something of these screens is nowhere, which the browser complains about. */
const withUnknown = /^\/(builder\/connectors\/gallery|ai\/invocations\/.+)$/;
/** Those that people see most. */
const inContrast = [
  '/',
  '/catalog',
  '/catalog/service',
  '/e/service/sanctions-screening',
  '/self-service',
  '/self-service/create_sandbox',
  '/self-service/retire_service',
  '/runs',
  '/approvals',
  '/workflows',
  '/workflows/new?template=scaffold',
  '/workflow-runs',
  '/ai',
  '/ai/agents',
  '/ai/agents/service_guide',
  '/ai/new-agent',
  '/ai/evaluation',
  '/ai/invocations',
  '/ai/usage',
  '/me/credentials',
  '/me/connected-apps',
  '/me/memory',
  '/me/preferences',
];

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
async function walk(
  wanted: readonly string[],
  theme: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<readonly string[]>,
): Promise<string[]> {
  const context = await browser.newContext({ baseURL: product.address, reducedMotion: 'reduce', ...options });
  await context.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
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
      await settled(page);
      problems.push(...(await look(page)).map((each) => `${address}: ${each}`));
    } catch (error) {
      loaded.delete(page);
      problems.push(`${address}: ${(error as Error).message.split('\n')[0]}`);
    }
    if (!withUnknown.test(address)) problems.push(...complaints.map((each) => `${address}: ${each}`));
    await keepPicture(page, `screen${address.replaceAll(/[^a-z0-9]+/gi, '-')}-${theme}`);
  };
  await walkInTabs(context, wanted, visitOne, { keepsPage: true });
  await context.close();
  return problems;
}

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

test('every screen can be read and used, light and wide', { timeout: walkMs }, async () => {
  expect(await walk(addresses, 'light', wide, inspect)).toEqual([]);
});

test('every screen can be read and used, dark and at 360 pixels', { timeout: walkMs }, async () => {
  expect(await walk(addresses, 'dark', narrow, inspect)).toEqual([]);
});

// what it shows is what it shows in the light: only the colours are others
test('the screens that people see most can be read in strong contrast', { timeout: walkMs }, async () => {
  expect(await walk(inContrast, 'contrast', wide, (page) => seriousFindings(page, colourRules))).toEqual([]);
});
