import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const screen = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let ask: Ask;

withProduct((opened) => {
  ({ browser, product, ask } = opened);
});

const path = '/blueprints/service/entities/rate-engine';

test('an entity is walked back through its changes by keyboard, and left for now', () =>
  visit(browser, product, screen, async ({ page, picture }) => {
    await ask('PATCH', path, { title: 'Rate engine, renamed' });
    await page.goto('/e/service/rate-engine');
    await signIn(page, product);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page
      .getByRole('status')
      .getByText(/^As it was on/)
      .waitFor();
    await page.getByRole('button', { name: 'Before this change' }).and(page.locator(':enabled')).waitFor();
    await page.locator('main').press('[');
    const title = page.getByRole('row', { name: /^Title/ });
    await title.getByText('different now').waitFor();
    expect(await title.textContent()).toContain('Now: Rate engine, renamed');
    expect(new URL(page.url()).searchParams.get('as_of')).toBeTruthy();
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
    await picture('time-travel-entity');
    await page.goBack();
    await page.getByText('different now').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  }));

test('a table of a moment has what was deleted since, and leads to it', () =>
  visit(browser, product, screen, async ({ page, picture, complaints }) => {
    const made = await ask('POST', '/blueprints/service/entities', {
      identifier: 'short-lived',
      title: 'Short lived',
      properties: { language: 'Go', lifecycle: 'production' },
      relations: { domain: 'billing' },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const then = new Date().toISOString();
    await ask('DELETE', '/blueprints/service/entities/short-lived');
    await page.goto('/e/service/rate-engine');
    await signIn(page, product);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await page.locator('main a[href^="/catalog/"]').first().click();
    await page.getByRole('button', { name: 'As of', exact: true }).click();
    await page
      .getByRole('status')
      .getByText(/^As it was on/)
      .waitFor();
    const address = new URL(page.url());
    address.searchParams.set('as_of', then);
    await page.goto(`${address.pathname}${address.search}`);
    const more = page.getByRole('button', { name: 'Show more' });
    const link = page.getByRole('link', { name: 'Short lived' });
    await link.or(more).first().waitFor();
    while ((await link.count()) === 0) await more.click();
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
    await picture('time-travel-table');
    await link.click();
    await page.getByText('The entity was deleted since.').waitFor();
    // it is compared with the entity of now, which is gone
    expect(complaints.filter((each) => !/404/.test(each))).toEqual([]);
    (complaints as string[]).length = 0;
  }));

test('the past fits a phone', () =>
  visit(browser, product, phone, async ({ page }) => {
    await page.goto(`/e/service/rate-engine?as_of=${new Date().toISOString()}`);
    await signIn(page, product);
    await page.getByRole('row', { name: /^Title/ }).waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
  }));
