import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

let browser: Browser;
let product: Product;

withProduct((opened) => {
  ({ browser, product } = opened);
});

test('evaluation is set up, asked and looked into, without leaving the portal', async () => {
  await visit(browser, product, { viewport: { width: 1440, height: 900 } }, async ({ page }) => {
    await page.goto('/ai/evaluation');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Set up evaluation' }).click();
    await page.getByRole('radio', { name: 'Cases' }).check({ force: true });
    await page.getByRole('link', { name: 'Number of services' }).waitFor();
    await page.getByRole('button', { name: 'Ask the cases' }).click();
    await page.getByRole('button', { name: 'Ask 3 questions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Evaluation of 3 cases' }).waitFor({ timeout: 30_000 });
    await page.getByText('3 of 3 (100 %)').waitFor();
    await page.getByRole('button', { name: 'number-of-services' }).click();
    const opened = page.getByRole('region', { name: 'Case number-of-services' });
    await opened.getByText('How many services are there?').waitFor();
    await opened.getByRole('link', { name: 'Transcript' }).click();
    await page.getByRole('link', { name: 'Keep as a case' }).click();
    await page.getByRole('heading', { level: 1, name: 'New case' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('How many services are there?');
    expect(await seriousFindings(page)).toEqual([]);
  });
});
