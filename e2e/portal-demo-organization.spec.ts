import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };

let browser: Browser;
let product: Product;

// each try begins with an empty organization
beforeEach(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct({ PORTOLAN_DEMO: '0' })]);
});

afterEach(async () => {
  await browser?.close();
  await product?.stop();
});

test('from an empty organization: add the demo, look at it, go back, and remove it', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Add the demo' }).click();

    const bar = page.getByRole('region', { name: 'Demo organization' });
    await bar.getByText('This is the demo organization, with invented data.').waitFor();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture('demo-organization');
    await page.goto('/e/service/geo.tiles');
    await page.getByRole('heading', { name: 'Map Tiles', level: 1 }).waitFor();

    await bar.getByRole('button', { name: 'Go to yours' }).click();
    await page.getByRole('heading', { name: 'Bring in what you have', level: 1 }).waitFor();
    await page.getByText('0 of 11 done').waitFor();
    expect(await bar.count()).toBe(0);

    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Switch to Halyard Freight' }).click();
    await bar.getByRole('button', { name: 'Remove it' }).click();
    const question = page.getByRole('dialog', { name: 'Remove Halyard Freight' });
    expect(await question.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
    await question.getByRole('textbox', { name: 'Type Halyard Freight to go on' }).fill('Halyard Freight');
    expect(await seriousFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Bring in what you have', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add the demo' }).waitFor();
  }));
