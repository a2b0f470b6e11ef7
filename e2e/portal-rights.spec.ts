import { operations } from '@portolan/contract/operations';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInAs } from './support/members.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { declaredPaths } from './support/registry.ts';
import { settled } from './support/settled.ts';

let open: OpenProduct;

beforeAll(async () => {
  open = await openProduct();
  const { made } = open;
  await made('/webhooks', { title: 'Hook', identifier: 'hook', enabled: true, mappings: [] });
  await made('/integration', { installationId: 'agent', installationAppType: 'custom', title: 'Agent' });
  await made('/sources', {
    type: 'gitea',
    identifier: 'forge',
    isPaused: true,
    settings: { url: 'https://git.example' },
    secrets: { token: 'a-token-of-the-forge' },
  });
});
afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
});

/** An example for each parameter of the declared screens. */
const examples: Readonly<Record<string, string>> = {
  $action: 'create_sandbox',
  $agent: 'service_guide',
  $automation: 'triage_new_incident',
  $blueprint: 'service',
  $entity: 'route-planner',
  $integration: 'agent',
  $page: 'services',
  $server: 'nothing',
  $source: 'forge',
  $tab: 'related',
  $type: 'pagerduty',
  $webhook: 'hook',
  $run: 'nothing',
  $invocation: 'nothing',
};

const left = new Set(['/sign-in', '/set-password', '/self-serve']);

function addresses(): string[] {
  return declaredPaths()
    .filter((path) => !left.has(path))
    .map((path) => path.replaceAll(/\$\w+/g, (name) => examples[name] ?? name));
}

/** What only administrators may send. */
const forAdmins = new Set<string>(operations.filter(({ access }) => access === 'admin').map(({ id }) => id));
const isReadOnly = (method: string, path: string) =>
  method === 'GET' ||
  operations.some(
    (each) =>
      'isReadOnly' in each &&
      each.method === method &&
      new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

const pressable = 'main :is(button, [role=button]):not(:disabled):not([aria-disabled=true])';
const offered =
  '[role=dialog] [data-operation]:not([aria-disabled=true]), main [data-operation]:not([aria-disabled=true])';

/** Presses everything on a screen that is offered to somebody, and lists what the server refuses. */
async function findRefused(page: Page, address: string): Promise<string[]> {
  const problems: string[] = [];
  let pressed = 'opening';
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const method = response.request().method();
    if (response.status() === 403 && !isReadOnly(method, pathname)) {
      problems.push(`${address}: ${pressed}: ${method} ${pathname} was refused`);
    }
  });
  const arrive = async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page);
  };
  const look = async () => {
    for (const control of await page.locator(offered).all()) {
      const operation = (await control.getAttribute('data-operation')) ?? '';
      if (forAdmins.has(operation)) problems.push(`${address}: ${pressed}: offers ${operation}`);
    }
  };
  const press = async (control: Locator, name: string) => {
    pressed = name;
    await control.click({ timeout: 2000 }).catch(() => undefined);
    await page.waitForTimeout(120);
    await look();
  };
  await arrive();
  for (const name of await namesOf(page, pressable)) {
    if (new URL(page.url()).pathname !== new URL(address, page.url()).pathname) await arrive();
    const control = page
      .locator(pressable)
      .and(page.getByRole('button', { name, exact: true }))
      .first();
    await press(control, name);
    const items = await namesOf(page, '[role=menuitem]:not([data-disabled]):not([aria-disabled=true])');
    for (const item of items) {
      await press(page.getByRole('menuitem', { name: item, exact: true }).first(), `${name} › ${item}`);
      await page.keyboard.press('Escape');
      await arrive();
      await press(control, name);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  return problems;
}

/** Accessible names, of many that begin alike one: rows offer the same. */
async function namesOf(page: Page, selector: string): Promise<string[]> {
  const all = await page.locator(selector).all();
  const names = await Promise.all(
    all.map(async (each) => (await each.getAttribute('aria-label')) ?? (await each.innerText().catch(() => ''))),
  );
  const found = new Map<string, string>();
  for (const name of names.map((each) => each.trim()).filter(Boolean)) {
    const kind = name.split(/\s+/).slice(0, 3).join(' ');
    if (!found.has(kind)) found.set(kind, name);
  }
  return [...found.values()];
}

async function crawl(context: BrowserContext): Promise<string[]> {
  const waiting = addresses();
  const problems: string[] = [];
  const walk = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      try {
        problems.push(...(await findRefused(page, address)));
      } catch (error) {
        problems.push(`${address}: ${(error as Error).message.split('\n')[0]}`);
      }
      await page.close();
    }
  };
  await Promise.all(Array.from({ length: 4 }, walk));
  return [...new Set(problems)];
}

test('nothing that is offered to a member is refused', { timeout: 900_000 }, async () => {
  const context = await signedInAs(open, 'kim@portolan.example', ['Member']);
  expect(await crawl(context)).toEqual([]);
});

test('nothing that is offered to a moderator of one blueprint is refused', { timeout: 900_000 }, async () => {
  const context = await signedInAs(open, 'mo@portolan.example', ['Member', 'service-moderator']);
  expect(await crawl(context)).toEqual([]);
});
