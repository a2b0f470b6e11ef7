import type { Browser, Page } from 'playwright-core';
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
const rateEngine = '/e/service/rate-engine';

let browser: Browser;
let product: Product;
let ask: Ask;

withProduct((opened) => {
  ({ browser, product, ask } = opened);
});

async function openEntity(page: Page, path = rateEngine): Promise<void> {
  await page.goto(path);
  await signIn(page, product);
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  await settled(page);
}

/** The bottom edge of what answers a question. */
async function bottomOf(page: Page, label: string, answer: RegExp): Promise<number> {
  const fact = page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });
  await fact.getByText(answer).first().waitFor();
  const box = await fact.boundingBox();
  return box ? box.y + box.height : Number.POSITIVE_INFINITY;
}

const movedWithin = `new Promise((resolve) => {
  let moved = 0;
  const isOfScreen = (source) => source.node?.parentElement?.closest?.('main') != null;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput && entry.sources.some(isOfScreen)) moved += entry.value;
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(moved), 0);
})`;

test('who owns it, whether it is well, who is on call and what changed stand in the first screenful', () =>
  visit(browser, product, screen, async ({ page, picture }) => {
    await openEntity(page);
    for (const [label, answer] of [
      ['Owner', /Billing & Rates/],
      ['Lifecycle', /production/],
      ['Risk', /Low/],
      ['On call', /Clara Novak/],
      ['Last deployment', /3\.12\.1/],
      ['Incidents', /^0 open$/],
      ['Scorecard', /Bronze/],
    ] as const) {
      expect(await bottomOf(page, label, answer), label).toBeLessThan(300);
    }
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.getByRole('link', { name: /3\.12\.1 to prod-us/ }).waitFor();
    const strip = await changed.boundingBox();
    expect((strip?.y ?? 900) + (strip?.height ?? 900)).toBeLessThan(420);
    const links = await page.getByRole('region', { name: 'Links' }).boundingBox();
    expect((links?.y ?? 900) + (links?.height ?? 900)).toBeLessThan(900);
    await picture('entity-1440');
    expect(await seriousFindings(page)).toEqual([]);

    await page.reload();
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    await settled(page);
    expect(await page.evaluate<number>(movedWithin)).toBe(0);
  }));

test('a record without an owner says so, and offers to assign one', async () => {
  const body = {
    identifier: 'ownerless',
    properties: { language: 'Go', lifecycle: 'beta' },
    relations: { domain: 'routing' },
  };
  expect((await ask('POST', '/blueprints/service/entities', body)).status).toBe(201);
  await visit(browser, product, screen, async ({ page }) => {
    await openEntity(page, '/e/service/ownerless');
    await page.getByText('No owner').waitFor();
    await page.getByRole('link', { name: 'Assign owner' }).click();
    await page.getByRole('combobox', { name: 'Owning Teams' }).waitFor();
  });
  await ask('DELETE', '/blueprints/service/entities/ownerless');
});

test('the time line is walked with the arrow keys, and says what each mark stands for', () =>
  visit(browser, product, screen, async ({ page }) => {
    await openEntity(page);
    await page.getByText('30 d', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('span')).toBe('"30"');
    await page
      .getByRole('list', { name: 'All events, newest first' })
      .getByText(/3\.12\.0 to prod-eu/)
      .waitFor({ state: 'attached' });
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    const line = page.getByRole('listbox', { name: 'Events on the time line' });
    await expect.poll(() => line.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Home');
    const chosen = line.locator('[aria-selected=true]');
    expect(await chosen.getAttribute('aria-label')).toMatch(/^Deployment: Rate Engine 3\.12\.0 to prod-eu, succeeded/);
    const told = page.getByRole('region', { name: 'What changed' }).getByRole('status');
    expect(await told.getByRole('link').allTextContents()).toEqual(['Rate Engine 3.12.0 to prod-eu']);
    await page.keyboard.press('End');
    expect(await chosen.getAttribute('aria-label')).not.toMatch(/3\.12\.0/);
    await page.keyboard.press('Escape');
    expect(await chosen.count()).toBe(0);
    await page.reload();
    await page.getByRole('radio', { name: '30 d', checked: true }).waitFor({ state: 'attached' });
  }));

test('what changed at the dependencies is shown on request, and again the next time', () =>
  visit(browser, product, screen, async ({ page, picture }) => {
    await ask('PATCH', '/blueprints/service/entities/identity', { properties: { version: '99.1.0' } });
    await openEntity(page, '/e/service/rate-engine?span=%2230%22');
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.getByRole('checkbox', { name: 'Dependencies' }).check();
    await changed.getByText(/^\d+ dependenc(y|ies)$/).waitFor();
    const all = page.getByRole('list', { name: 'All events, newest first' });
    await all
      .getByText(/^\w+ of .+: /)
      .first()
      .waitFor({ state: 'attached' });
    const line = page.getByRole('listbox', { name: 'Changes of dependencies' });
    await line.focus();
    await page.keyboard.press('End');
    await line.locator('[aria-selected=true]').waitFor();
    await settled(page);
    await picture('entity-dependencies');
    expect(await seriousFindings(page)).toEqual([]);
    await page.reload();
    await changed.getByText(/^\d+ dependenc(y|ies)$/).waitFor();
    await settled(page);
    expect(await page.evaluate<number>(movedWithin)).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    await settled(page);
    await picture('entity-dependencies-360');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await changed.getByRole('checkbox', { name: 'Dependencies' }).uncheck();
    await line.waitFor({ state: 'detached' });
  }));

test('the layout of a type is changed, shown to everybody, and taken back', () =>
  visit(browser, product, screen, async ({ page, picture }) => {
    await openEntity(page);
    await page.getByRole('button', { name: 'Edit layout' }).click();
    await page.getByRole('button', { name: 'Hide Last build' }).click();
    await page.getByRole('button', { name: 'Pin Availability promise to the header' }).waitFor();
    await page.getByRole('button', { name: 'Unpin Risk from the header' }).first().click();
    await page.getByRole('button', { name: 'Pin Availability promise to the header' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Group title' }).nth(1).fill('Facts');
    await picture('entity-layout');
    // tall enough that no bar covers anything by half
    await page.setViewportSize({ width: 1440, height: 6_000 });
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize(screen.viewport);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The layout of Service was saved').waitFor();

    await page.goto('/e/service/route-planner');
    const facts = page.getByRole('region', { name: 'Facts', exact: true });
    await facts.getByText('Language').waitFor();
    expect(await page.getByText('Last build').count()).toBe(0);
    const header = page.locator('dl').first();
    expect(await header.getByText('Risk', { exact: true }).count()).toBe(0);

    await page.goto(rateEngine);
    await page.getByRole('button', { name: 'Edit layout' }).click();
    await page.getByRole('button', { name: 'Back to suggested' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The layout of Service was saved').waitFor();
    await page.getByRole('button', { name: 'Close layout' }).click();
    await page.getByRole('region', { name: 'Service', exact: true }).getByText('Last build').waitFor();
    const stored = await ask('GET', '/pages/serviceEntity');
    expect(JSON.stringify(stored.body)).not.toContain('"portolan":');
  }));

test('a tab that the page of the type adds is shown, with the entity as its subject', async () => {
  const { page: stored } = (await ask('GET', '/pages/serviceEntity')).body as {
    page: { widgets: { groups: object[] }[] };
  };
  const [tabs] = stored.widgets;
  const own = {
    title: 'Handbook',
    widgets: [{ id: 'own', type: 'markdown', title: 'Notes', markdown: 'Read me first' }],
  };
  const body = { type: 'entity', blueprint: 'service', widgets: [{ ...tabs, groups: [...(tabs?.groups ?? []), own] }] };
  expect((await ask('PUT', '/pages/serviceEntity', body)).status).toBe(200);
  await visit(browser, product, screen, async ({ page }) => {
    await openEntity(page);
    await page.getByRole('tab', { name: 'Handbook' }).click();
    await page.getByText('Read me first').waitFor();
    await page.reload();
    await page.getByText('Read me first').waitFor();
  });
  await ask('PUT', '/pages/serviceEntity', { type: 'entity', blueprint: 'service', widgets: stored.widgets });
});

test('related entities have a tab for each relation with how many there are', () =>
  visit(browser, product, screen, async ({ page, picture }) => {
    await openEntity(page, `${rateEngine}/related`);
    await page.getByRole('tab', { name: /^Related\s*\d+/ }).waitFor();
    await page.getByRole('tab', { name: /^Deployment whose .* is this\s*3$/ }).click();
    await page.getByRole('link', { name: 'Rate Engine 3.12.1 to prod-us' }).first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('over')).toBe('from-deployment-service');
    await page.getByRole('button', { name: /empty relation/ }).click();
    await page.getByRole('menuitem').first().click();
    await page.getByText('No related entities').waitFor();
    await picture('entity-related');
  }));

test('on a phone nothing is wider than the screen', () =>
  visit(browser, product, phone, async ({ page, picture }) => {
    await openEntity(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await picture('entity-360');
    expect(await seriousFindings(page)).toEqual([]);
  }));
