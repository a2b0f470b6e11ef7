import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { signedInAs } from './support/members.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

const areas = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true });
const rail = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true });
const entries = async (page: Page, name: string) =>
  (await rail(page, name).getByRole('link').allTextContents()).map((text) => text.trim());
const isOpen = (summary: { parentElement: { open: boolean } }) => summary.parentElement.open;
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
const inRail = (page: Page) =>
  page.evaluate<boolean>('document.activeElement.closest("nav[aria-label=Pages]") !== null');

test('every screen of AI and Builder is two clicks from Home, and the present area is marked', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    for (const [area, name, some] of [
      ['AI', 'AI', ['Assistant', 'Agents', 'Invocations', 'Usage']],
      [
        'Builder',
        'Builder',
        ['Data model', 'Scorecards', 'Data sources', 'Secrets', 'Users', 'Audit log', 'Organization'],
      ],
    ] as const) {
      await areas(page).getByRole('link', { name: area, exact: true }).click();
      await rail(page, name).waitFor();
      const shown = await entries(page, name);
      expect(shown).toEqual(expect.arrayContaining([...some]));
      for (const entry of shown) {
        await areas(page).getByRole('link', { name: area, exact: true }).click();
        await rail(page, name).getByRole('link', { name: entry, exact: true }).click();
        await page.getByRole('heading', { level: 1 }).waitFor();
        await rail(page, name).locator('[aria-current=page]').getByText(entry, { exact: true }).waitFor();
        expect(await areas(page).locator('[data-present]').textContent()).toBe(area);
      }
    }
    for (const [path, area] of [
      ['/e/service/rate-engine', 'Catalog'],
      ['/self-service/create_sandbox', 'Self-service'],
      ['/', 'Home'],
    ] as const) {
      await page.goto(path);
      await rail(page, 'Pages').getByRole('link', { name: 'Services' }).waitFor();
      expect(await areas(page).locator('[data-present]').textContent()).toBe(area);
    }
  }));

test('the catalog shows every page and type, and what is typed stays in the address', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/catalog');
    await signIn(page, product);
    await page.getByRole('region', { name: 'Types' }).getByRole('link', { name: 'Services' }).waitFor();
    await settled(page);
    await picture('catalog-light-wide');
    expect(await seriousFindings(page)).toEqual([]);
    expect(structureProblems(await accessibilityTree(page))).toEqual([]);
    await page.getByLabel('Filter pages and types').fill('deliv');
    await page.getByRole('region', { name: 'Types' }).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Delivery' }).click();
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
  }));

test('a member has no builder, and still reads scorecards', async () => {
  const context = await signedInAs({ browser, product, made }, 'areas@example.com', ['Member']);
  const page = await context.newPage();
  await page.goto('/');
  await areas(page).getByRole('link', { name: 'Catalog' }).waitFor();
  expect(await areas(page).getByRole('link').allTextContents()).toEqual(['Home', 'Catalog', 'Self-service', 'AI']);
  await rail(page, 'Pages').getByRole('link', { name: 'Scorecards', exact: true }).click();
  await page.getByRole('heading', { name: 'Scorecards', level: 1 }).waitFor();
  await rail(page, 'Pages').getByRole('link', { name: 'Services' }).waitFor();
  expect(await areas(page).locator('[data-present]').count()).toBe(0);
  await context.close();
});

test('sixty types more push nothing out of sight', async () => {
  const types = Array.from({ length: 60 }, (_, number) => `bulk_${number}`);
  for (const identifier of types) {
    await made('/blueprints', { identifier, title: identifier, schema: { properties: {} } });
  }
  try {
    await visit(browser, product, wide, async ({ page, picture }) => {
      await page.goto('/catalog');
      await signIn(page, product);
      await rail(page, 'Pages')
        .getByText(/^More types \(\d+\)$/)
        .waitFor();
      await settled(page);
      await picture('rail-sixty-types');
      for (const area of ['AI', 'Builder']) {
        expect(await areas(page).getByRole('link', { name: area, exact: true }).isVisible()).toBe(true);
      }
      const end = 'document.querySelector("nav[aria-label=Pages]").scrollHeight - innerHeight';
      expect(await page.evaluate(end)).toBeLessThanOrEqual(0);
    });
  } finally {
    // the other journeys look for types that are not folded
    for (const identifier of types) await ask('DELETE', `/blueprints/${identifier}`);
  }
});

test('the rail is one tab stop: arrows move, folders close, letters jump, a menu opens', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/service');
    await signIn(page, product);
    await rail(page, 'Pages').getByRole('button', { name: 'Add a page or folder' }).waitFor();
    await settled(page);
    await page.getByRole('button', { name: /^User menu/ }).focus();
    await page.keyboard.press('Tab');
    expect([await inRail(page), await focused(page)]).toEqual([true, 'Services']);
    await page.keyboard.press('Tab');
    expect(await inRail(page)).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('Services');

    const names = (await rail(page, 'Pages').locator('[data-item]:visible').allTextContents()).map((each) =>
      each.trim(),
    );
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe(names[0]);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(names[1]);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe(names.at(-1));
    await page.keyboard.press('Home');
    await page.keyboard.press('s');
    expect(await focused(page)).toMatch(/^s/i);
    // a letter that moved the focus starred nothing
    expect(await page.getByRole('main').getByRole('button', { name: 'Remove from favorites' }).count()).toBe(0);

    // one that somebody arranged: the fold of further types has no menu
    const folder = rail(page, 'Pages').locator('[data-entry] > details > summary').first();
    await folder.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await folder.evaluate(isOpen)).toBe(false);
    await page.keyboard.press('ArrowRight');
    expect(await folder.evaluate(isOpen)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toBe((await folder.textContent())?.trim());
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor({ timeout: 10_000 });
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    expect(await inRail(page)).toBe(true);
  }));

test.each([
  ['light', narrow],
  ['dark', narrow],
] as const)('at 360 pixels the menu reaches every area, %s', (theme, options) =>
  visit(browser, product, options, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
    await page.goto('/catalog');
    await signIn(page, product);
    await page.getByRole('region', { name: 'Types' }).waitFor();
    await settled(page);
    await picture(`catalog-${theme}-narrow`);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('navigation', { name: 'All pages' });
    await menu.getByRole('link', { name: 'All pages and types' }).waitFor();
    await menu.getByText('Builder', { exact: true }).click();
    await menu.getByRole('link', { name: 'Data model' }).waitFor();
    await settled(page);
    await picture(`menu-${theme}-narrow`);
    expect(await seriousFindings(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Data model' }).click();
    await page.getByRole('heading', { name: 'Data model', level: 1 }).waitFor();
  }),
);

test.each(['light', 'dark'])('the builder and its rail can be read, %s', (theme) =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
    await page.goto('/builder/users');
    await signIn(page, product);
    await rail(page, 'Builder').getByRole('link', { name: 'Users' }).waitFor();
    await settled(page);
    await picture(`builder-${theme}-wide`);
    expect(await seriousFindings(page)).toEqual([]);
  }),
);

/** An element that a journey knows again. */
interface Marked {
  mark?: string;
}

test('who comes back finds the table as it was left, and nothing of it meanwhile', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/service');
    await signIn(page, product);
    const table = page.getByRole('grid').first();
    await table.getByRole('link', { name: 'Rate Engine' }).waitFor();
    await settled(page);
    await table.evaluate((grid: Marked) => {
      grid.mark = 'the same';
    });
    await table.getByRole('link', { name: 'Rate Engine' }).click();
    await page.getByRole('heading', { name: 'Rate Engine', level: 1 }).waitFor();
    expect(await page.locator('main h1').count()).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
    expect(await table.evaluate(({ mark }: Marked) => mark)).toBe('the same');
  }));
