import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;

withProduct((opened) => {
  ({ browser, product } = opened);
});

const rail = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const kept = (page: Page) => rail(page).getByRole('list', { name: 'Favorites' }).getByRole('link');
const names = async (page: Page) => (await kept(page).allTextContents()).map((text) => text.trim());

/** Begins with an empty list, whatever the journey before left. */
async function begin(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await signIn(page, product);
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await page.evaluate(`(async () => {
    const { csrfToken } = await (await fetch('/v1/auth/me')).json();
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken };
    await fetch('/v1/me/favorites', { method: 'PUT', headers, body: JSON.stringify({ favorites: [] }) });
  })()`);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const isKept = (answer: { url(): string; request(): { method(): string } }) =>
  answer.url().endsWith('/v1/me/favorites') && answer.request().method() === 'PUT';

const switchStar = async (page: Page) => {
  const saved = page.waitForResponse(isKept);
  await page.getByRole('main').getByRole('button', { name: 'Add to favorites' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Remove from favorites' }).waitFor();
  await saved;
};

test('a page, an entity, an action and an agent are kept, arranged, and there after a reload', () =>
  visit(browser, product, wide, async ({ page }) => {
    await begin(page, '/e/service/rate-engine');
    const saved = page.waitForResponse(isKept);
    await page.keyboard.press('s');
    await page.getByRole('main').getByRole('button', { name: 'Remove from favorites' }).waitFor();
    await saved;
    for (const path of ['/catalog/service', '/ai/agents/service_guide', '/self-service/create_sandbox']) {
      await page.goto(path);
      await switchStar(page);
    }
    await page.reload();
    await expect.poll(() => names(page)).toHaveLength(4);
    const [entity, table, agent, action] = await names(page);
    expect([entity, table]).toEqual(['Rate Engine', 'Services']);

    await page.getByRole('button', { name: `More for the favorite ${action}` }).press('Enter');
    await page.getByRole('menuitem', { name: 'Move up' }).press('Enter');
    await expect.poll(() => names(page)).toEqual([entity, table, action, agent]);
    await kept(page)
      .nth(0)
      .dragTo(kept(page).nth(3), { targetPosition: { x: 40, y: 28 } });
    await expect.poll(() => names(page)).toEqual([table, action, agent, entity]);
    await page.getByRole('button', { name: `More for the favorite ${agent}` }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove from favorites' }).press('Enter');
    await expect.poll(() => names(page)).toEqual([table, action, entity]);
    await expect.poll(async () => (await (await page.request.get('/v1/me/favorites')).json()).favorites.length).toBe(3);
    await page.reload();
    await expect.poll(() => names(page)).toEqual([table, action, entity]);

    await kept(page).getByText('Rate Engine').click();
    await page.getByRole('heading', { name: 'Rate Engine', level: 1 }).waitFor();
  }));

test('rows of a table and the palette offer it, and a letter that somebody types does not', () =>
  visit(browser, product, wide, async ({ page }) => {
    await begin(page, '/catalog/service');
    await page.getByRole('button', { name: 'What can be done with Rate Engine' }).click();
    await page.getByRole('menuitem', { name: 'Add to favorites' }).click();
    await page.getByText('Rate Engine was added to favorites').waitFor();
    expect(await names(page)).toEqual(['Rate Engine']);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('invoicing');
    await page.getByRole('option', { name: /service · invoicing/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('combobox', { name: 'Actions on Invoicing' }).waitFor();
    await page.keyboard.type('favorites');
    await page.keyboard.press('Enter');
    await expect.poll(() => names(page)).toEqual(['Rate Engine', 'Invoicing']);

    // on an empty field they are offered at once
    await page.keyboard.press('Control+k');
    await page
      .getByRole('option', { name: /Invoicing/ })
      .first()
      .waitFor();
    await page.keyboard.type('sss');
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByRole('button', { name: 'Add to favorites' }).waitFor();
    expect(await names(page)).toEqual(['Rate Engine', 'Invoicing']);
  }));

test('a view of a table is kept in the rail, opens as it was kept, and goes when it is forgotten', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await begin(page, '/catalog/service');
    await page.getByRole('button', { name: 'Title', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('18 services', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('textbox', { name: 'Keep this view as' }).fill('All by title');
    await page.getByRole('textbox', { name: 'Keep this view as' }).press('Enter');
    const saved = page.waitForResponse(isKept);
    await page.getByRole('menuitem', { name: 'Add All by title to favorites' }).click();
    await saved;
    await page.getByRole('menuitem', { name: 'Remove All by title from favorites' }).waitFor();
    await settled(page);
    await picture('favorites-views');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    expect(await seriousFindings(page)).toEqual([]);
    await expect.poll(() => names(page)).toEqual(['All by title']);

    // from elsewhere, and from a browser that has no views of its own
    await page.goto('/e/service/rate-engine');
    await page.evaluate(`localStorage.clear()`);
    await kept(page).getByText('All by title').click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByText('18 services', { exact: true }).waitFor();
    // in place of whatever the table showed before
    await page.getByRole('textbox', { name: 'Search in Services' }).fill('rate');
    await page.getByText(/^\d of 18 services$/).waitFor();
    await kept(page).getByText('All by title').click();
    await page.getByText('18 services', { exact: true }).waitFor();

    // kept again under its name, the favorite is the later one
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('textbox', { name: 'Keep this view as' }).fill('All by title');
    const again = page.waitForResponse(isKept);
    await page.getByRole('textbox', { name: 'Keep this view as' }).press('Enter');
    await again;
    await page.goto('/');
    await kept(page).getByText('All by title').click();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    const gone = page.waitForResponse(isKept);
    await page.getByRole('menuitem', { name: 'Forget All by title' }).click();
    await gone;
    await expect.poll(() => names(page)).toEqual([]);
  }));

test('two tabs do not lose what the other one kept', () =>
  visit(browser, product, wide, async ({ page }) => {
    await begin(page, '/catalog/service');
    const other = await page.context().newPage();
    await other.goto('/e/service/rate-engine');
    await switchStar(other);
    await switchStar(page);
    await expect.poll(() => names(page)).toEqual(['Rate Engine', 'Services']);
    await other.close();
  }));

test('Home shows what my teams own without records of the platform, and the favorites beside it', () =>
  visit(browser, product, wide, async ({ page }) => {
    await begin(page, '/e/service/rate-engine');
    await switchStar(page);
    await page.goto('/');
    const mine = page.getByRole('region', { name: 'Mine' });
    await mine.getByRole('link').first().waitFor();
    expect((await mine.getByRole('listitem').allTextContents()).filter((text) => /_[a-z]+/.test(text))).toEqual([]);
    await mine.getByRole('tab', { name: 'Favorites' }).click();
    await mine.getByRole('link', { name: 'Rate Engine' }).click();
    await page.getByRole('heading', { name: 'Rate Engine', level: 1 }).waitFor();
  }));

test.each([
  ['light', 'wide', wide],
  ['dark', 'narrow', narrow],
] as const)('they can be read and used, %s and %s', (theme, size, options) =>
  visit(browser, product, options, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
    await begin(page, '/e/service/rate-engine');
    await switchStar(page);
    for (const path of ['/', '/e/service/rate-engine']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await picture(`favorites${path.replaceAll('/', '_')}-${theme}-${size}`);
      expect(await seriousFindings(page)).toEqual([]);
      expect(structureProblems(await accessibilityTree(page))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    if (size === 'narrow') {
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Rate Engine' }).waitFor();
      await settled(page);
      await picture(`favorites-menu-${theme}-${size}`);
      expect(await seriousFindings(page)).toEqual([]);
    }
  }),
);
