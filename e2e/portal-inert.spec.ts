import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { visit } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { makeAutomation, withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { writeText } from './support/write-text.ts';

const wide = { viewport: { width: 1360, height: 850 } };

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

const bad = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`;
const script = 'javascript:window.hurt=1';
const markdown = `${bad}\n\n[bad](${script}) ![x](https://elsewhere.example/p.png) <iframe src="${script}"></iframe>\n\n<a href="${script}">link</a>`;

/**
 * Nothing of what was written ran, leads to a script or was fetched; the visit itself fails on what the policy stopped.
 * Answers whether it is shown at all.
 */
async function isInert(page: Page): Promise<boolean> {
  await settled(page);
  const found = await page.evaluate(`({
    hurt: window.hurt,
    links: [...document.querySelectorAll('[href], [src], [action], [formaction]')]
      .flatMap((each) => ['href', 'src', 'action', 'formaction'].map((name) => each.getAttribute(name) ?? ''))
      .filter((address) => /^\\s*(javascript|data:text|vbscript)/i.test(address)),
    pictures: document.querySelectorAll('main img[src*=elsewhere], main img[src=x], [role=dialog] img').length,
    handlers: document.querySelectorAll('[onerror], [onload], [onclick]').length,
    frames: document.querySelectorAll('iframe').length,
  })`);
  expect([page.url(), found]).toEqual([page.url(), { links: [], pictures: 0, handlers: 0, frames: 0 }]);
  const shown = `${await page.locator('body').innerText()} ${await page.locator('main').innerHTML()}`;
  return shown.includes('window.hurt');
}

describe('what people write runs nothing', () => {
  test('on a page, in its editor, its filters and the side bar', async () => {
    const widgets = [
      { id: 'text', type: 'markdown', title: bad, icon: bad, description: bad, source: 'custom', markdown },
      {
        id: 'links',
        type: 'links-widget',
        title: 'Links',
        links: [{ title: bad, url: script, description: bad, icon: bad }],
      },
      { id: 'frame', type: 'iframe-widget', title: bad, url: script, urlType: 'public' },
      { id: 'data', type: 'iframe-widget', title: 'Data', url: `data:text/html,${bad}`, urlType: 'public' },
      { id: 'odd', type: bad, title: bad },
      { id: 'run', type: 'run-info', title: bad },
    ];
    const layout = widgets.map(({ id }) => ({ height: 400, columns: [{ id, size: 12 }] }));
    const rules = [{ property: bad, operator: bad, value: bad }];
    await made('/sidebars/catalog/folders', { identifier: 'hostile_folder', title: bad });
    await made('/pages', {
      identifier: 'hostile_page',
      title: bad,
      icon: bad,
      description: markdown,
      type: 'dashboard',
      parent: 'hostile_folder',
      pageFilters: [{ identifier: 'f', title: bad, query: { blueprint: bad, combinator: 'and', rules } }],
      widgets: [{ id: 'board', type: 'dashboard-widget', layout, widgets }],
    });
    await visit(browser, product, wide, async ({ page, complaints }) => {
      await page.goto('/catalog/hostile_page');
      await signIn(page, product);
      await page.getByRole('heading', { level: 1 }).getByText('window.hurt').waitFor();
      await isInert(page);
      for (const tab of ['', '?tab=page', '?tab=rights', '?tab=json']) {
        await goTo(page, `/catalog/hostile_page/edit${tab}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await isInert(page);
      }
      await page.goto('/catalog/hostile_page/edit');
      await page.getByRole('button', { name: /^Edit Links/ }).click();
      const form = page.getByRole('complementary', { name: /^Edit Links/ });
      await form.getByLabel('Description').first().waitFor();
      await isInert(page);
      await form.getByRole('button', { name: 'Cancel' }).click();
      await form.waitFor({ state: 'hidden' });
      await page.getByRole('navigation', { name: 'Pages' }).getByText('window.hurt').first().waitFor();
      await page
        .getByRole('button', { name: /^More for .*window\.hurt/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('dialog').waitFor();
      await isInert(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('#img');
      await page.getByRole('option').first().waitFor();
      await isInert(page);
      // the blueprint that the filter names is nowhere
      expect(complaints.filter((each) => !/404|Failed to load resource/.test(each))).toEqual([]);
      (complaints as string[]).length = 0;
    });
    await ask('DELETE', '/pages/hostile_page');
    await ask('DELETE', '/sidebars/catalog/folders/hostile_folder');
  });

  test('in the data model, the form of an entity and its screen', async () => {
    await made('/blueprints', {
      identifier: 'hostile_blueprint',
      title: bad,
      icon: bad.slice(0, 50),
      description: markdown.slice(0, 200),
      schema: {
        properties: {
          kind: { type: 'string', title: bad, description: bad, enum: [bad, 'plain'], enumColors: { plain: 'red' } },
          site: { type: 'string', format: 'url', title: 'Site' },
          text: { type: 'string', format: 'markdown', title: 'Text' },
          picture: { type: 'string', format: 'url', spec: 'embedded-url', title: 'Frame' },
        },
      },
      calculationProperties: { made: { type: 'string', title: bad, calculation: '.properties.kind' } },
    });
    await made('/blueprints/hostile_blueprint/entities', {
      identifier: 'one',
      title: bad,
      icon: bad,
      properties: { kind: bad, text: markdown },
    });
    await visit(browser, product, wide, async ({ page }) => {
      await page.goto('/builder/data-model');
      await signIn(page, product);
      const places = [
        '/builder/data-model?view=list&search=img',
        '/builder/data-model?view=map&type=hostile_blueprint',
        '/builder/data-model?view=focus&focus=hostile_blueprint&properties=true',
        ...['', '?tab=computed', '?tab=general', '?tab=json', '?tab=ownership'].map(
          (tab) => `/builder/data-model/hostile_blueprint${tab}`,
        ),
        '/builder/data-model/hostile_blueprint/permissions',
        '/catalog/hostile_blueprints',
        '/new/hostile_blueprint',
        '/e/hostile_blueprint/one',
        '/e/hostile_blueprint/one/edit',
        '/e/hostile_blueprint/one/audit',
      ];
      const without: string[] = [];
      for (const place of places) {
        await goTo(page, place);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (!(await isInert(page))) without.push(place);
      }
      expect(without).toEqual([]);
    });
    await ask('DELETE', '/blueprints/hostile_blueprint/all-entities?delete_blueprint=true');
  });

  test('in actions, runs, automations and the mapping of a webhook', async () => {
    await made('/actions', {
      identifier: 'hostile_action',
      title: bad.slice(0, 90),
      icon: bad.slice(0, 50),
      description: markdown.slice(0, 190),
      trigger: {
        type: 'self-service',
        operation: 'CREATE',
        userInputs: { properties: { a: { type: 'string', title: bad, description: bad, enum: [bad] } } },
      },
      invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook' },
    });
    const { run } = (await made('/actions/hostile_action/runs', { properties: { a: bad } })) as { run: { id: string } };
    await ask('PATCH', `/actions/runs/${run.id}`, {
      summary: bad,
      statusLabel: bad,
      link: [script, 'data:text/html,x'],
    });
    await ask('POST', `/actions/runs/${run.id}/logs`, { message: `${bad} [x](${script})` });
    await makeAutomation(made, 'hostile_automation');
    const { action } = (await ask('GET', '/actions/hostile_automation')).body as { action: Record<string, unknown> };
    const { id, createdAt, createdBy, updatedAt, updatedBy, ...kept } = action;
    const condition = { type: 'JQ', expressions: [bad], combinator: 'and' };
    await made(
      '/actions/hostile_automation',
      {
        ...kept,
        title: bad.slice(0, 90),
        description: markdown.slice(0, 190),
        trigger: { ...(kept['trigger'] as object), condition },
        invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook', body: { text: bad } },
      },
      'PUT',
    );
    await made('/webhooks', {
      identifier: 'hostile_hook',
      title: '<svg onload=window.hurt=1>',
      description: bad,
      mappings: [{ blueprint: 'service', filter: bad, entity: { identifier: bad, title: '.body.id' } }],
    });
    await visit(browser, product, wide, async ({ page }) => {
      await page.goto('/self-service');
      await signIn(page, product);
      const places = [
        '/self-service',
        '/self-service/hostile_action',
        `/runs/${run.id}`,
        '/runs',
        '/builder/automations',
        '/builder/automations/hostile_automation',
        '/builder/automations/hostile_automation?view=json',
        '/builder/automations/hostile_automation?tab=test',
        '/builder/sources',
        '/builder/sources/webhooks/hostile_hook?tab=mappings',
        '/builder/sources/webhooks/hostile_hook?tab=settings',
      ];
      const without: string[] = [];
      for (const place of places) {
        await goTo(page, place);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (!(await isInert(page))) without.push(place);
      }
      expect(without).toEqual([]);
      await page.goto('/builder/sources/webhooks/hostile_hook?tab=mappings');
      await writeText(
        page,
        'Mappings as YAML',
        '- blueprint: \'"service"\'\n  entity:\n    identifier: .body.id\n    title: .body.id\n',
      );
      await writeText(page, 'Sample as JSON', JSON.stringify({ body: { id: bad } }));
      await page.getByRole('region', { name: 'Result', exact: true }).getByText('window.hurt').first().waitFor();
      await isInert(page);
    });
    for (const each of ['hostile_action', 'hostile_automation']) await ask('DELETE', `/actions/${each}`);
    await ask('DELETE', '/webhooks/hostile_hook');
  });
});
