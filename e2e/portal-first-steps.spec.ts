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

test('an empty organization starts from a model, registers a service, sees what is done, and removes the model', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('heading', { name: 'Bring in what you have', level: 1 }).waitFor();
    await page.getByText('0 of 11 done').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture('first-steps');

    await page.getByRole('link', { name: 'Service catalog' }).click();
    const preview = page.getByRole('dialog', { name: 'Install Service catalog' });
    await preview.getByText('Blueprint “Service”').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await picture('starter-model-preview');
    await preview.getByRole('button', { name: 'Install' }).click();
    await page.getByText('Service catalog is installed').waitFor();
    await preview.waitFor({ state: 'hidden' });
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Self-service' }).first().click();
    await page.getByRole('link', { name: 'Register a service' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Payments API');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('Success').waitFor();

    await page.getByRole('link', { name: 'Home' }).first().click();
    for (const done of ['A model, done', 'First data, done', 'A rule, done', 'An action, done']) {
      await page.getByText(done).waitFor();
    }
    await picture('first-steps-after');
    await page.getByRole('button', { name: 'Show the normal Home' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'First steps' }).click();
    await page.getByRole('heading', { name: 'Bring in what you have', level: 1 }).waitFor();

    await page.goto('/builder/models');
    await page.getByRole('button', { name: 'Remove Service catalog' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove Service catalog' });
    await removal.getByText('It has 1 entity.').waitFor();
    await picture('starter-model-removal');
    expect(await seriousFindings(page)).toEqual([]);
    await removal.getByRole('checkbox', { name: 'Delete it with its entity' }).check();
    await removal.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Service catalog was removed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Preview Service catalog' }).waitFor();
  }));
