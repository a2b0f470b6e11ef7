import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { signedInAs } from './support/members.ts';
import { withProduct } from './support/open-product.ts';
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

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
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
        await goTo(page, `/catalog/${board}`);
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
    await page.getByRole('heading', { name: 'Four figures', level: 1 }).waitFor();
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

test('Edit page turns the dashboard into its editor: nothing moves, and a widget changes as its form is filled in', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/catalog/delivery');
    await signIn(page, product);
    const widget = page.getByRole('region', { name: 'Deployments per week' });
    await widget.first().waitFor();
    await settled(page);
    const boxes = `[...document.querySelectorAll('[data-height] > *')].map((each) => {
      const { top, width, height } = each.getBoundingClientRect();
      return [top, width, height].map(Math.round).join(' ');
    }).filter((box) => !box.endsWith(' 12'))`;
    const before = await page.evaluate(boxes);
    await page.getByRole('button', { name: 'Edit page' }).click();
    const tools = page.getByRole('group', { name: 'Edit Delivery' });
    await tools.getByRole('button', { name: 'Add a widget' }).waitFor();
    await page.waitForFunction('document.activeElement?.textContent === "Add a widget"');
    await settled(page);
    expect(await page.evaluate(boxes)).toEqual(before);
    await picture('dashboard-editing');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit Deployments per week' }).first().click();
    const form = page.getByRole('complementary', { name: 'Edit Deployments per week' });
    await form.getByRole('group', { name: 'Data' }).waitFor();
    await form.getByRole('group', { name: 'Look' }).waitFor();
    await form.getByLabel('Title').fill('Rollouts');
    await page.getByRole('region', { name: 'Rollouts' }).first().waitFor();
    await settled(page);
    await picture('dashboard-editing-form');
    expect(await seriousFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await widget.first().waitFor();
    await page.getByText('Nothing is changed.').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.waitForFunction('document.activeElement?.textContent === "Edit page"');
    expect(new URL(page.url()).search).toBe('');
  }));

test('Back asks before it drops the draft, and Home is edited in its place too', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Edit page' }).click();
    await page.getByRole('button', { name: 'Add a widget' }).click();
    await page.getByRole('button', { name: /^Recently viewed/ }).click();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByText('There are unsaved changes. Add Recently viewed').waitFor();
    await settled(page);
    await picture('home-editing');
    // away from the bar at the bottom, which lies over what is below it
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await seriousFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('There are unsaved changes. Add Recently viewed').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Edit page' }).waitFor();
  }));

test('a member is told what editing needs, on a page and on Home, also by a link to the editor', async () => {
  const context = await signedInAs({ browser, product, made }, `lee-${Date.now()}@portolan.example`, ['Member']);
  const page = await context.newPage();
  for (const [address, name] of [
    ['/catalog/delivery/edit?tab=json', 'Delivery'],
    ['/?edit=widgets', 'Home'],
  ] as const) {
    await page.goto(address);
    await page.getByText('You cannot change this page').waitFor();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.locator('[data-height] section').first().waitFor();
    expect(await page.getByRole('button', { name: 'Add a widget' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Edit page' }).press('Enter');
    await page.getByRole('dialog', { name: 'Ask for access' }).getByText('Admin', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  }
  await context.close();
});

test('a page is filtered by chips, which the address keeps, and by a press on a chart', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/catalog/engineering_overview');
    await signIn(page, product);
    const chips = page.getByRole('group', { name: 'Filters of the page' });
    const chart = page.getByRole('region', { name: 'Services by lifecycle' }).first();
    await chart.getByRole('listitem').nth(1).waitFor();
    await chips.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Property' }).fill('Lifecycle');
    await page.getByRole('option', { name: 'Lifecycle', exact: true }).click();
    await page.getByRole('combobox', { name: 'Value of Lifecycle' }).click();
    await page.getByRole('option', { name: 'production' }).click();
    await page.waitForURL(/filter=/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const chip = chips.getByRole('button', { name: 'Lifecycle: production', exact: true });
    await chip.waitFor();
    await expect.poll(() => chart.getByRole('listitem').count()).toBe(1);
    await page.reload();
    await chip.waitFor();
    await expect.poll(() => chart.getByRole('listitem').count()).toBe(1);
    await settled(page);
    await picture('dashboard-filtered');
    expect(await seriousFindings(page)).toEqual([]);
    await chips.getByRole('button', { name: 'Remove the filter Lifecycle: production' }).click();
    await expect.poll(() => chart.getByRole('listitem').count()).toBeGreaterThan(1);
    await chart.getByRole('button', { name: 'Filter the page by beta' }).press('Enter');
    await chips.getByRole('button', { name: 'Lifecycle: beta', exact: true }).waitFor();
    await expect.poll(() => chart.getByRole('listitem').count()).toBe(1);
  }));

test('filters of an address that say nothing are left out, and those of no widget say so', () =>
  visit(browser, product, narrow, async ({ page, picture }) => {
    const rules = [7, { property: 'lifecycle' }, { property: 'nowhere', operator: '=', value: 'x' }];
    await page.goto(`/catalog/engineering_overview?filter=${encodeURIComponent(JSON.stringify(rules))}`);
    await signIn(page, product);
    const chips = page.getByRole('group', { name: 'Filters of the page' });
    await chips.getByRole('button', { name: 'nowhere: not on this page', exact: true }).waitFor();
    expect(await chips.getByRole('button', { name: /^Remove the filter/ }).count()).toBe(1);
    await settled(page);
    await picture('dashboard-filtered-narrow');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
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
