import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, visit } from './support/browser.ts';
import { createKeyboard } from './support/keyboard.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const journeyMs = 120_000;

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

beforeAll(async () => {
  const service = { type: 'string', format: 'entity', blueprint: 'service', title: 'Service' };
  await made('/workflows', {
    identifier: 'retire',
    title: 'Sunset a service',
    nodes: [
      {
        identifier: 'form',
        config: {
          type: 'SELF_SERVE_TRIGGER',
          userInputs: { properties: { service }, required: ['service'] },
          contexts: [{ on: 'CREATE_ENTITY', blueprintIdentifier: 'service' }],
        },
      },
    ],
    connections: [],
  });
});

async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  await keepPicture(page, `workflows-${name}`);
  expect(await seriousFindings(page)).toEqual([]);
}

/** What a run began with, and the entity that it is found by. */
async function runFor(entity: string): Promise<unknown> {
  const { body } = await ask('GET', `/workflows/runs?workflow=retire&blueprint=service&entity=${entity}`);
  return (body as { runs: unknown[] }).runs.length;
}

test(
  'a form that is offered for entities stands in their menu, filled in with the entity',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/workflows/retire/edit');
      await signIn(page, product);
      await page.getByRole('button', { name: /^Trigger form/ }).click();
      await page.getByRole('switch', { name: /^In the menu of each entity of service/ }).check({ force: true });
      await page.getByRole('heading', { name: 'Where it is offered' }).scrollIntoViewIfNeeded();
      await look(page, 'offers');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Version 2').first().waitFor();

      await page.goto('/e/service/route-planner');
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sunset a service' }).waitFor();
      await settled(page);
      await keepPicture(page, 'workflows-entity-menu');
      await page.getByRole('menuitem', { name: 'Sunset a service' }).click();
      await page.getByRole('heading', { name: 'Sunset a service', level: 1 }).waitFor();
      await page.getByText('Route Planner').first().waitFor();
      await look(page, 'filled-in');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      expect(await runFor('route-planner')).toBe(1);

      // from anywhere, with keys alone
      const keys = createKeyboard(page);
      await keys.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /^Search entities, pages and commands/ }).waitFor();
      await keys.type('sanctions screening');
      await page.getByRole('option', { name: /Sanctions Screening/, selected: true }).waitFor();
      await keys.press('ArrowRight');
      await page.getByRole('option', { name: 'Open', exact: true }).waitFor();
      await keys.type('start sunset');
      await page.getByRole('option', { name: 'Start Sunset a service', selected: true }).waitFor();
      await keys.press('Enter');
      await keys.use(page.getByRole('button', { name: 'Start', exact: true }));
      await expect.poll(() => runFor('sanctions-screening')).toBe(1);
    }),
  journeyMs,
);

test(
  'a form stands where entities are made, and on a page as a card that an editor chose',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/new/service');
      await signIn(page, product);
      await page
        .getByRole('region', { name: 'Workflows that create it' })
        .getByRole('link', { name: 'Sunset a service' })
        .waitFor();
      await look(page, 'new-entity');
      await made('/pages', {
        identifier: 'doing',
        title: 'Doing',
        type: 'dashboard',
        widgets: [
          {
            id: 'board',
            type: 'dashboard-widget',
            layout: [{ height: 300, columns: [{ id: 'cards', size: 6 }] }],
            widgets: [{ id: 'cards', type: 'workflow-card-widget', title: 'What we do', items: [] }],
          },
        ],
      });
      await page.goto('/catalog/doing');
      await page.getByText('None of these workflows is for you.').waitFor();
      await page.getByRole('button', { name: 'Edit page' }).click();
      await page.getByRole('button', { name: 'Edit What we do' }).click();
      await page.getByRole('combobox', { name: 'Workflows' }).click();
      await page.getByRole('option', { name: 'Sunset a service' }).click();
      await page.keyboard.press('Escape');
      await look(page, 'card-edited');
    }),
  journeyMs,
);
