import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { MockModelServer } from '../packages/server/test/mock-model-server.ts';
import type { Ask, Make } from './support/api.ts';
import { visit } from './support/browser.ts';
import { goTo } from './support/go-to.ts';
import { createKeyboard, type Keyboard } from './support/keyboard.ts';
import { createOldOrganization } from './support/old-organization.ts';
import { withScriptedProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };
const crates = 12;

let browser: Browser;
let product: Product;
let model: MockModelServer;
let ask: Ask;
let made: Make;

withScriptedProduct((opened) => {
  ({ browser, product, ask, made, model } = opened);
});

beforeEach(() => model.respondWith(() => undefined));

/** Somebody without a pointer signs in, and goes on; in the end every place of the focus was to be seen. */
function byKeys(
  journey: (keys: Keyboard, page: Page) => Promise<void>,
  options: BrowserContextOptions = wide,
): Promise<void> {
  return visit(browser, product, options, async ({ page }) => {
    const keys = createKeyboard(page);
    await page.goto('/');
    await keys.write(page.getByLabel('E-mail address'), product.person.email);
    await keys.write(page.getByLabel('Password', { exact: true }), product.person.password);
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await journey(keys, page);
    expect(keys.unseen).toEqual([]);
  });
}

test('User menu, Credentials, Generate API token: it works over HTTP, and dialogs give the focus back', () =>
  byKeys(async (keys, page) => {
    const menu = page.getByRole('button', { name: /^User menu/ });
    await keys.use(menu);
    await page.getByRole('menu').waitFor();
    await keys.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await keys.isOn(menu);
    await keys.press('Enter');
    await keys.choose(page.getByRole('menuitem', { name: 'Credentials' }));
    await page.getByRole('heading', { name: 'Credentials', level: 1 }).waitFor();

    const generate = page.getByRole('button', { name: 'Generate API token' });
    await keys.use(generate);
    await page.getByRole('dialog').waitFor();
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.isOn(page.getByRole('button', { name: 'Generate API token', exact: true }));
    await keys.press('Enter');
    await keys.write(page.getByLabel('Name'), 'by keys');
    await keys.use(page.getByRole('button', { name: 'Generate', exact: true }));
    const token = (await page.getByRole('region', { name: 'API token', exact: true }).textContent()) ?? '';
    const answer = await fetch(`${product.address}/v1/blueprints`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await keys.use(page.getByRole('button', { name: 'I stored it' }));
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.isOn(page.getByRole('button', { name: 'Generate API token', exact: true }));

    await keys.use(page.getByRole('button', { name: 'Revoke by keys' }));
    await keys.use(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await page.getByText('by keys was revoked').waitFor();
    // a revoked token is refused within a second
    const status = async () =>
      (await fetch(`${product.address}/v1/blueprints`, { headers: { authorization: `Bearer ${token}` } })).status;
    await expect.poll(status, { timeout: 5_000 }).toBe(401);
  }));

test('an entity is three groups of keys away from any screen', () =>
  byKeys(async (keys, page) => {
    await keys.press('g', 'b');
    await page.getByRole('heading', { level: 1 }).and(page.locator(':not(:text-is("Home"))')).waitFor();
    // the palette, some letters, enter
    await keys.goTo('sanctions', /service · sanctions-screening/);
    await page.getByRole('heading', { name: 'Sanctions Screening', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/e/service/sanctions-screening');
  }));

test('a question is asked, the page read anew in the middle of the answer, and the answer ends', () =>
  byKeys(async (keys, page) => {
    const parts = Array.from({ length: 14 }, (_, index) => `Part ${index + 1}. `);
    model.respondWith(() => ({ text: parts, gapMs: 250 }));
    await keys.goTo('>Assistant', 'Go to Assistant');
    await keys.write(page.getByRole('textbox', { name: 'Ask the assistant' }), 'Tell me by keys');
    await keys.press('Enter');
    await page.getByText('Part 2.').waitFor();
    await page.reload();
    await page.getByText('Part 14.').waitFor({ timeout: 20_000 });
    await page.getByText('The answer is complete').waitFor();
    const answer = (await page.getByRole('log').textContent()) ?? '';
    expect(answer.match(/Part 1\. Part 2\. /g)).toHaveLength(1);
    await keys.reach(page.getByRole('link', { name: 'What was done for this answer' }));
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Execution log' }).waitFor();
  }));

test('a draft is edited, approved, and the entity is there', () =>
  byKeys(async (keys, page) => {
    await made('/blueprints', { identifier: 'sandbox_by_keys', title: 'Sandbox', schema: { properties: {} } });
    await made('/actions', {
      identifier: 'open_by_keys',
      title: 'Open a sandbox',
      trigger: {
        type: 'self-service',
        operation: 'CREATE',
        userInputs: { properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
      },
      invocationMethod: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'sandbox_by_keys',
        mapping: { identifier: '{{ .inputs.name }}', title: '{{ .inputs.name }}' },
      },
    });
    model.respondWith(({ body }) =>
      body.messages.some(({ role }: { role: string }) => role === 'tool')
        ? { text: 'A draft waits for your decision.' }
        : { calls: [{ name: 'run_open_by_keys', arguments: { name: 'blue' } }] },
    );
    await keys.goTo('>Assistant', 'Go to Assistant');
    const mode = page.getByLabel('What the assistant may do');
    await keys.reach(mode);
    await keys.type('Actions on');
    expect(
      await mode.evaluate((select: { selectedOptions: { text: string }[] }) => select.selectedOptions[0]?.text),
    ).toBe('Actions on approval');
    await keys.write(page.getByRole('textbox', { name: 'Ask the assistant' }), 'Open a sandbox named blue');
    await keys.press('Enter');
    const card = page.getByRole('region', { name: 'Draft: Open a sandbox' });
    await card.getByText('blue', { exact: true }).waitFor();
    await keys.use(card.getByRole('button', { name: 'Edit' }));
    await keys.write(card.getByLabel('Name'), 'green');
    await keys.use(card.getByRole('button', { name: 'Save the inputs' }));
    // a field counts as its text, so that "green" is there before it is saved
    await card.getByRole('button', { name: 'Save the inputs' }).waitFor({ state: 'hidden' });
    await card.getByText('green', { exact: true }).waitFor();
    const status = async (name: string) => (await ask('GET', `/blueprints/sandbox_by_keys/entities/${name}`)).status;
    expect([await status('green'), await status('blue')]).toEqual([404, 404]);
    await keys.use(card.getByRole('button', { name: 'Approve and run' }));
    await card.getByText('Success').waitFor();
    expect([await status('green'), await status('blue')]).toEqual([200, 404]);
    await keys.use(card.getByRole('link', { name: 'green' }));
    await page.getByRole('heading', { name: 'green', level: 1 }).waitFor();
  }));

async function makeCrates(identifier: string): Promise<void> {
  await made('/blueprints', {
    identifier,
    title: identifier,
    icon: 'Package',
    schema: { properties: { weight: { type: 'number', title: 'Weight' } } },
    relations: { 'owning-team': { title: 'Owning team', target: '_team' } },
  });
  await made('/blueprints/_team/entities?upsert=true', { identifier: 'packers', title: 'Packers' });
  await made(`/blueprints/${identifier}/entities/bulk`, {
    entities: Array.from({ length: crates }, (_, number) => ({
      identifier: `crate-${number}`,
      title: `Crate ${number}`,
      relations: { 'owning-team': 'packers' },
    })),
  });
}

test('a blueprint gets a property with choices, and is saved', () =>
  byKeys(async (keys, page) => {
    await makeCrates('crate_to_edit');
    await keys.goTo('>Data model', 'Go to Data model');
    await page.getByLabel('Search blueprints').waitFor();
    await keys.press('l');
    await keys.write(page.getByLabel('Search blueprints'), 'crate_to_edit');
    await keys.use(page.getByRole('link', { name: 'crate_to_edit', exact: true }));
    await page.getByRole('heading', { name: 'crate_to_edit', level: 1 }).waitFor();
    await keys.use(page.getByRole('button', { name: 'Add property' }));
    const form = page.getByRole('dialog', { name: 'Add property' });
    await keys.write(form.getByLabel('Title'), 'Fragility');
    for (const [index, choice] of ['sturdy', 'fragile'].entries()) {
      await keys.use(form.getByRole('button', { name: 'Add choice' }));
      await keys.write(form.getByRole('textbox', { name: `Choice ${index + 1}`, exact: true }), choice);
    }
    await keys.use(form.getByRole('button', { name: 'Add', exact: true }));
    await form.waitFor({ state: 'hidden' });
    await keys.isOn(page.getByRole('button', { name: 'Add property', exact: true }));
    await keys.use(page.getByRole('button', { name: 'Edit Fragility' }));
    await keys.write(page.getByRole('dialog').getByLabel('Default'), 'sturdy');
    await keys.use(page.getByRole('dialog').getByRole('button', { name: 'Apply' }));
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys.isOn(page.getByRole('button', { name: 'Edit Fragility', exact: true }));
    await keys.press('ControlOrMeta+s');
    await page.getByText('crate_to_edit was saved').waitFor();
    const { body } = await ask('GET', '/blueprints/crate_to_edit');
    expect((body as { blueprint: { schema: { properties: object } } }).blueprint.schema.properties).toMatchObject({
      fragility: { enum: ['sturdy', 'fragile'], default: 'sturdy' },
    });
  }));

test('a relation to teams becomes ownership, and back', () =>
  byKeys(async (keys, page) => {
    await makeCrates('crate_to_migrate');
    const owned = async () => {
      const { body } = await ask('GET', '/blueprints/crate_to_migrate/entities');
      const { entities } = body as { entities: { team: unknown }[] };
      return entities.filter(({ team }) => JSON.stringify(team) === '["packers"]').length;
    };
    await keys.goTo('>Data model', 'Go to Data model');
    await page.getByLabel('Search blueprints').waitFor();
    await keys.press('l');
    await keys.write(page.getByLabel('Search blueprints'), 'crate_to_migrate');
    await page.getByRole('link', { name: 'crate_to_migrate', exact: true }).waitFor();
    await keys.use(page.getByRole('button', { name: 'More for crate_to_migrate' }));
    await keys.choose(page.getByRole('menuitem', { name: 'Migrate data' }));
    await page.getByText('crate_to_migrate needs direct ownership first').waitFor();
    await keys.use(page.getByRole('link', { name: 'Set direct ownership' }));
    await keys.reach(page.getByRole('radio', { checked: true }));
    await keys.choose(page.getByRole('radio', { name: /^Direct/ }), { take: 'Space' });
    await keys.press('ControlOrMeta+s');
    await page.getByText('crate_to_migrate was saved').waitFor();
    await keys.use(page.getByRole('link', { name: 'Copy it into ownership' }));
    await keys.use(page.getByRole('button', { name: 'Copy relation Owning team into ownership' }));
    await page.getByRole('region', { name: 'Before and after' }).getByText('packers').first().waitFor();
    expect(await owned()).toBe(0);
    await keys.use(page.getByRole('button', { name: `Migrate ${crates} entities` }));
    const migration = page.getByRole('region', { name: 'Migration', exact: true });
    await migration.getByText(`${crates} of ${crates} entities`).waitFor();
    await migration.getByRole('heading', { name: 'Migrated', exact: true }).waitFor();
    expect(await owned()).toBe(crates);
    await keys.use(migration.getByRole('button', { name: 'Undo' }));
    await keys.use(page.getByRole('dialog').getByRole('button', { name: 'Undo' }));
    await migration.getByRole('heading', { name: 'Undone', exact: true }).waitFor();
    expect(await owned()).toBe(0);
  }));

test('an organization of titles is planned, rehearsed, migrated, verified and moved back', () =>
  visit(browser, product, wide, async ({ page }) => {
    const keys = createKeyboard(page);
    const old = await createOldOrganization(product);
    await page.goto(await old.invite('dana@acme.example', 'Admin'));
    await keys.write(page.getByLabel('New password', { exact: true }), 'a password of the journeys');
    await keys.use(page.getByRole('button', { name: 'Set the password and join' }));
    await page.getByRole('button', { name: /^User menu/ }).waitFor();
    await keys.goTo('>Team migration', 'Go to Team migration');
    await page.getByRole('heading', { name: 'Scan and plan' }).waitFor();
    await keys.use(page.getByRole('checkbox', { name: /Looked at .*first_owner/ }), 'Space');
    const identifiers = page.getByText(/^Identifiers of teams/);
    await keys.use(page.locator('summary, button').filter({ has: identifiers }).or(identifiers));
    await keys.write(page.getByLabel('SRE', { exact: true }), 'site-reliability');
    await keys.use(page.getByRole('button', { name: 'Keep decisions' }));
    await page.getByText('Your decisions are kept').waitFor();
    expect((await old.plan()).choices).toEqual({ identifiers: { SRE: 'site-reliability' }, duplicates: {} });

    await keys.use(page.getByRole('button', { name: 'Go on to rehearse' }));
    await keys.use(page.getByRole('button', { name: 'Rehearse', exact: true }));
    await page.getByText('Nobody gains or loses anything').waitFor();
    await keys.use(page.getByRole('button', { name: 'Go on to apply' }));
    const start = page.getByRole('button', { name: 'Start the migration' });
    await keys.use(start);
    const dialog = page.getByRole('dialog', { name: /^Migrate users and teams of/ });
    await dialog.waitFor();
    await keys.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await old.status()).status).toBe('NOT_STARTED');
    await keys.isOn(page.getByRole('button', { name: 'Start the migration', exact: true }));
    await keys.press('Enter');
    await keys.use(dialog.getByRole('button', { name: 'Start the migration' }));
    await keys.use(page.getByRole('button', { name: 'Go on to verify' }));
    await page.getByText('only mention teams (harmless)').waitFor();
    expect((await old.entity('checkout', 'cart-api')).team).toEqual(['payments_core', 'site-reliability']);
    await old.removeCalculation();
    await keys.use(page.getByRole('button', { name: 'Look again' }));
    await page.getByText('Done', { exact: true }).waitFor();

    await keys.goTo('cart', /cart-api/);
    await keys.use(page.getByRole('link', { name: /^payments.core$/i }));
    await page.getByRole('heading', { name: 'Payments Core', level: 1 }).waitFor();
    await keys.goTo('>Team migration', 'Go to Team migration');
    await keys.use(page.getByRole('button', { name: /Undo/ }).or(page.getByRole('link', { name: /Undo/ })));
    await page.getByText(/The migration can be undone for/).waitFor();
    await keys.use(page.getByRole('button', { name: 'Undo the migration' }));
    await keys.use(page.getByRole('dialog').getByRole('button', { name: 'Undo the migration' }));
    await page.getByText('The last migration was undone').waitFor();
    expect((await old.entity('checkout', 'cart-api')).team).toEqual(['Payments Core', 'SRE']);
    expect(keys.unseen).toEqual([]);
  }));

const screens = [
  '/catalog/service',
  '/catalog/engineering_overview/edit',
  '/e/service/sanctions-screening',
  '/e/service/sanctions-screening/related',
  '/new/service',
  '/self-service/create_sandbox',
  '/ai',
  '/ai/agents/service_guide',
  '/builder/data-model/service/permissions',
  '/builder/new-automation',
  '/workflows/new?template=scaffold',
  '/builder/users',
];

// 70 presses on each screen take a busy machine longer than other journeys may
const walkMs = 300_000;

test.each(Object.entries({ wide, narrow }))(
  'wherever Tab leads, the focus is seen, %s',
  (_name, options) =>
    byKeys(async (keys, page) => {
      const stops: Record<string, readonly string[]> = {};
      for (const path of screens) {
        await goTo(page, path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settled(page);
        const before = new Set(keys.unseen);
        await keys.walk(70);
        stops[path] = keys.unseen.filter((each) => !before.has(each));
      }
      expect(stops).toEqual(Object.fromEntries(screens.map((path) => [path, []])));
    }, options),
  walkMs,
);
