import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, askAs } from './support/api.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };

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

async function made(path: string, body: object, method = 'POST'): Promise<Record<string, never>> {
  const answer = await ask(method, path, body);
  expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
  return answer.body as Record<string, never>;
}

/** For journeys on which the server refuses something: refusals are complaints on the others. */
async function signedIn(path: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto(path);
  await signIn(page, product);
  return { context, page };
}

/** Puts another text into an editor, as pasting does. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function makeBlueprint(identifier: string): Promise<void> {
  const schema = { properties: { weight: { type: 'number', title: 'Weight' } } };
  await made('/blueprints', { identifier, title: identifier, schema });
  await made(`/blueprints/${identifier}/entities`, { identifier: 'one', title: 'One' });
}

async function makeAutomation(identifier: string): Promise<void> {
  await made('/actions', {
    identifier,
    title: identifier,
    publish: false,
    trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } },
    invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook', body: { a: 1 } },
  });
}

async function makeWebhook(identifier: string): Promise<void> {
  const mappings = [{ blueprint: 'service', entity: { identifier: '.body.id' } }];
  await made('/webhooks', { identifier, title: identifier, mappings });
}

interface Form {
  readonly name: string;
  /** Makes what is edited; answers where. */
  readonly begin: () => Promise<string>;
  readonly change: (page: Page) => Promise<void>;
  readonly save: (page: Page) => Promise<void>;
  /** What was typed stands there still. */
  readonly isKept: (page: Page) => Promise<void>;
  readonly isSaved: () => Promise<boolean>;
}

const pressSave = (page: Page) => page.keyboard.press('Control+s');
const titleOf = async (path: string, key: string) =>
  ((await ask('GET', path)).body as Record<string, Record<string, unknown>>)[key]?.['title'];
let number = 0;

/** Every form is begun anew, so that tests do not meet. */
function forms(): readonly Form[] {
  number += 1;
  const name = (what: string) => `${what}_${number}`;
  const titled = (label: string, path: string, key: string, place: string): Omit<Form, 'name' | 'begin'> => ({
    change: (page) => page.getByLabel(label, { exact: true }).first().fill('Typed'),
    save: pressSave,
    isKept: async (page) => expect(await page.getByLabel(place, { exact: true }).first().inputValue()).toBe('Typed'),
    isSaved: async () => (await titleOf(path, key)) === 'Typed',
  });
  const [blueprint, automation, webhook] = [name('form_blueprint'), name('form_automation'), name('form_hook')];
  return [
    {
      name: 'an entity',
      begin: async () => {
        await makeBlueprint(blueprint);
        return `/e/${blueprint}/one/edit`;
      },
      ...titled('Title', `/blueprints/${blueprint}/entities/one`, 'entity', 'Title'),
      save: (page) => page.getByRole('button', { name: 'Save' }).click(),
    },
    {
      name: 'a blueprint',
      begin: async () => {
        await makeBlueprint(`${blueprint}_b`);
        return `/builder/data-model/${blueprint}_b?tab=general`;
      },
      ...titled('Title', `/blueprints/${blueprint}_b`, 'blueprint', 'Title'),
    },
    {
      name: 'an automation',
      begin: async () => {
        await makeAutomation(automation);
        return `/builder/automations/${automation}`;
      },
      ...titled('Title', `/actions/${automation}`, 'action', 'Title'),
    },
    {
      name: 'mappings of a webhook',
      begin: async () => {
        await makeWebhook(webhook);
        return `/builder/sources/webhooks/${webhook}?tab=mappings`;
      },
      change: (page) =>
        write(page, 'Mappings as YAML', '- blueprint: service\n  entity:\n    identifier: .body.typed\n'),
      save: pressSave,
      isKept: (page) =>
        page.getByRole('textbox', { name: 'Mappings as YAML', exact: true }).getByText('.body.typed').waitFor(),
      isSaved: async () => JSON.stringify((await ask('GET', `/webhooks/${webhook}`)).body).includes('.body.typed'),
    },
  ];
}

const indexes = [0, 1, 2, 3] as const;
const nameOf = ['an entity', 'a blueprint', 'an automation', 'mappings of a webhook'] as const;

function formAt(index: number): Form {
  const form = forms()[index];
  if (!form) throw new Error(`There is no form ${index}`);
  return form;
}

describe.each(indexes.map((index) => [nameOf[index], index] as const))('the form of %s', (_name, index) => {
  test('keeps what was typed when the session ends, and saves it after the sign-in', async () => {
    const form = formAt(index);
    const { context, page } = await signedIn(await form.begin());
    await form.change(page);
    await context.clearCookies();
    await form.save(page);
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password', { exact: true }).fill(product.person.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'hidden' });
    await form.isKept(page);
    expect(await form.isSaved()).toBe(false);
    await form.save(page);
    await expect.poll(form.isSaved, { timeout: 10_000 }).toBe(true);
    await context.close();
  });

  test('keeps what was typed when the server fails, says that, and saves it once it does not', async () => {
    const form = formAt(index);
    const { context, page } = await signedIn(await form.begin());
    await form.change(page);
    await page.route('**/v1/**', (route) =>
      ['PUT', 'PATCH', 'POST'].includes(route.request().method()) && !/search|test/.test(route.request().url())
        ? route.fulfill({
            status: 500,
            json: { ok: false, error: 'internal_error', message: 'It broke here', requestId: 'r' },
          })
        : route.continue(),
    );
    await form.save(page);
    await page
      .getByText(/It broke here/)
      .first()
      .waitFor();
    await form.isKept(page);
    await page.unrouteAll();
    await form.save(page);
    await expect.poll(form.isSaved, { timeout: 10_000 }).toBe(true);
    await context.close();
  });
});

describe('where somebody else saved first', () => {
  const conflict = async (page: Page, theirs: string, mine: string) => {
    const dialog = page.getByRole('dialog', { name: /was changed meanwhile$/ });
    await dialog.getByRole('region', { name: 'Theirs, which is saved' }).getByText(theirs).first().waitFor();
    await dialog.getByRole('region', { name: 'Yours, not saved' }).getByText(mine).first().waitFor();
    return dialog;
  };

  test('a blueprint shows what both changed, and nothing of theirs is lost unasked', async () => {
    await makeBlueprint('both_blueprint');
    const { context, page } = await signedIn('/builder/data-model/both_blueprint?tab=general');
    await page.getByLabel('Title', { exact: true }).first().fill('Mine');
    await made('/blueprints/both_blueprint', { description: 'Theirs' }, 'PATCH');
    await pressSave(page);
    const dialog = await conflict(page, 'Theirs', 'Mine');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await titleOf('/blueprints/both_blueprint', 'blueprint')).toBe('both_blueprint');
    expect(await page.getByLabel('Title', { exact: true }).first().inputValue()).toBe('Mine');
    await pressSave(page);
    await dialog.getByRole('button', { name: 'Replace their changes' }).click();
    await expect.poll(() => titleOf('/blueprints/both_blueprint', 'blueprint')).toBe('Mine');
    await context.close();
  });

  test('an automation shows what both changed', async () => {
    await makeAutomation('both_automation');
    const { context, page } = await signedIn('/builder/automations/both_automation');
    await page.getByLabel('Title', { exact: true }).first().fill('Mine');
    const { action } = (await ask('GET', '/actions/both_automation')).body as { action: Record<string, unknown> };
    const { id, createdAt, createdBy, updatedAt, updatedBy, ...kept } = action;
    await made('/actions/both_automation', { ...kept, description: 'Theirs' }, 'PUT');
    await pressSave(page);
    const dialog = await conflict(page, 'Theirs', 'Mine');
    await dialog.getByRole('button', { name: 'Replace their changes' }).click();
    await expect.poll(() => titleOf('/actions/both_automation', 'action')).toBe('Mine');
    await context.close();
  });

  test('mappings show what both changed, and follow what others save while nothing is typed', async () => {
    await makeWebhook('both_hook');
    const { context, page } = await signedIn('/builder/sources/webhooks/both_hook?tab=mappings');
    const editor = page.getByRole('textbox', { name: 'Mappings as YAML', exact: true });
    await editor.getByText('.body.id').waitFor();
    const mapping = (identifier: string) => ({ mappings: [{ blueprint: 'service', entity: { identifier } }] });
    await write(page, 'Mappings as YAML', '- blueprint: service\n  entity:\n    identifier: .body.mine\n');
    await made('/webhooks/both_hook', mapping('.body.theirs'), 'PATCH');
    await pressSave(page);
    const dialog = await conflict(page, '.body.theirs', '.body.mine');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(JSON.stringify((await ask('GET', '/webhooks/both_hook')).body)).toContain('.body.theirs');
    await editor.getByText('.body.mine').waitFor();
    await pressSave(page);
    await dialog.getByRole('button', { name: 'Replace their changes' }).click();
    await expect
      .poll(async () => JSON.stringify((await ask('GET', '/webhooks/both_hook')).body))
      .toContain('.body.mine');
    await context.close();
  });
});

test('an entity that is deleted while somebody reads it says so, and who and when', async () => {
  await makeBlueprint('fading');
  const { context, page } = await signedIn('/e/fading/one');
  await page.getByRole('heading', { name: 'One', level: 1 }).waitFor();
  await settled(page);
  expect((await ask('DELETE', '/blueprints/fading/entities/one')).status).toBe(200);
  await page.getByText('one was deleted').waitFor({ timeout: 20_000 });
  await page
    .getByText(/by journeys|journeys/)
    .first()
    .waitFor();
  await context.close();
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
        await page.goto(`/catalog/hostile_page/edit${tab}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await isInert(page);
      }
      await page.goto('/catalog/hostile_page/edit');
      await page.getByRole('button', { name: /^Edit Links/ }).click();
      await page.getByRole('region', { name: 'Preview' }).waitFor();
      await isInert(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
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
        '/builder/data-model?search=img',
        '/builder/data-model?view=graph',
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
        await page.goto(place);
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
    await makeAutomation('hostile_automation');
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
      title: bad.slice(0, 30),
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
        await page.goto(place);
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (!(await isInert(page))) without.push(place);
      }
      expect(without).toEqual([]);
      await page.goto('/builder/sources/webhooks/hostile_hook?tab=mappings');
      await write(
        page,
        'Mappings as YAML',
        '- blueprint: \'"service"\'\n  entity:\n    identifier: .body.id\n    title: .body.id\n',
      );
      await write(page, 'Sample as JSON', JSON.stringify({ body: { id: bad } }));
      await page.getByRole('region', { name: 'What it makes of it' }).getByText('window.hurt').first().waitFor();
      await isInert(page);
    });
    for (const each of ['hostile_action', 'hostile_automation']) await ask('DELETE', `/actions/${each}`);
    await ask('DELETE', '/webhooks/hostile_hook');
  });
});
