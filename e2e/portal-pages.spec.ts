import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { type Ask, askAs } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let ask: Ask;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  ask = await askAs(product);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

interface Board {
  readonly layout: { readonly columns: { readonly id: string; readonly size: number }[] }[];
  readonly widgets: Record<string, unknown>[];
}

async function readBoard(page: string): Promise<Board> {
  const { body } = await ask('GET', `/pages/${page}`);
  return (body as { page: { widgets: Board[] } }).page.widgets[0] as Board;
}

/** Two texts beside each other, to arrange. */
async function makeBoard(identifier: string, more: object = {}): Promise<void> {
  const widgets = ['left', 'right'].map((id) => ({ id, type: 'markdown', title: id, source: 'custom', markdown: id }));
  const columns = widgets.map(({ id }) => ({ id, size: 6 }));
  const board = { id: 'board', type: 'dashboard-widget', layout: [{ height: 300, columns }], widgets };
  const made = await ask('POST', '/pages', {
    identifier,
    title: identifier,
    type: 'dashboard',
    widgets: [board],
    ...more,
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
}

test('a page is made, filled, arranged with keys alone, and saved as it was seen', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Add a page or folder' }).press('Enter');
    await page.getByRole('menuitem', { name: 'New page' }).press('Enter');
    await page.getByLabel('Title').fill('Night shift');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor();
    const beside = page.getByRole('complementary');

    await page.getByRole('button', { name: 'Add a widget' }).press('Enter');
    await page.getByLabel('Find a widget type').fill('markdown');
    await page.getByLabel('Find a widget type').press('Enter');
    await beside.getByLabel('Title').fill('Rules');
    await beside.getByLabel('Text', { exact: true }).fill('Wake **nobody**.');
    await page.getByRole('region', { name: 'Rules' }).first().getByText('nobody').waitFor();
    await page.getByRole('button', { name: 'Add widget' }).press('Enter');
    await beside.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Add a widget' }).press('Enter');
    await page.getByRole('button', { name: /^Number/ }).press('Enter');
    await page.getByRole('button', { name: 'Add widget' }).press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Blueprint is required' }).waitFor();
    await page.getByRole('combobox', { name: 'Blueprint' }).fill('Serv');
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await page.getByRole('region', { name: 'Number' }).first().getByText('18', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add widget' }).press('Enter');
    await beside.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Add a widget' }).press('Enter');
    await page.getByRole('button', { name: /^AI agent/ }).press('Enter');
    await page.getByRole('combobox', { name: 'Agent' }).fill('guide');
    await page.getByRole('option', { name: /service_guide/ }).click();
    await beside.getByLabel('Use tools over MCP').press('Space');
    await page.getByRole('button', { name: 'Add widget' }).press('Enter');
    await beside.waitFor({ state: 'hidden' });

    const border = page.getByRole('separator', { name: 'Width of Rules' });
    await border.press('ArrowRight');
    await border.press('ArrowRight');
    await page.getByText('There are unsaved changes. Resize Rules').waitFor();
    const handle = page.getByRole('button', { name: 'Move AI agent' });
    await handle.press('ArrowUp');
    await page.waitForFunction('document.activeElement?.getAttribute("aria-label") === "Move AI agent"');
    await page.getByRole('button', { name: 'More for AI agent' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter');
    await handle.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await handle.waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Night shift was saved').waitFor();

    const board = await readBoard('night_shift');
    const types = new Map(board.widgets.map(({ id, type }) => [id, type]));
    expect(board.layout.map(({ columns }) => columns.map(({ id, size }) => [types.get(id), size]))).toEqual([
      [['ai-agent', 6]],
      [
        ['markdown', 6],
        ['entities-number-chart', 3],
      ],
    ]);
    expect(board.widgets.find(({ type }) => type === 'ai-agent')).toMatchObject({
      agentIdentifier: 'service_guide',
      use_mcp: false,
    });
    await page.getByRole('button', { name: 'Done', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor();
    await page.getByText('Wake nobody.').waitFor();
  }));

test('widgets are dragged beside one another and their border is drawn with a pointer', async () => {
  await makeBoard('dragging');
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/dragging/edit');
    await signIn(page, product);
    const [left, right] = [page.getByRole('region', { name: 'left' }), page.getByRole('region', { name: 'right' })];
    await page.getByRole('button', { name: 'Move right' }).dragTo(left.first(), { targetPosition: { x: 20, y: 150 } });
    await page.getByText('There are unsaved changes. Move right').waitFor();
    const border = page.getByRole('separator', { name: 'Width of right' });
    const box = await border.boundingBox();
    if (!box) throw new Error('The border is not shown');
    const row = await right.first().boundingBox();
    await page.mouse.move(box.x + 8, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 8 - (row?.width ?? 0) / 2, box.y + 20, { steps: 8 });
    await page.mouse.up();
    await page.getByText('There are unsaved changes. Resize right').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('dragging was saved').waitFor();
    const [first] = (await readBoard('dragging')).layout;
    expect(first?.columns).toEqual([
      { id: 'right', size: 3 },
      { id: 'left', size: 9 },
    ]);
  });
});

test('changes are not lost by leaving, and two who edit see what both did', async () => {
  await makeBoard('both');
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto('/catalog/both/edit');
  await signIn(page, product);
  await page.getByRole('button', { name: 'More for left' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Services' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('There are unsaved changes. Remove left').waitFor();
  // parts of the page open and close without a question, and the draft stays
  await page.getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('button', { name: 'Close Page as JSON' }).click();
  await page.getByText('There are unsaved changes. Remove left').waitFor();

  await ask('PATCH', '/pages/both/widgets/right', { markdown: 'theirs' });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Somebody saved this page' });
  await conflict.getByText('right was changed').waitFor();
  await conflict.getByText('left was removed').waitFor();
  expect((await readBoard('both')).widgets).toHaveLength(2);
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await page.getByRole('region', { name: 'left' }).first().waitFor();

  await page.getByRole('button', { name: 'Edit left' }).click();
  await page.getByRole('complementary', { name: 'Edit left' }).getByLabel('Title').fill('mine');
  await page.getByRole('button', { name: 'Apply' }).click();
  await ask('PATCH', '/pages/both/widgets/right', { markdown: 'theirs again' });
  await page.getByRole('button', { name: 'Save' }).click();
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('both was saved').waitFor();
  expect((await readBoard('both')).widgets.map(({ title }) => title)).toEqual(['mine', 'right']);
  await context.close();
});

test('a failing server keeps the draft, and it is saved once the server answers', async () => {
  await makeBoard('failing');
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto('/catalog/failing/edit?tab=page');
  await signIn(page, product);
  await page.getByLabel('Title').fill('Kept');
  await page.route('**/v1/pages/failing?*', (route) =>
    route.fulfill({ status: 500, json: { ok: false, error: 'internal_error', message: 'It broke', requestId: 'r' } }),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The page was not saved').waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Kept was saved').waitFor();
  await context.close();
});

test('the side bar is arranged with keys, and by dragging', () =>
  visit(browser, product, wide, async ({ page }) => {
    for (const name of ['sb_one', 'sb_two', 'sb_three']) await makeBoard(name);
    await page.goto('/');
    await signIn(page, product);
    const act = async (name: string, verb: string) => {
      await page.getByRole('button', { name: `More for ${name}`, exact: true }).press('Enter');
      await page.getByRole('menuitem', { name: verb, exact: true }).press('Enter');
    };
    const order = async () => {
      const { body } = await ask('GET', '/sidebars/catalog');
      return (body as { sidebar: { items: { identifier: string; parent?: string }[] } }).sidebar.items
        .filter(({ identifier }) => /^(sb_|shelf)/.test(identifier))
        .map(({ identifier, parent }) => (parent ? `${parent}/${identifier}` : identifier));
    };
    await act('sb_three', 'Move up');
    await page.getByText('sb_three moved up').waitFor();
    expect(await order()).toEqual(['sb_one', 'sb_three', 'sb_two']);

    await page.getByRole('button', { name: 'Add a page or folder' }).press('Enter');
    await page.getByRole('menuitem', { name: 'New folder' }).press('Enter');
    await page.getByLabel('Title').fill('Shelf');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('button', { name: 'More for Shelf' }).waitFor();
    await act('sb_one', 'Into Shelf');
    await page.getByText('sb_one lies in Shelf now').waitFor();
    await act('sb_two', 'Rename');
    await page.getByLabel('Title').fill('Second');
    await page.getByLabel('Title').press('Enter');
    const rail = page.getByRole('navigation', { name: 'Pages' });
    const second = rail.getByRole('link', { name: 'Second' });
    await second.waitFor();
    // the side bar is read anew after a change, and what is drawn anew under the pointer is not dropped
    await settled(page);
    await second.dragTo(rail.getByText('Shelf', { exact: true }));
    await page.getByText('Second was moved').waitFor();
    expect(await order()).toEqual(['shelf', 'shelf/sb_one', 'shelf/sb_two', 'sb_three']);

    await act('Shelf', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Shelf was deleted').waitFor();
    await act('sb_three', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('sb_three was deleted').waitFor();
    expect((await order()).toSorted()).toEqual(['sb_one', 'sb_two']);
  }));

test('who may is saved by itself, and whoever may not edit is told so', async () => {
  await makeBoard('rights');
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/catalog/rights/edit?tab=rights');
    await signIn(page, product);
    const change = page.getByRole('region', { name: 'Change it' });
    await change.getByLabel('Roles', { exact: true }).fill('Member');
    await change.getByLabel('Roles', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Save the rights' }).click();
    await page.getByText('The rights of the page were saved').waitFor();
    const { body } = await ask('GET', '/pages/rights/permissions');
    expect((body as { permissions: { update: { roles: string[] } } }).permissions.update.roles).toEqual([
      'Admin',
      'Member',
    ]);
  });
});

test.each([
  ['light', 'wide', wide],
  ['dark', 'narrow', narrow],
] as const)('the editor can be read and used, %s and %s', async (theme, size, options) => {
  await visit(browser, product, options, async ({ page, picture }) => {
    await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
    await page.goto('/catalog/engineering_overview/edit');
    await signIn(page, product);
    const look = async (name: string): Promise<string[]> => {
      await settled(page);
      await picture(`pages-${name}-${theme}-${size}`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const isDialog = (await page.getByRole('dialog').count()) > 0;
      return [
        ...(await seriousFindings(page)),
        ...(isDialog ? [] : structureProblems(await accessibilityTree(page))),
        ...(overflow === 0 ? [] : ['too wide']),
      ].map((each) => `${name}: ${each}`);
    };
    const problems: string[] = [];
    await page.getByRole('button', { name: 'Add a widget' }).waitFor();
    problems.push(...(await look('widgets')));
    for (const part of ['Page settings', 'Permissions', 'JSON']) {
      await page.getByRole('button', { name: part, exact: true }).click();
      await page.getByRole('complementary').waitFor();
      problems.push(...(await look(part.replace(' ', '-'))));
    }
    await page.getByRole('button', { name: 'Add a widget' }).click();
    await page.getByLabel('Find a widget type').waitFor();
    problems.push(...(await look('gallery')));
    for (const kind of ['Number', 'Several lines', 'Table', 'Text']) {
      await page.getByRole('button', { name: new RegExp(`^${kind}`) }).click();
      await page.getByRole('button', { name: 'Choose another type' }).waitFor();
      problems.push(...(await look(kind.replace(' ', '-'))));
      await page.getByRole('button', { name: 'Choose another type' }).click();
    }
    expect(problems).toEqual([]);
  });
});
