import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { firstScreens, type PageWeight, weighPage } from './support/page-weight.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

let browser: Browser;
let product: Product;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  context = await browser.newContext({ baseURL: product.address, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto('/');
  await signIn(page, product);
  // what changed up to three seconds before a page began to read is told to it, and read again
  await page.waitForTimeout(4_000);
  await page.close();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const most = { requests: 24, bytes: 300 * 1024, code: 250 * 1024 };

test.each(firstScreens)('$name comes in few files, reads at once and moves nothing', async ({ path, useful }) => {
  const weight: PageWeight = await weighPage(context, path, useful);
  const told = `${weight.urls.join('\n')}\n${weight.moved.join('\n')}`;
  expect(weight.requests, told).toBeLessThanOrEqual(most.requests);
  expect(weight.bytes, told).toBeLessThanOrEqual(most.bytes);
  expect(weight.codeBytes, told).toBeLessThanOrEqual(most.code);
  expect(weight.shift, told).toBeLessThan(0.005);
  // what came with the first answer is not asked for again
  const asked = weight.urls.filter((url) =>
    /\/v1\/(me\/favorites|sidebars|pages|checklist|blueprints$|teams|organization$)/.test(url),
  );
  expect(asked, told).toEqual([]);
});

test('letters typed right after the shortcut are all in the field, from a cold load', async () => {
  for (let run = 0; run < 5; run += 1) {
    const page = await context.newPage();
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    // also before there is anything to see
    if (run % 2 === 0) await page.getByRole('button', { name: /^User menu/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rate engine', { delay: 20 });
    const field = page.getByRole('combobox', { name: /^Search/ });
    await field.waitFor();
    expect(await field.inputValue()).toBe('rate engine');
    await page.close();
  }
});

test('the palette puts the exact title first, and acts on the entity that is selected', async () => {
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rate engine');
  await page.getByRole('option', { name: /service · rate-engine/ }).waitFor();
  expect(await page.getByRole('option').first().textContent()).toContain('Rate Engine');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('combobox', { name: 'Actions on Rate Engine' }).waitFor();
  await page.getByRole('option', { name: 'Show owner' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('combobox', { name: /^Search/ }).waitFor();
  await page.keyboard.type('rate engine');
  await page.getByRole('option', { name: /service · rate-engine/ }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('option', { name: 'Ask about it' }).waitFor();
  await page.keyboard.type('open');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Rate Engine', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor({ state: 'hidden' });
  await page.close();
});
