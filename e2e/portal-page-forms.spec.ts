import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

async function makePage(identifier: string, widgets: readonly object[], more: object = {}): Promise<void> {
  const layout = widgets.map((_, index) => ({ height: 400, columns: [{ id: `w${index}`, size: 12 }] }));
  const named = widgets.map((each, index) => ({ id: `w${index}`, ...each }));
  const board = { id: 'board', type: 'dashboard-widget', layout, widgets: named };
  await made('/pages', { identifier, title: identifier, type: 'dashboard', widgets: [board], ...more });
}

async function readPage(identifier: string) {
  const { body } = await ask('GET', `/pages/${identifier}`);
  return (body as { page: { pageFilters?: object[]; widgets: { widgets: Record<string, unknown>[] }[] } }).page;
}

const count = {
  type: 'entities-number-chart',
  title: 'Services',
  blueprint: 'service',
  chartType: 'countEntities',
  func: 'count',
  unit: 'none',
  dataset: { combinator: 'and', rules: [] },
};

test('a page gets a filter by its form, which readers turn off', async () => {
  await makePage('filtered', [count]);
  await visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/catalog/filtered/edit?tab=page');
    await signIn(page, product);
    const filters = page.getByRole('region', { name: 'Filters of the page' });
    await filters.getByRole('button', { name: 'Add a filter' }).click();
    await page.keyboard.type('In production');
    await filters.getByRole('combobox', { name: 'About' }).fill('Serv');
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await filters.getByRole('button', { name: 'Add a rule' }).click();
    await filters.getByRole('combobox', { name: 'Property' }).fill('Lifecycle');
    await page.getByRole('option', { name: 'Lifecycle', exact: true }).click();
    // a rule without a value narrows nothing down yet
    const figure = page.getByRole('region', { name: 'Services' });
    await figure.getByText('18', { exact: true }).first().waitFor();
    await filters.getByRole('combobox', { name: 'Value' }).click();
    await page.getByRole('option', { name: 'production' }).click();
    await figure.getByText('12', { exact: true }).first().waitFor();
    await settled(page);
    await picture('page-filters');
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.getByText('filtered was saved').waitFor();
    expect((await readPage('filtered')).pageFilters).toEqual([
      {
        identifier: 'filter_1',
        title: 'In production',
        query: {
          blueprint: 'service',
          combinator: 'and',
          rules: [{ property: 'lifecycle', operator: 'in', value: ['production'] }],
        },
      },
    ]);
    await page.goto('/catalog/filtered');
    await figure.getByText('12', { exact: true }).waitFor();
    const ofPage = page.getByRole('group', { name: 'Filters of the page' });
    await ofPage.getByRole('button', { name: 'In production', pressed: true }).click();
    await figure.getByText('18', { exact: true }).waitFor();
    await page.reload();
    await ofPage.getByRole('button', { name: 'In production', pressed: false }).waitFor();
    await figure.getByText('18', { exact: true }).waitFor();

    await page.goto('/catalog/filtered/edit?tab=page');
    await filters.getByRole('button', { name: 'Remove filter 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('filtered was saved').waitFor();
    expect((await readPage('filtered')).pageFilters).toBeUndefined();
  });
});

test('a filter of a blueprint that is gone says so, and what it says is kept', async () => {
  const query = { blueprint: 'nowhere', combinator: 'or', rules: [{ property: 'x', operator: '=', value: 1 }] };
  await makePage('forgotten', [count], { pageFilters: [{ identifier: 'old', title: 'Old', query, more: true }] });
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto('/catalog/forgotten/edit?tab=page');
  await signIn(page, product);
  const filter = page.getByRole('group', { name: 'Filter 1' });
  await filter
    .getByRole('alert')
    .getByText(/Choose another type for the filter/)
    .waitFor();
  await filter.getByLabel('Name').fill('Older');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('forgotten was saved').waitFor();
  expect((await readPage('forgotten')).pageFilters).toEqual([{ identifier: 'old', title: 'Older', query, more: true }]);
  await context.close();
});

test('a widget shows the run that its form names, and not others', async () => {
  await made('/blueprints', { identifier: 'shed', title: 'Shed', schema: { properties: {} } });
  for (const name of ['first', 'second']) {
    await made('/actions', {
      identifier: `build_${name}`,
      title: `Build the ${name} shed`,
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
      invocationMethod: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'shed', mapping: { identifier: name } },
    });
    await made(`/actions/build_${name}/runs`, { properties: {} });
  }
  await makePage('one_run', [count]);
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/one_run/edit');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Add a widget' }).click();
    await page.getByRole('button', { name: /^One run/ }).click();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByRole('alert').filter({ hasText: 'Run is required' }).waitFor();
    await page.getByRole('combobox', { name: 'Run', exact: true }).fill('Build the first');
    await page.getByRole('option', { name: /^Build the first shed/ }).click();
    await page.getByRole('combobox', { name: 'Icon' }).fill('Rocket');
    await page.getByRole('option', { name: 'Rocket', exact: true }).click();
    await page.getByRole('region', { name: 'One run' }).first().getByText('Build the first shed').waitFor();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('one_run was saved').waitFor();
    await page.goto('/catalog/one_run');
    const widget = page.getByRole('region', { name: 'Run info' });
    await widget.getByText('Success').waitFor();
    expect(await widget.getByText('second').count()).toBe(0);
    await widget.getByRole('link', { name: 'Build the first shed' }).click();
    await page.getByRole('heading', { name: 'Build the first shed', level: 1 }).waitFor();
  });
});

test('tables of several blueprints are written by a form, and stand in tabs', async () => {
  await makePage('connected', [count]);
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/connected/edit');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Add a widget' }).click();
    await page.getByRole('button', { name: /^Connected tables/ }).click();
    await page.getByRole('complementary').getByLabel('Title').first().fill('Around us');
    const table = (index: number) => page.getByRole('group', { name: `table ${index}`, exact: true });
    await table(1).getByLabel('Title').fill('What runs');
    await table(1).getByRole('combobox', { name: 'Blueprint' }).fill('Serv');
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await page.getByRole('button', { name: 'Add a table' }).click();
    await table(2).getByRole('combobox', { name: 'Blueprint' }).fill('Deployment');
    await page.getByRole('option', { name: 'Deployment', exact: true }).click();
    await page.getByRole('button', { name: 'Move table 2 up' }).click();
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('connected was saved').waitFor();
    const [, widget] = (await readPage('connected')).widgets[0]?.widgets ?? [];
    expect(widget?.['blueprintConfig']).toMatchObject({
      $custom_1: { targetBlueprint: 'service', title: 'What runs', tabIndex: 1 },
      $custom_2: { targetBlueprint: 'deployment', tabIndex: 0 },
    });
    await page.goto('/catalog/connected');
    await page.getByRole('region', { name: 'Around us' }).getByRole('tab', { name: 'What runs' }).click();
    await page.getByText('18 services', { exact: true }).waitFor();
  });
});

test('a step that asks the assistant has the address the server knows, whichever the browser came by', () => {
  const elsewhere = { ...product, address: product.address.replace('127.0.0.1', 'localhost') };
  expect(elsewhere.address).not.toBe(product.address);
  return visit(browser, elsewhere, wide, async ({ page }) => {
    await page.goto('/builder/new-automation');
    await signIn(page, product);
    await page.getByLabel('Title').first().fill('Ask');
    await page.getByLabel('What is done').selectOption('Ask an agent or the assistant');
    await page.getByLabel('Question').fill('What now?');
    await page.keyboard.press('Control+.');
    const text = page.getByRole('textbox', { name: /JSON/ });
    await text.getByText(`${product.address}/v1/ai/invoke`).waitFor();
    expect(await text.textContent()).not.toContain(elsewhere.address);
  });
});

test('the filters can be read and used on a phone in the dark', async () => {
  const rules = [{ property: '$team', operator: 'isEmpty' }];
  const query = { blueprint: 'dashboard-filters-meta-blueprint', combinator: 'and', rules };
  await makePage('small', [count], { pageFilters: [{ identifier: 'nobody', title: 'Without an owner', query }] });
  await visit(browser, product, narrow, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', 'dark')`);
    await page.goto('/catalog/small/edit?tab=page');
    await signIn(page, product);
    const filter = page.getByRole('group', { name: 'Filter 1' });
    await filter.getByRole('combobox', { name: 'Property' }).waitFor();
    await filter.getByRole('button', { name: 'Remove filter 1' }).scrollIntoViewIfNeeded();
    await settled(page);
    await picture('page-filters-narrow');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});
