import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askAs } from './support/api.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };

let browser: Browser;
let product: Product;
let api: Ask;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  api = await askAs(product);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** For journeys on which the server refuses something: refusals are complaints on the others. */
async function signedIn(path: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto(path);
  await signIn(page, product);
  return { context, page };
}

test('a table is searched, sorted, grouped and exported, and the address holds the view', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/service');
    await signIn(page, product);
    await page.getByText('8 of 18 services').waitFor();
    await page.getByRole('button', { name: /^Remove the filter Tags/ }).click();
    await page.getByText('18 services', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Title', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    const rows = page.getByRole('row');
    await rows.nth(1).getByText('Customer Portal').waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toContain('"order":"asc"');

    await page.reload();
    await rows.nth(1).getByText('Customer Portal').waitFor();
    await page.getByRole('textbox', { name: 'Search in Services' }).fill('tracking');
    await page.getByText('1 of 18 services').waitFor();
    await page.getByRole('button', { name: 'Export Services' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(2);
    expect(csv).toContain('shipment-tracking,Shipment Tracking,tracking-visibility');

    await page.getByRole('textbox', { name: 'Search in Services' }).fill('');
    await page.getByRole('button', { name: 'Group by' }).click();
    await page.getByRole('menuitemradio', { name: 'Lifecycle' }).click();
    await page.getByRole('group').filter({ hasText: 'production' }).getByText('12', { exact: true }).waitFor();
  }));

test('an entity is created, refused at its field, edited beside somebody else, deleted and brought back', async () => {
  const { context, page } = await signedIn('/new/service');
  await page.getByRole('heading', { name: 'New service', level: 1 }).waitFor();
  await page.getByLabel('Identifier').fill('journey');
  await page.getByLabel('Title').fill('Journey');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Language is required').waitFor();
  await page.getByRole('combobox', { name: 'Language' }).click();
  await page.getByRole('option', { name: 'Rust' }).click();
  await page.getByRole('combobox', { name: 'Lifecycle' }).click();
  await page.getByRole('option', { name: 'beta' }).click();
  await page.getByRole('combobox', { name: 'Domain' }).fill('Rout');
  await page.getByRole('option', { name: 'Routing' }).click();
  await page.getByRole('combobox', { name: 'Owning Teams' }).click();
  await page.getByRole('option', { name: 'Developer Platform' }).click();
  await page.getByLabel('Availability promise').fill('often');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText(/^Availability promise must match/).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('Journey');
  await page.getByLabel('Availability promise').fill('99%');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Journey', level: 1 }).waitFor();
  const made = (await api('GET', '/blueprints/service/entities/journey')).body as { entity: { team: string[] } };
  expect(made.entity.team).toEqual(['developer-platform']);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Version').fill('mine');
  await api('PATCH', '/blueprints/service/entities/journey', { properties: { summary: 'theirs' } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Changed meanwhile/).waitFor();
  await page.getByRole('button', { name: 'Take theirs, and keep my changes' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Journey was saved').waitFor();
  const merged = (await api('GET', '/blueprints/service/entities/journey')).body as { entity: { properties: object } };
  expect(merged.entity.properties).toMatchObject({ version: 'mine', summary: 'theirs', sla: '99%' });

  await page.getByRole('button', { name: /^What can be done with Journey/ }).click();
  await page.getByRole('menuitem', { name: 'Delete Journey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Journey was deleted').waitFor();
  expect((await api('GET', '/blueprints/service/entities/journey')).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await api('GET', '/blueprints/service/entities/journey')).status).toBe(200);

  await api('DELETE', '/blueprints/service/entities/journey');
  await page.goto('/e/service/journey');
  await page.getByText('journey was deleted').waitFor();
  await context.close();
}, 90_000);

test('a cell is changed where it stands, and back', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/e/service/route-planner');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Edit Last build of Route Planner' }).click();
    await page.getByRole('textbox', { name: 'Last build' }).fill('journey-build');
    await page.getByRole('textbox', { name: 'Last build' }).press('Enter');
    await page.getByText('journey-build', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('journey-build', { exact: true }).waitFor({ state: 'hidden' });
  }));

test('what people write runs nothing and leads to nothing but the web', async () => {
  const hostile = {
    identifier: 'hostile',
    title: '<img src=x onerror="window.hurt=1">',
    properties: {
      language: 'Go',
      lifecycle: 'beta',
      summary: '<script>window.hurt=1</script>',
      chat: { url: 'javascript:window.hurt=1', displayText: 'click' },
      tags: ['<b>x</b>'],
    },
    relations: { domain: 'routing' },
  };
  const made = await api('POST', '/blueprints/service/entities', hostile);
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  await visit(browser, product, wide, async ({ page }) => {
    for (const path of [
      '/e/service/hostile',
      '/e/service/hostile/audit',
      '/catalog/service?view=%7B%22filter%22%3Anull%7D',
    ]) {
      await page.goto(path);
      if (path === '/e/service/hostile') await signIn(page, product);
      await page.getByText(hostile.title).first().waitFor();
      await settled(page);
      expect(await page.evaluate('window.hurt')).toBeUndefined();
      expect(await page.locator('a[href^="javascript"], main img').count()).toBe(0);
    }
  });
  await api('DELETE', '/blueprints/service/entities/hostile');
});

test('an agent on the home page answers while it works', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    const ask = page.getByRole('region', { name: 'Ask about our services' });
    await ask.getByLabel('Your question').fill('Which services have no owner?');
    await ask.getByLabel('Your question').press('Enter');
    await ask.getByText('The answer is complete.').waitFor();
    expect((await ask.getByRole('region', { name: 'Answer' }).textContent())?.length).toBeGreaterThan(20);
  }));
