import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { openProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const medium = { viewport: { width: 900, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };
const boards = ['engineering_overview', 'incident_room', 'delivery', 'standards'];

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

beforeAll(async () => {
  ({ browser, product, ask, made } = await openProduct());
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** The lines of cells on the screen: how many, and by how much their bottoms differ. */
async function readLines(page: Page): Promise<readonly { readonly cells: number; readonly spread: number }[]> {
  return await page.evaluate(`(() => {
    const lines = [];
    for (const row of document.querySelectorAll('[data-height]')) {
      const boxes = [...row.querySelectorAll(':scope > * > section')].map((each) => each.getBoundingClientRect());
      const tops = Map.groupBy(boxes, ({ top }) => Math.round(top));
      for (const line of tops.values()) {
        const bottoms = line.map(({ bottom }) => bottom);
        lines.push({ cells: line.length, spread: Math.max(...bottoms) - Math.min(...bottoms) });
      }
    }
    return lines;
  })()`);
}

const watchShifts = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) globalThis.shift += each.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

test('in every dashboard of the demo the widgets of a row end at the same line, at every width', async () => {
  for (const size of [wide, medium, narrow]) {
    await visit(browser, product, size, async ({ page, picture }) => {
      await page.goto('/catalog/delivery');
      await signIn(page, product);
      for (const board of boards) {
        await page.goto(`/catalog/${board}`);
        await page.locator('[data-height] section').first().waitFor();
        await settled(page);
        const lines = await readLines(page);
        expect(lines.length, board).toBeGreaterThan(2);
        for (const { spread } of lines) expect(spread, `${board} at ${size.viewport.width}`).toBeLessThan(1);
        if (size === narrow) expect(Math.max(...lines.map(({ cells }) => cells))).toBe(1);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), board).toBe(0);
        await picture(`dashboard-${board}-${size.viewport.width}`);
      }
    });
  }
}, 300_000);

test('the place of every widget is kept while its data is on its way', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/standards');
    await signIn(page, product);
    await page.locator('[data-height] section').first().waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/entities/**', async (route) => {
      await held;
      await route.continue();
    });
    const heights = `[...document.querySelectorAll('[data-height] > * > section')].map((each) => each.getBoundingClientRect().height)`;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Delivery' }).click();
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await page.locator('[data-height] section').first().waitFor();
    await page.evaluate(watchShifts);
    const before = await page.evaluate(heights);
    answer();
    await page.getByText('Target 24 h').waitFor();
    await settled(page);
    expect(await page.evaluate(heights)).toEqual(before);
    // a row of text alone has no height of its own, and may still move what is below it
    expect(await page.evaluate('globalThis.shift')).toBeLessThan(0.05);
  }));

test('a figure tells its change, its target and since when it is known', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/delivery');
    await signIn(page, product);
    const weekly = page.getByRole('region', { name: 'Deployments per week' }).first();
    await weekly.getByText(/last week/).waitFor();
    await weekly.getByText(/Target 2.0/).waitFor();
    await weekly.getByRole('img', { name: /^From .+ to .+/ }).waitFor();
    await page.goto('/catalog/engineering_overview');
    const bill = page.getByRole('region', { name: 'Cloud bill per month' });
    await bill.getByText(/^History since/).waitFor();
    await bill.getByText(/Target € 15,000 missed/).waitFor();
    for (const name of ['Services without an owner', 'Deployments per week', 'Cloud bill per month'])
      expect(
        await page
          .getByRole('region', { name })
          .getByText(/last week|History since|in a month/)
          .count(),
      ).toBe(1);
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
  }));

test('a chart is shown as a table and saved as CSV from its menu', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/engineering_overview');
    await signIn(page, product);
    const chart = page.getByRole('region', { name: 'Services by domain' }).first();
    await chart.getByRole('button', { name: 'Menu of Services by domain' }).click();
    await page.getByRole('menuitem', { name: 'Show as table' }).click();
    const table = chart.getByRole('table');
    await table.getByRole('columnheader', { name: 'Count' }).waitFor();
    const counts = await table.getByRole('cell').allTextContents();
    expect(counts.map(Number)).toEqual(counts.map(Number).toSorted((one, other) => other - one));
    await chart.getByRole('button', { name: 'Menu of Services by domain' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('services-by-domain.csv');
    await chart.getByRole('button', { name: 'Menu of Services by domain' }).click();
    await page.getByRole('menuitem', { name: 'Show as chart' }).click();
    await table.waitFor({ state: 'hidden' });
  }));

test('a board of four widgets side by side is built in at most 14 clicks', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, product);
    await settled(page);
    let clicks = 0;
    const click = async (role: 'button' | 'menuitem' | 'option' | 'checkbox', name: string | RegExp) => {
      clicks += 1;
      await page.getByRole(role, { name }).click();
    };
    await click('button', 'Add a page or folder');
    await click('menuitem', 'New page');
    await page.getByLabel('Title').fill('Four figures');
    clicks += 1;
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit Four figures', level: 1 }).waitFor();
    await click('button', 'Add a widget');
    // typing into a field that one has to enter: a click for the field, one for the choice
    clicks += 1;
    await page.getByRole('combobox', { name: 'About' }).fill('Service');
    await click('option', /^Service \(service\)/);
    const choices = page.getByRole('group', { name: 'Ready-made widgets' }).getByRole('checkbox');
    await choices.nth(3).waitFor();
    for (const index of [0, 1, 2, 3]) {
      clicks += 1;
      await choices.nth(index).check();
    }
    await settled(page);
    await picture('dashboard-suggestions');
    expect(await seriousFindings(page)).toEqual([]);
    await click('button', 'Add 4 widgets');
    await click('button', 'Save');
    await page.getByText('Four figures was saved').waitFor();
    expect(clicks).toBeLessThanOrEqual(14);
    const { body } = await ask('GET', '/pages/four_figures');
    const [board] = (body as { page: { widgets: { layout: { columns: { size: number }[] }[] }[] } }).page.widgets;
    expect(board?.layout.map(({ columns }) => columns.map(({ size }) => size))).toEqual([[3, 3, 3, 3]]);
  }));

test('a widget is picked up, resized and put back by keys, and every step is told', async () => {
  const widgets = ['left', 'right'].map((id) => ({ id, type: 'markdown', title: id, source: 'custom', markdown: id }));
  const board = {
    id: 'board',
    type: 'dashboard-widget',
    layout: [{ height: 300, columns: widgets.map(({ id }) => ({ id, size: 6 })) }],
    widgets,
  };
  await made('/pages', { identifier: 'by_keys', title: 'By keys', type: 'dashboard', widgets: [board] });
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/by_keys/edit');
    await signIn(page, product);
    const handle = page.getByRole('button', { name: 'Move left' });
    const told = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await handle.press('Enter');
    await told('left picked up: row 1 of 1, place 1 of 2, 6 of 12 columns, 300 pixels high');
    await page.keyboard.press('Shift+ArrowRight');
    await told('left: row 1 of 1, place 1 of 2, 7 of 12 columns');
    await page.keyboard.press('Shift+ArrowDown');
    await told('312 pixels high');
    await page.keyboard.press('ArrowRight');
    await told('place 2 of 2');
    await page.keyboard.press('Escape');
    await told('left is back in its place');
    await page.waitForFunction('document.activeElement?.getAttribute("aria-label") === "Move left"');
    await page.keyboard.press('Shift+ArrowLeft');
    await told('5 of 12 columns, 300 pixels high');
    await page.keyboard.press('Control+s');
    await page.getByText('By keys was saved').waitFor();
    const { body } = await ask('GET', '/pages/by_keys');
    expect(body).toMatchObject({
      page: {
        widgets: [
          {
            layout: [
              {
                height: 300,
                columns: [
                  { id: 'left', size: 5 },
                  { id: 'right', size: 7 },
                ],
              },
            ],
          },
        ],
      },
    });
  });
});

test.each([
  ['contrast', { contrast: 'no-preference' as const }],
  ['contrast-light', { contrast: 'no-preference' as const }],
  ['light', { contrast: 'more' as const }],
  ['dark', { contrast: 'more' as const }],
  ['light', { forcedColors: 'active' as const }],
])('a dashboard can be read with the theme %s and %j', (theme, options) =>
  visit(browser, product, { ...wide, ...options }, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
    await page.goto('/catalog/engineering_overview');
    await signIn(page, product);
    await page.getByRole('region', { name: 'Services by lifecycle' }).first().waitFor();
    await settled(page);
    const isStrong = theme.startsWith('contrast') || 'contrast' in options;
    const [attribute, surface] = await page.evaluate<[string | null, string]>(
      `[document.documentElement.getAttribute('data-contrast'), getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()]`,
    );
    if (isStrong) expect(`${attribute} ${surface}`).toMatch(/dark|contrast$/.test(theme) ? /^more #0+$/ : /^more #f+$/);
    await picture(`dashboard-${theme}-${Object.values(options).join('')}`);
    expect(await seriousFindings(page)).toEqual([]);
  }),
);
