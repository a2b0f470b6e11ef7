import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, visit } from './support/browser.ts';
import { inspectScreens } from './support/inspect-screens.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';
import { writeText } from './support/write-text.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;
let token: string;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct()]);
  const { clientId, clientSecret } = product.credentials;
  token = (await ask('POST', '/v1/auth/access_token', { clientId, clientSecret })).accessToken;
  await ask('POST', '/v1/blueprints', {
    identifier: 'parcel',
    title: 'Parcel',
    icon: 'Package',
    schema: { properties: { weight: { type: 'number', title: 'Weight' }, state: { type: 'string', title: 'State' } } },
    relations: {},
  });
  await ask('POST', '/v1/integration', {
    installationId: 'depot',
    title: 'Depot',
    installationAppType: 'custom-ocean',
    version: '1.0.0',
    config: {
      resources: [
        {
          kind: 'box',
          selector: { query: 'true' },
          port: { entity: { mappings: { identifier: '.id', blueprint: '"parcel"', properties: { weight: '.kg' } } } },
        },
      ],
    },
  });
  await ask('POST', '/v1/integration/depot/kinds/box/examples', { examples: [{ id: 'box-1', kg: 3 }] });
  const { integration } = await ask('POST', '/v1/webhooks', {
    identifier: 'crane',
    title: 'Crane',
    mappings: [{ blueprint: 'parcel', entity: { identifier: '.body.id', properties: { weight: '.body.kg' } } }],
  });
  for (const kg of [4, 'heavy']) {
    const headers = { 'content-type': 'application/json' };
    await fetch(integration.url, { method: 'POST', headers, body: JSON.stringify({ id: 'from-crane', kg }) });
  }
  await ask('POST', '/v1/actions', {
    identifier: 'ask_about_parcels',
    title: 'Ask about parcels',
    trigger: {
      type: 'automation',
      event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'parcel' },
      condition: { type: 'JQ', expressions: ['.diff.after.properties.weight > 1000', '.nope |'], combinator: 'or' },
    },
    invocationMethod: {
      type: 'WEBHOOK',
      url: `${product.address}/v1/agent/service_guide/invoke?use_mcp=false`,
      body: { prompt: 'What of {{ .event.diff.after.identifier }}?', labels: { source: 'parcels' } },
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function ask(method: string, path: string, body?: unknown) {
  const answer = await fetch(product.address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = JSON.parse(await answer.text());
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`);
  return read;
}

test('a webhook is created, and what arrives is mapped, refused, mended and replayed', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/sources');
    await signIn(page, product);
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByLabel('Title').fill('Depot scans');
    expect(await page.getByLabel('Identifier').inputValue()).toBe('depot_scans');
    await page.getByRole('button', { name: 'As GitLab signs' }).click();
    await page.getByText('Nothing is let in without a secret.').waitFor();
    await page.getByLabel('Secret', { exact: true }).fill('a-secret-of-the-depot');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('heading', { name: 'Depot scans', level: 1 }).waitFor();
    const address = (await page.locator('code', { hasText: '/ingest/' }).textContent()) ?? '';
    const send = async (event: object, secret = 'a-secret-of-the-depot') => {
      const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret };
      return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(event) })).status;
    };

    // who has not the secret is told no, and the screen says why
    expect(await send({ id: 'p-0' }, 'wrong')).toBe(401);
    expect(await send({ id: 'p-1', weight: 'heavy' })).toBe(202);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await deliveries.getByText('Refused').waitFor();
    await deliveries.getByText(/signature/i).waitFor();
    await deliveries.getByText('The webhook has no mappings').waitFor();

    // the mapping is written with the event at hand
    await deliveries.getByRole('button', { name: /^Try mappings on/ }).click();
    const results = page.getByRole('region', { name: 'Result', exact: true });
    await writeText(
      page,
      'Mappings as YAML',
      '- blueprint: parcel\n  entity:\n    identifier: .body.id\n    properties:\n      weight: .body.weight | nope\n',
    );
    await page
      .getByRole('list', { name: 'What is wrong in mappings' })
      .getByText(/^Line 5: .*nope/)
      .waitFor();
    await writeText(
      page,
      'Mappings as YAML',
      '- blueprint: parcel\n  entity:\n    identifier: .body.id\n    properties:\n      weight: .body.weight\n',
    );
    await results.getByText('1 entity', { exact: true }).waitFor();
    await results.getByText('"weight": "heavy"').waitFor();
    await results.getByRole('button', { name: 'Check on the server' }).click();
    await results.getByText('The catalog would refuse some of it.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('The mappings were saved').waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });

    // replayed, the catalog refuses it and says why
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await deliveries
      .getByRole('button', { name: /^Replay/ })
      .first()
      .click();
    await deliveries.getByText('Failed', { exact: true }).waitFor();
    await deliveries.getByText(/p-1: .*weight/).waitFor();

    await deliveries
      .getByRole('button', { name: /^Try mappings on/ })
      .first()
      .click();
    await results.getByText('"weight": "heavy"').waitFor();
    await writeText(
      page,
      'Mappings as YAML',
      '- blueprint: parcel\n  entity:\n    identifier: .body.id\n    properties:\n      weight: .body.weight | tonumber? // 7\n',
    );
    await results.getByText('"weight": 7').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await deliveries
      .getByRole('button', { name: /^Replay/ })
      .first()
      .click();
    await deliveries.getByText('Accepted', { exact: true }).nth(1).waitFor();
    const { entity } = await ask('GET', '/v1/blueprints/parcel/entities/p-1');
    expect(entity.properties.weight).toBe(7);
    await page.goto('/e/parcel/p-1');
    await page.getByRole('heading', { name: 'p-1', level: 1 }).waitFor();
  }));

test('a resync that would delete too much waits until an administrator lets it pass', () =>
  visit(browser, product, wide, async ({ page }) => {
    const asClient = (method: string, path: string, body?: object) =>
      fetch(product.address + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'user-agent': 'port-ocean/custom-ocean/1.0.0/depot/exporter',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    for (const name of ['kept-1', 'kept-2']) {
      await asClient('POST', '/v1/blueprints/parcel/entities', { identifier: name });
    }
    const remove = () =>
      asClient('POST', '/v1/blueprints/parcel/bulk/entities/delete', { entities: ['kept-1', 'kept-2'] });
    await page.goto('/builder/sources');
    await signIn(page, product);
    await page.getByRole('link', { name: 'Depot', exact: true }).click();
    await page.getByLabel('May delete at most').fill('50');
    await page.getByRole('button', { name: 'Set the guard' }).click();
    await page.getByRole('button', { name: 'Take it away' }).waitFor();
    expect((await remove()).status).toBe(409);
    await page.reload();
    const guard = page.getByRole('region', { name: 'Guard against mass deletion' });
    await guard.getByText('Its resync would delete 2 of 2 entities.').waitFor();
    await guard.getByRole('button', { name: 'Refuse' }).click();
    await guard.getByText('A deletion waits for a decision').waitFor({ state: 'hidden' });
    expect((await remove()).status).toBe(409);
    await page.reload();
    await guard.getByRole('button', { name: 'Let it pass' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Let them be deleted' }).click();
    await guard.getByText('Deletions pass for now').waitFor();
    expect((await remove()).status).toBe(200);
    expect((await asClient('GET', '/v1/blueprints/parcel/entities/kept-1')).status).toBe(404);
  }));

test('an expression without end is stopped, and the page goes on', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/sources/integrations/depot?tab=mapping');
    await signIn(page, product);
    const results = page.getByRole('region', { name: 'Result', exact: true });
    await results.getByText('"identifier": "box-1"').waitFor();
    const resource = (title: string) =>
      `resources:\n  - kind: box\n    selector: { query: 'true' }\n    port:\n      entity:\n        mappings:\n          identifier: .id\n          blueprint: '"parcel"'\n          title: ${title}\n`;
    await writeText(page, 'Configuration as YAML', resource("'[range(1e9)] | length | tostring'"));
    await results.getByText(/"title" failed: limit reached/).waitFor();
    // what only a browser would run for ever: nothing can interrupt its match, so its worker is ended
    await writeText(page, 'Sample as JSON', JSON.stringify({ id: 'box-2', name: `${'a'.repeat(60)}!` }));
    await writeText(page, 'Configuration as YAML', resource(`'if .name | test("(?=a)(a+)+$") then "x" else "y" end'`));
    await results.getByText(/took too long and was stopped/).waitFor();
    await writeText(page, 'Configuration as YAML', resource('.name | length | tostring'));
    await results.getByText('"title": "61"').waitFor();
    await results.getByRole('button', { name: 'Check on the server' }).click();
    await results.getByText('The server would accept it.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  }));

test('an automation is made by keys alone, tried on a past event, and runs when an entity changes', () =>
  visit(browser, product, wide, async ({ page }) => {
    await ask('POST', '/v1/blueprints/parcel/entities', {
      identifier: 'lost-1',
      title: 'Lost',
      properties: { state: 'new' },
    });
    await page.goto('/builder/new-automation');
    await signIn(page, product);
    const type = async (text: string) => page.keyboard.type(text);
    const reach = async (name: string | RegExp, role: 'textbox' | 'combobox' | 'button' | 'radio' = 'textbox') => {
      const wanted = page.getByRole(role, { name });
      await wanted.first().waitFor();
      for (let step = 0; step < 120; step += 1) {
        if (
          await wanted
            .first()
            .evaluate(
              (element) =>
                element === (globalThis as never as { document: { activeElement: unknown } }).document.activeElement,
            )
        )
          return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} cannot be reached by Tab`);
    };
    const choose = async (typed: string, wanted: string) => {
      await type(typed);
      await page.getByRole('option', { name: wanted }).waitFor();
      const marked = page.locator('[data-combobox-selected]', { hasText: wanted });
      // the list may be drawn anew while it is read
      while ((await marked.count()) === 0) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: wanted }).waitFor({ state: 'hidden' });
    };
    await reach('Title');
    await type('Mark what is lost');
    await reach('What happens', 'combobox');
    await type('An entity is ch');
    await reach('Of the blueprint', 'combobox');
    await choose('Parcel', 'Parcel (parcel)');
    await reach('Condition', 'button');
    await page.keyboard.press('Enter');
    await reach('Condition 1');
    await type('.diff.after.properties.state == "lost" and');
    await page
      .getByText(/Expected|expected|unexpected/i)
      .first()
      .waitFor();
    await type(' .diff.before.properties.state != "lost"');
    await reach('What is done', 'combobox');
    await type('Write');
    await reach('Blueprint that is written', 'combobox');
    await choose('Parcel', 'Parcel (parcel)');
    await reach('Title');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Mark what is lost', level: 1 }).waitFor();

    // a title is written as soon as it runs
    await page.getByRole('tab', { name: 'When, if, then' }).click();
    await page
      .getByRole('region', { name: 'Then' })
      .getByLabel('Title')
      .fill('Lost: {{ .event.diff.after.identifier }}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });

    await ask('PATCH', '/v1/blueprints/parcel/entities/lost-1', { properties: { weight: 2 } });
    await page.getByRole('tab', { name: 'Test with a past event' }).click();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page
      .getByRole('option', { name: /^lost-1 changed/ })
      .first()
      .click();
    await page.getByText('Would not run').waitFor();
    await page.getByText('gives false').waitFor();
    const event = await page.getByRole('textbox', { name: 'Event as JSON' }).textContent();
    expect(event).toContain('lost-1');
    expect((await ask('GET', '/v1/actions/runs?action=mark_what_is_lost')).runs).toEqual([]);

    // what really happens runs it, and the run leads to what it did
    await ask('PATCH', '/v1/blueprints/parcel/entities/lost-1', { properties: { state: 'lost' } });
    await page.getByRole('tab', { name: 'Runs' }).click();
    const runs = page.getByRole('grid', { name: 'Runs of the automation' });
    await runs.getByText('Success').waitFor();
    await page.getByRole('tab', { name: 'Test with a past event' }).click();
    await page.reload();
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page
      .getByRole('option', { name: /^lost-1 changed/ })
      .nth(1)
      .click();
    await page.getByText('Would run', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'What would be sent' }).getByText('Lost: lost-1').waitFor();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await runs.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const { entity } = await ask('GET', '/v1/blueprints/parcel/entities/lost-1');
    expect(entity.title).toBe('Lost: lost-1');

    await page.goto('/builder/automations');
    const row = page.getByRole('listitem').filter({ hasText: 'Mark what is lost' });
    await row.getByText(/One run: none failed/).waitFor();
    await row.getByRole('switch').press('Space');
    await page.getByText('Mark what is lost is paused').waitFor();
    const { action } = await ask('GET', '/v1/actions/mark_what_is_lost');
    expect(action.publish).toBe(false);
    await row.getByRole('link', { name: 'Mark what is lost' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the automation' }).click();
    await page.getByRole('heading', { name: 'Automations', level: 1 }).waitFor();
    await row.waitFor({ state: 'detached' });
  }));

/** What automations, webhooks and integrations show of what is theirs; the screens by themselves are in portal-screens.spec.ts. */
const screens = [
  '/builder/automations/ask_about_parcels',
  '/builder/automations/ask_about_parcels?view=json',
  '/builder/automations/ask_about_parcels?tab=test',
  '/builder/automations/ask_about_parcels?tab=runs',
  '/builder/sources/webhooks/crane',
  '/builder/sources/webhooks/crane?tab=mappings',
  '/builder/sources/webhooks/crane?tab=settings',
  '/builder/sources/integrations/depot',
  '/builder/sources/integrations/depot?tab=mapping',
  '/builder/sources/integrations/depot?tab=syncs',
  '/builder/sources/integrations/depot?tab=log',
];

describe('every part of them can be read and used', () => {
  test.each([
    ['light', 'wide', wide],
    ['dark', 'narrow', narrow],
  ] as const)('%s, %s', (theme, size, options) =>
    visit(browser, product, options, async ({ page, picture }) => {
      await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
      await page.goto('/');
      await signIn(page, product);
      const chooseEvent = async (path: string) => {
        if (!path.endsWith('tab=test')) return;
        await page.getByRole('combobox', { name: 'Event' }).click();
        await page.getByRole('option').first().click();
        await page.getByRole('region', { name: 'What would be sent' }).waitFor();
      };
      const findings = await inspectScreens({ page, picture }, screens, `${theme}-${size}`, chooseEvent);
      expect(findings).toEqual([]);
    }),
  );
});
