import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
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

/** For journeys on which the server refuses something: refusals are complaints on the others. */
async function signedIn(path: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto(path);
  await signIn(page, product);
  return { context, page };
}

async function makeBlueprint(identifier: string): Promise<void> {
  const schema = { properties: { weight: { type: 'number', title: 'Weight' } } };
  await made('/blueprints', { identifier, title: identifier, schema });
  await made(`/blueprints/${identifier}/entities`, { identifier: 'one', title: 'One' });
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
const readTitle = async (path: string, key: string) =>
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
    isSaved: async () => (await readTitle(path, key)) === 'Typed',
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
        await makeAutomation(made, automation);
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
        writeText(page, 'Mappings as YAML', '- blueprint: service\n  entity:\n    identifier: .body.typed\n'),
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
    expect(await readTitle('/blueprints/both_blueprint', 'blueprint')).toBe('both_blueprint');
    expect(await page.getByLabel('Title', { exact: true }).first().inputValue()).toBe('Mine');
    await pressSave(page);
    await dialog.getByRole('button', { name: 'Replace their changes' }).click();
    await expect.poll(() => readTitle('/blueprints/both_blueprint', 'blueprint')).toBe('Mine');
    await context.close();
  });

  test('an automation shows what both changed', async () => {
    await makeAutomation(made, 'both_automation');
    const { context, page } = await signedIn('/builder/automations/both_automation');
    await page.getByLabel('Title', { exact: true }).first().fill('Mine');
    const { action } = (await ask('GET', '/actions/both_automation')).body as { action: Record<string, unknown> };
    const { id, createdAt, createdBy, updatedAt, updatedBy, ...kept } = action;
    await made('/actions/both_automation', { ...kept, description: 'Theirs' }, 'PUT');
    await pressSave(page);
    const both = page.getByRole('alert').filter({ hasText: 'Somebody saved it while you edited it' });
    await both.getByText('Theirs', { exact: true }).waitFor();
    await both.getByText('Mine', { exact: true }).waitFor();
    await both.getByRole('button', { name: 'Keep mine' }).click();
    await pressSave(page);
    await expect.poll(() => readTitle('/actions/both_automation', 'action')).toBe('Mine');
    await context.close();
  });

  test('mappings show what both changed, and follow what others save while nothing is typed', async () => {
    await makeWebhook('both_hook');
    const { context, page } = await signedIn('/builder/sources/webhooks/both_hook?tab=mappings');
    const editor = page.getByRole('textbox', { name: 'Mappings as YAML', exact: true });
    await editor.getByText('.body.id').waitFor();
    const mapping = (identifier: string) => ({ mappings: [{ blueprint: 'service', entity: { identifier } }] });
    await writeText(page, 'Mappings as YAML', '- blueprint: service\n  entity:\n    identifier: .body.mine\n');
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
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    await made('/webhooks/both_hook', mapping('.body.later'), 'PATCH');
    await editor.getByText('.body.later').waitFor();
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
