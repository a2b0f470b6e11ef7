import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };

let browser: Browser;
let product: Product;
let ask: Ask;

withProduct((opened) => {
  ({ browser, product, ask } = opened);
});

/** All services, without the filter of the page. */
const everything = '/catalog/service?view=%7B%22filter%22%3Anull%7D';

async function openTable(page: Page, path = everything): Promise<void> {
  await page.goto(path);
  await signIn(page, product);
  await page.getByRole('grid', { name: 'Services' }).waitFor();
  await settled(page);
}

/** Where the focus is, as readers count it: row and column, the headings being row 1. */
const place = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const cell = document.activeElement?.closest('[aria-colindex]');
    return [cell?.closest('[role=row]')?.getAttribute('aria-rowindex'), cell?.getAttribute('aria-colindex')].join(':');
  })()`);

interface Owned {
  readonly identifier: string;
  readonly team: readonly string[];
}

async function owners(): Promise<Readonly<Record<string, string>>> {
  const { body } = await ask('GET', '/blueprints/service/entities');
  const { entities } = body as { entities: readonly Owned[] };
  return Object.fromEntries(entities.map(({ identifier, team }) => [identifier, team.join()]));
}

test('a table is walked, sorted, selected from and edited without a pointer', () =>
  visit(browser, product, wide, async ({ page }) => {
    await openTable(page);
    // from the top of the page to the first row
    await page.getByRole('textbox', { name: 'Search in Services' }).focus();
    let tabs = 0;
    while ((await place(page)) === ':' && tabs < 20) {
      await page.keyboard.press('Tab');
      tabs += 1;
    }
    expect(await place(page)).toBe('2:2');

    const steps: readonly (readonly [string, string])[] = [
      ['ArrowDown', '3:2'],
      ['ArrowDown', '4:2'],
      ['ArrowRight', '4:3'],
      ['ArrowRight', '4:4'],
      ['ArrowLeft', '4:3'],
      ['ArrowUp', '3:3'],
      ['Home', '3:1'],
      ['End', '3:9'],
      ['ArrowRight', '3:9'],
      ['Home', '3:1'],
      ['ArrowLeft', '3:1'],
      ['Control+End', '19:9'],
      ['ArrowDown', '19:9'],
      ['Control+Home', '2:1'],
      ['ArrowUp', '1:1'],
      ['ArrowUp', '1:1'],
      ['ArrowRight', '1:2'],
      ['ArrowDown', '2:2'],
      ['PageDown', '*'],
      ['PageUp', '2:2'],
    ];
    for (const [key, expected] of steps) {
      await page.keyboard.press(key);
      if (expected !== '*') expect([key, await place(page)]).toEqual([key, expected]);
    }
    // the headings sort
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await settled(page);
    // rows are selected one by one, as a range, all, and none
    const selected = page.getByRole('row', { selected: true });
    const selectedAfter = async (keys: readonly string[], count: number): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
      await expect.poll(() => selected.count()).toBe(count);
    };
    await selectedAfter(['ArrowDown', 'Space'], 1);
    await selectedAfter(['ArrowDown', 'ArrowDown', 'Shift+Space'], 3);
    await selectedAfter(['Control+a'], 18);
    await selectedAfter(['Escape'], 0);
    // an editor that is left gives the focus back to its cell
    await page.keyboard.press('Control+Home');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
    const before = await place(page);
    await page.keyboard.press('F2');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => place(page)).toBe(before);
  }));

test('five services get another owner in five clicks, and Undo brings each back', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await openTable(page);
    const before = await owners();
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await boxes.nth(0).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await page.getByText('5 selected').waitFor();
    await picture('grid-selected');
    await page.getByRole('button', { name: 'Set owner' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 5 services' });
    await dialog.waitFor();
    await page.getByRole('option', { name: 'Developer Platform' }).click();
    await dialog.getByText(/^\d will change/).waitFor();
    await picture('grid-bulk-edit');
    await dialog.getByRole('button', { name: /^Change \d service/ }).click();
    await page.getByText(/services? changed$/).waitFor();
    const after = await owners();
    const changed = Object.keys(before).filter((identifier) => before[identifier] !== after[identifier]);
    expect(changed.length).toBeGreaterThan(2);
    expect(new Set(changed.map((identifier) => after[identifier]))).toEqual(new Set(['developer-platform']));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/services? restored$/).waitFor();
    expect(await owners()).toEqual(before);
    expect(await seriousFindings(page)).toEqual([]);
  }));

test('a reload brings back search, filter and sort; "Clear filters" ends the search too', () =>
  visit(browser, product, wide, async ({ page }) => {
    await openTable(page, '/catalog/service');
    await page.getByText('8 of 18 services').waitFor();
    await page.getByRole('button', { name: 'Title', exact: true }).click();
    await page.getByRole('textbox', { name: 'Search in Services' }).fill('rate');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('rate');
    await page.getByText(/^\d of 18 services$/).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search in Services' }).inputValue()).toBe('rate');
    await page.getByRole('button', { name: /^Remove the filter Tags/ }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('18 services', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search in Services' }).inputValue()).toBe('');
    expect(new URL(page.url()).searchParams.has('q')).toBe(false);

    await page.getByRole('textbox', { name: 'Search in Services' }).fill('nothing is called that');
    await page.getByRole('heading', { name: 'No services contain "nothing is called that"' }).waitFor();
    await page.getByRole('button', { name: 'Show all 18' }).click();
    await page.getByText('18 services', { exact: true }).waitFor();
  }));

test('an outdated or broken address shows the table, and says what it left out', () =>
  visit(browser, product, wide, async ({ page }) => {
    const view = JSON.stringify({
      filter: { combinator: 'and', rules: [{ property: 'removed', operator: '=', value: 1 }] },
      sort: { property: 'removed', order: 'asc' },
      columns: ['$title', 'removed', 'lifecycle'],
    });
    await openTable(page, `/catalog/service?view=${encodeURIComponent(view)}`);
    await page.getByText('Not applied, because this type does not have it: removed').waitFor();
    await page.getByText('18 services', { exact: true }).waitFor();
    await page.goto('/catalog/service?view=nonsense&q=%7B%22a%22%3A1%7D');
    await page.getByText('8 of 18 services').waitFor();
  }));

test('no table of the demo scrolls sideways at 1440', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, product);
    const { body } = await ask('GET', '/pages');
    const { pages } = body as { pages: readonly { identifier: string; type?: string }[] };
    const tables = pages.filter(({ type }) => type === 'blueprint-entities').map(({ identifier }) => identifier);
    expect(tables.length).toBeGreaterThan(3);
    const tooWide: string[] = [];
    for (const identifier of tables) {
      await page.goto(`/catalog/${identifier}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      const over = await page.evaluate<number>(`(() => {
        const scroller = document.querySelector('[role=grid]')?.parentElement;
        return scroller ? scroller.scrollWidth - scroller.clientWidth : 0;
      })()`);
      if (over > 0) tooWide.push(`${identifier} by ${over}`);
      if (identifier === 'service') await picture('grid-services');
    }
    expect(tooWide).toEqual([]);
  }));

test('the menu of a row opens again by Enter after Escape closed it, as often as somebody likes', () =>
  visit(browser, product, wide, async ({ page }) => {
    await openTable(page);
    await page.getByRole('textbox', { name: 'Search in Services' }).focus();
    for (let tabs = 0; (await place(page)) === ':' && tabs < 20; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    expect(await place(page)).toBe('2:9');
    const menu = page.getByRole('menu');
    for (let round = 0; round < 3; round += 1) {
      await page.keyboard.press('Enter');
      await menu.getByRole('menuitem', { name: 'Copy the link' }).waitFor();
      await expect.poll(() => menu.evaluate((each) => each.contains(each.ownerDocument.activeElement))).toBe(true);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      expect(await place(page)).toBe('2:9');
    }
    // a second Escape leaves the button for its cell, and Enter opens from there too
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await menu.getByRole('menuitem', { name: 'Copy the link' }).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowDown');
    expect(await place(page)).toBe('3:9');
  }));

test('a heading shows how its values are spread, and filters by them without a pointer', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await openTable(page);
    await page.getByText('18 services', { exact: true }).waitFor();
    const { body } = await ask('POST', '/blueprints/service/entities/group', { groupBy: 'lifecycle' });
    const { groups } = body as { groups: readonly { value: string | null; count: number }[] };
    const [first] = groups.filter(({ value }) => value !== null);
    if (!first?.value) throw new Error('No service of the demo has a lifecycle');
    const strip = page.getByRole('button', { name: /^Lifecycle: / });
    await strip.waitFor();
    expect(await strip.getAttribute('aria-label')).toContain(`${first.value} ${first.count}`);
    await settled(page);
    await picture('grid-strips');
    expect(await seriousFindings(page)).toEqual([]);

    const heading = page.getByRole('columnheader', { name: /^Lifecycle/ });
    await heading.focus();
    const before = await place(page);
    await page.keyboard.press('Shift+Enter');
    const value = page.getByRole('menuitemcheckbox', { name: new RegExp(`^${first.value}`) });
    await value.waitFor();
    await expect.poll(() => page.evaluate(`getComputedStyle(document.querySelector('[role=menu]')).opacity`)).toBe('1');
    await picture('grid-strip-menu');
    expect(await seriousFindings(page)).toEqual([]);
    await value.press('Enter');
    await page.getByText(`${first.count} of 18 services`, { exact: true }).waitFor();
    expect(await value.getAttribute('aria-checked')).toBe('true');
    expect(new URL(page.url()).searchParams.get('view')).toContain(first.value);
    // the others keep their counts, so that one of them can be chosen too
    const others = page.getByRole('menuitemcheckbox', { checked: false, disabled: false });
    await others.first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => place(page)).toBe(before);
    await page.getByRole('button', { name: `Lifecycle: ${first.value} ${first.count}`, exact: true }).waitFor();
    await picture('grid-strip-chosen');
    await page.reload();
    await page.getByText(`${first.count} of 18 services`, { exact: true }).waitFor();
    await page.getByRole('button', { name: `Lifecycle: ${first.value} ${first.count}`, exact: true }).click();
    await value.click();
    await page.getByText('18 services', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('view') ?? '').not.toContain(first.value);
  }));

test('the shares follow the search and changes by others', () =>
  visit(browser, product, wide, async ({ page }) => {
    await openTable(page);
    const strip = page.getByRole('button', { name: /^Lifecycle: / });
    await strip.waitFor();
    const whole = await strip.getAttribute('aria-label');
    await page.getByRole('textbox', { name: 'Search in Services' }).fill('rate');
    await expect.poll(() => strip.getAttribute('aria-label')).not.toBe(whole);
    await page.getByRole('textbox', { name: 'Search in Services' }).fill('');
    await expect.poll(() => strip.getAttribute('aria-label')).toBe(whole);
    const made = {
      identifier: 'counted-live',
      properties: { language: 'Go', lifecycle: 'beta' },
      relations: { domain: 'routing' },
    };
    expect((await ask('POST', '/blueprints/service/entities', made)).status).toBe(201);
    await expect.poll(() => strip.getAttribute('aria-label')).not.toBe(whole);
    await ask('DELETE', '/blueprints/service/entities/counted-live');
    await expect.poll(() => strip.getAttribute('aria-label')).toBe(whole);
  }));
