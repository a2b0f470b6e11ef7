import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const screens = [
  '/',
  '/catalog/service',
  '/e/service/rate-engine',
  '/self-service',
  '/builder/data-model',
  '/builder/audit',
  '/builder/sources',
  '/ai',
  '/me/preferences',
];

const attribute = (page: Page, name: string) => page.locator('html').getAttribute(name);

test('German is chosen under Preferences, stays, and is left again', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/me/preferences');
    await signIn(page, product);
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    expect([await attribute(page, 'lang'), await attribute(page, 'dir')]).toEqual(['de', 'ltr']);

    await page.goto('/catalog/service');
    await page
      .getByRole('grid')
      .getByText(/^(vor \d+|gerade eben)/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Spalten' }).waitFor();
    await page.goto('/me/preferences');
    await page.getByRole('radio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Preferences', level: 1 }).waitFor();
    expect(await attribute(page, 'lang')).toBe('en');
  }));

test('a browser in German shows the sign-in in German', () =>
  visit(browser, product, { ...wide, locale: 'de-AT' }, async ({ page }) => {
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
    expect(await page.evaluate<string>('new Intl.NumberFormat(document.documentElement.lang).format(1.5)')).toBe('1,5');
  }));

for (const [size, name] of [
  [wide, 'wide'],
  [narrow, 'narrow'],
] as const) {
  test(`from right to left, longer words fit and nothing is cut off, ${name}`, { timeout: 120_000 }, () =>
    visit(browser, product, size, async ({ page }) => {
      await page.goto('/me/preferences');
      await signIn(page, product);
      await page.evaluate("localStorage.setItem('portolan-language', 'ar-XB')");
      for (const path of screens) {
        await page.goto(path);
        await page.locator('main h1').waitFor();
        await settled(page);
        expect([path, await attribute(page, 'dir')]).toEqual([path, 'rtl']);
        expect([path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([path, 0]);
        expect(await seriousFindings(page), path).toEqual([]);
      }
      await page.evaluate("localStorage.removeItem('portolan-language')");
    }),
  );
}
