import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Make } from './support/api.ts';
import { visit } from './support/browser.ts';
import { inspectScreens } from './support/inspect-screens.ts';
import { openProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { smallestText } from './support/smallest-text.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };
const neighbors = 300;

let browser: Browser;
let product: Product;
let made: Make;

beforeAll(async () => {
  ({ browser, product, made } = await openProduct());
  await made('/blueprints', {
    identifier: 'wheel',
    title: 'Wheel',
    schema: { properties: {} },
    relations: { part_of: { title: 'Part of', target: 'wheel', many: true } },
  });
  await made('/blueprints/wheel/entities', { identifier: 'hub', title: 'Hub' });
  const inOneRequest = 20;
  for (let first = 0; first < neighbors; first += inOneRequest) {
    const entities = Array.from({ length: inOneRequest }, (_, index) => ({
      identifier: `spoke-${first + index}`,
      title: `Spoke ${first + index}`,
      relations: { part_of: ['hub'] },
    }));
    await made('/blueprints/wheel/entities/bulk', { entities });
  }
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

describe('the graph of related entities', () => {
  test('shows each relation of an entity as a list that can be read, and goes deeper by keyboard', () =>
    visit(browser, product, wide, async ({ page, picture }) => {
      await page.goto('/e/service/rate-engine/related?face=graph');
      await signIn(page, product);
      const graph = page.getByRole('region', { name: 'Relations of Rate Engine' });
      await graph.getByRole('list', { name: 'Depends on, 1' }).getByRole('link', { name: 'Identity' }).waitFor();
      await graph.getByRole('list', { name: 'Deployment, 3' }).waitFor();
      expect(await smallestText(page, '[aria-label="Relations of Rate Engine"]')).toBeGreaterThanOrEqual(12);
      expect(await graph.getByRole('list', { name: /^Rule Result/ }).count()).toBe(0);
      await expect.poll(() => graph.locator('svg path[marker-end]').count()).toBeGreaterThan(3);

      // from the entity into what it leads to, and on to the relations of that
      await graph.locator('[data-first]').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      const opened = graph.getByRole('list', { name: 'Relations of Identity' });
      await opened.waitFor();
      await picture('related-graph-opened');
      await page.reload();
      await opened.waitFor();
      expect(new URL(page.url()).searchParams.get('right')).toContain('identity');

      await page.getByRole('checkbox', { name: 'Show platform records' }).check();
      await graph
        .getByRole('list', { name: /^Rule Result/ })
        .first()
        .waitFor();
    }));

  test('stays small with 300 neighbors: five rows, a search among all of them, and the table', () =>
    visit(browser, product, wide, async ({ page, picture }) => {
      await page.goto('/e/wheel/hub/related?face=graph');
      await signIn(page, product);
      const graph = page.getByRole('region', { name: 'Relations of Hub' });
      const services = graph.getByRole('list', { name: `Wheel, ${neighbors}` });
      await services.waitFor();
      expect(await services.getByRole('link').count()).toBe(5);
      await picture('related-graph-hub');
      await page.getByLabel('Find a related entity').fill('Spoke 7');
      await graph.getByRole('list', { name: 'Wheel, 11' }).waitFor();
      await page.getByLabel('Find a related entity').fill('nothing has this name');
      await graph.getByText('Nothing matches “nothing has this name”.').first().waitFor();
      await page.getByRole('button', { name: 'Clear search' }).click();
      await services.getByRole('button', { name: `${neighbors - 5} more` }).click();
      await page.getByRole('grid').getByText('Spoke 0', { exact: true }).waitFor();
    }));
});

describe('the graph of the data model', () => {
  test('is a map from which one blueprint is selected, focused and opened', () =>
    visit(browser, product, wide, async ({ page, picture }) => {
      await page.goto('/builder/data-model?view=map');
      await signIn(page, product);
      const map = page.getByRole('region', { name: 'Map of blueprints' });
      const chip = map.locator('[data-chip=service]');
      await chip.click();
      const card = page.getByRole('complementary', { name: 'Service', exact: true });
      await card.getByText(/entities · \d+ properties/).waitFor();
      await expect.poll(() => map.locator('svg path[marker-end]').count()).toBeGreaterThan(3);
      expect(await smallestText(page)).toBeGreaterThanOrEqual(12);
      await picture('data-model-map');

      await card.getByRole('button', { name: 'Focus' }).click();
      const graph = page.getByRole('region', { name: 'Graph of blueprints' });
      await graph.locator('[data-chip=deployment]').waitFor();
      await picture('data-model-focus');
      expect(new URL(page.url()).searchParams.get('focus')).toBe('service');
      const near = await graph.getByRole('button').count();
      await page.getByText('3', { exact: true }).click();
      await expect.poll(() => graph.getByRole('button').count()).toBeGreaterThan(near);
      expect(await smallestText(page)).toBeGreaterThanOrEqual(12);
      await page.reload();
      await graph.locator('[data-chip=service]').waitFor();

      await card.getByRole('link', { name: 'Add property' }).click();
      await page.getByRole('dialog', { name: 'Add property' }).waitFor();
    }));

  test('is used without a pointer: arrows, Enter, f and l', () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/builder/data-model?view=map&search=service');
      await signIn(page, product);
      const map = page.getByRole('region', { name: 'Map of blueprints' });
      await map.locator('[data-match]').first().waitFor();
      await page.getByText(/\d+ of \d+ blueprints match/).waitFor();
      // a pointer that rests over the map points at whatever scrolls under it
      await page.mouse.move(0, 0);
      await map.locator('[data-chip=service]').focus();
      await page.getByText(/^Service, \d+ entities, \d+ relations in, \d+ out$/).waitFor();
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.activeElement.dataset.chip')).not.toBe('service');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary').getByRole('link', { name: 'Open' }).waitFor();
      await page.keyboard.press('f');
      await page.getByRole('region', { name: 'Graph of blueprints' }).waitFor();
      await page.keyboard.press('l');
      await page
        .getByRole('list', { name: 'Blueprints' })
        .getByRole('link', { name: 'Service', exact: true })
        .waitFor();
    }));

  test.each([
    ['light', 'wide', wide],
    ['dark', 'narrow', narrow],
  ] as const)(
    'can be read and used, %s, %s',
    (theme, size, options) =>
      visit(browser, product, options, async ({ page, picture }) => {
        await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
        await page.goto('/');
        await signIn(page, product);
        const paths = [
          '/e/wheel/hub/related?face=graph&platform=true',
          '/builder/data-model?view=map&type=service',
          '/builder/data-model?view=focus&focus=service&depth=2&properties=true',
        ];
        expect(await inspectScreens({ page, picture }, paths, `${theme}-${size}`)).toEqual([]);
      }),
    240_000,
  );
});

describe('a large organization', () => {
  /** Sixty blueprints with 159 relations, as a chain with shortcuts; then unconnected ones to three hundred. */
  async function makeBlueprints(first: number, count: number, relationsOf: (index: number) => readonly number[]) {
    for (let index = first; index < first + count; index += 1) {
      const targets = relationsOf(index).map((target) => [
        `to_${target}`,
        { target: `large_${target}`, title: `To ${target}` },
      ]);
      await made('/blueprints', {
        identifier: `large_${index}`,
        title: `Large ${index}`,
        schema: { properties: { size: { type: 'number' } } },
        relations: Object.fromEntries(targets),
      });
    }
  }

  test.each([
    { chips: 60, first: 0, isRelated: true },
    { chips: 300, first: 60, isRelated: false },
  ])(
    'of $chips blueprints is a map with text that can be read, and the focus on one stays small',
    async ({ chips, first, isRelated }) => {
      // each points at the three before it, every fourth at two: 159 relations in all
      const targets = (index: number) =>
        (isRelated ? [1, 2, 3] : [])
          .filter((back) => index - back >= 0 && !(back === 3 && index % 4 === 3))
          .map((back) => index - back);
      await makeBlueprints(first, chips - first, targets);
      await visit(browser, product, wide, async ({ page, picture }) => {
        await page.goto('/builder/data-model?view=map');
        await signIn(page, product);
        const drawn = page.locator('[data-map] [data-chip]');
        await expect.poll(() => drawn.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(chips - first);
        await settled(page);
        await picture(`data-model-map-${chips}`);
        expect(await smallestText(page)).toBeGreaterThanOrEqual(12);
        await page.goto(`/builder/data-model?view=focus&focus=large_${first + 30}&depth=3`);
        await page.getByRole('region', { name: 'Graph of blueprints' }).waitFor();
        await picture(`data-model-focus-${chips}`);
        expect(await page.locator('[data-item]').count()).toBeLessThanOrEqual(60);
        expect(await smallestText(page)).toBeGreaterThanOrEqual(12);
      });
    },
    180_000,
  );
});
