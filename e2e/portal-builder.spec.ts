import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './support/browser.ts';
import { inspect } from './support/inspect-screens.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const crates = 12;

let browser: Browser;
let product: Product;
let headers: Readonly<Record<string, string>>;
let api: (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  const { clientId, clientSecret } = product.credentials;
  const issued = await fetch(`${product.address}/v1/auth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { accessToken } = (await issued.json()) as { accessToken: string };
  headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  api = async (method, path, body) => {
    const answer = await fetch(product.address + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read = (await answer.json()) as Record<string, never>;
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`);
    return read;
  };
  await api('POST', '/v1/blueprints', {
    identifier: 'crate',
    title: 'Crate',
    icon: 'Package',
    schema: { properties: { weight: { type: 'number', title: 'Weight' } } },
    relations: { 'owning-team': { title: 'Owning team', target: '_team' } },
  });
  await api('POST', '/v1/blueprints/_team/entities?upsert=true', { identifier: 'packers', title: 'Packers' });
  await api('POST', '/v1/blueprints/crate/entities/bulk', {
    entities: Array.from({ length: crates }, (_, number) => ({
      identifier: `crate-${number}`,
      title: `Crate ${number}`,
      relations: { 'owning-team': 'packers' },
    })),
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function teamsOfCrates(): Promise<unknown[]> {
  const { entities } = (await api('GET', '/v1/blueprints/crate/entities')) as unknown as {
    entities: { team: unknown }[];
  };
  return entities.map(({ team }) => team);
}

test('a blueprint gets a property with choices, and the catalog has it', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/data-model?view=list');
    await signIn(page, product);
    await page.getByLabel('Search blueprints').fill('crate');
    await page.getByRole('link', { name: 'Crate', exact: true }).click();
    await page.getByRole('heading', { name: 'Crate', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add property' }).click();
    const form = page.getByRole('dialog', { name: 'Add property' });
    await form.getByLabel('Title').fill('Fragility');
    expect(await form.getByLabel('Key').inputValue()).toBe('fragility');
    for (const [index, choice] of ['sturdy', 'fragile'].entries()) {
      await form.getByRole('button', { name: 'Add choice' }).click();
      await form.getByRole('textbox', { name: `Choice ${index + 1}`, exact: true }).fill(choice);
    }
    await form.getByLabel('Default').fill('unbreakable');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.waitFor({ state: 'hidden' });

    // what is not saved is not lost by a wrong click
    await page.getByRole('link', { name: 'Data model' }).first().click();
    const leaving = page.getByRole('dialog', { name: /^Leave without saving/ });
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    await leaving.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Edit Fragility' }).click();
    await page.getByRole('dialog').getByLabel('Default').fill('sturdy');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Crate was saved').waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });

    await api('POST', '/v1/blueprints/crate/entities', { identifier: 'crate-new', title: 'Crate new' });
    await page.goto('/e/crate/crate-new');
    await page.getByRole('heading', { name: 'Crate new', level: 1 }).waitFor();
    await page.getByText('Fragility').first().waitFor();
    await page.getByText('sturdy').first().waitFor();
  }));

test('what an integration sends without a property for it is listed, added with its type, and saved', async () => {
  await fetch(`${product.address}/v1/blueprints/crate/entities?upsert=true&merge=true`, {
    method: 'POST',
    headers: { ...headers, 'user-agent': 'port-ocean/jira/1.0.0/main/exporter' },
    body: JSON.stringify({ identifier: 'crate-0', properties: { volume: 12 } }),
  });
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/data-model/crate');
    await signIn(page, product);
    const sent = page.getByRole('region', { name: 'Sent, and not a property' });
    await sent.getByText('port-ocean/jira/1.0.0/main/exporter').waitFor();
    await sent.getByRole('button', { name: 'Add the property volume' }).click();
    await sent.waitFor({ state: 'hidden' });
    await page.getByRole('list', { name: 'Properties' }).getByText('volume').first().waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Crate was saved').waitFor();
  });
  const { blueprint } = (await api('GET', '/v1/blueprints/crate')) as never as { blueprint: { schema: object } };
  expect(blueprint.schema).toMatchObject({ properties: { volume: { type: 'number' } } });
});

test('what the server refuses is said where it is', () =>
  visit(browser, product, wide, async ({ page, complaints }) => {
    await page.goto('/builder/data-model/crate');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Add property' }).click();
    const form = page.getByRole('dialog', { name: 'Add property' });
    await form.getByLabel('Title').fill('Wrong');
    await form.getByLabel('Key').fill('not a key');
    await form.getByText('A key has only letters').waitFor();
    expect(await form.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The blueprint was not saved' }).waitFor();
    expect(complaints.filter((each) => !/422|Unprocessable/.test(each))).toEqual([]);
    (complaints as string[]).length = 0;
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Crate');
  }));

test('a relation to teams becomes ownership: preview, run, undo', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/data-model?view=list&search=crate');
    await signIn(page, product);
    await page.getByRole('button', { name: 'More for Crate', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Migrate data' }).click();
    await page.getByText('Crate needs direct ownership first').waitFor();
    await settled(page);
    expect(await inspect(page)).toEqual([]);
    await page.getByRole('link', { name: 'Set direct ownership' }).click();
    await page.getByRole('radio', { name: /^Direct/ }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Crate was saved').waitFor();
    await page.getByRole('link', { name: 'Copy it into ownership' }).click();

    await page.getByRole('button', { name: 'Copy relation Owning team into ownership' }).click();
    const preview = page.getByRole('region', { name: 'Before and after' });
    await preview.getByText('packers').first().waitFor();
    expect(await teamsOfCrates()).not.toContainEqual(['packers']);
    const count = (await teamsOfCrates()).length;
    await page.getByRole('button', { name: `Migrate ${count} entities` }).click();
    const migration = page.getByRole('region', { name: 'Migration', exact: true });
    await migration.getByRole('heading', { name: 'Migrated', exact: true }).waitFor();
    await migration.getByText(`${count} of ${count} entities`).waitFor();
    expect((await teamsOfCrates()).filter((team) => JSON.stringify(team) === '["packers"]')).toHaveLength(crates);

    await migration.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await migration.getByRole('heading', { name: 'Undone', exact: true }).waitFor();
    expect(await teamsOfCrates()).not.toContainEqual(['packers']);
  }));
