import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askAs } from './support/api.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { inspect } from './support/inspect-screens.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };

let browser: Browser;
let product: Product;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

test('somebody who follows a link signs in and is where the link led', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/me/preferences?from=mail');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, product);
    await page.getByRole('heading', { name: 'Preferences', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/me/preferences?from=mail');

    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }));

test('User menu, Credentials, Generate API token gives a token that works and is not shown again', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Credentials' }).click();
    await page.getByRole('button', { name: 'Generate API token' }).click();
    await page.getByLabel('Name').fill('journey');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    const token = (await page.getByRole('region', { name: 'API token', exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'I stored it' }).click();

    const answer = await fetch(`${product.address}/v1/blueprints`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await page.reload();
    await page.getByText('journey', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);

    await page.getByRole('button', { name: 'Revoke journey' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('journey was revoked').waitFor();
    await page.getByText('You have no API token').waitFor();
  }));

test('an entity is three groups of keys away: open the palette, type, enter', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/');
    await signIn(page, product);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).waitFor();
    await page.keyboard.type('sanctions');
    await page.getByRole('option', { name: /service · sanctions-screening/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sanctions Screening', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/e/service/sanctions-screening');
  }));

test('keys go places, and never while somebody types', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/me/credentials');
    await signIn(page, product);
    await page.getByRole('heading', { name: 'Credentials', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Generate API token' }).click();
    await page.getByLabel('Name').press('g');
    await page.getByLabel('Name').press('h');
    expect(await page.getByLabel('Name').inputValue()).toBe('gh');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  }));

test('what changes between the first answers and the stream of changes is shown', () =>
  visit(browser, product, wide, async ({ page }) => {
    const ask = await askAs(product);
    await page.goto('/');
    await signIn(page, product);
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route('**/v1/events*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/builder/data-model?view=list');
    await page.getByRole('link', { name: 'Service', exact: true }).waitFor();
    const blueprint = { identifier: 'late_crate', title: 'Late crate', schema: { properties: {}, required: [] } };
    expect((await ask('POST', '/blueprints', blueprint)).status).toBe(201);
    open();
    await page.getByRole('link', { name: 'Late crate', exact: true }).waitFor();
  }));

test('a session that ends while somebody types keeps what was typed', async () => {
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await page.goto('/me/credentials');
  await signIn(page, product);
  await page.getByRole('button', { name: 'Generate API token' }).click();
  await page.getByLabel('Name').fill('typed before');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('Password', { exact: true }).fill(product.person.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Name').inputValue()).toBe('typed before');
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByRole('button', { name: 'I stored it' }).click();
  // the other journeys count the tokens of the same person
  await page.getByRole('button', { name: 'Revoke typed before' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('typed before was revoked').waitFor();
  await context.close();
});

describe('what is served', () => {
  const page = { accept: 'text/html,*/*' };

  test('addresses of programs answer programs, whatever they accept', async () => {
    for (const path of ['/v1/nothing', '/scim/v2/nothing', '/assets/nothing.js', '/assets/..%2findex.html']) {
      const answer = await fetch(product.address + path, { headers: page });
      expect([path, answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
        path,
        404,
        'not_found',
      ]);
    }
    const fetched = await fetch(`${product.address}/catalog/x`, { headers: { accept: 'application/json' } });
    expect(fetched.status).toBe(404);
    const posted = await fetch(`${product.address}/catalog/x`, { method: 'POST', headers: page });
    expect(posted.status).toBe(404);
  });

  test('each page has a policy and a number of its own, and files are kept for ever', async () => {
    const [one, two] = await Promise.all([0, 1].map(() => fetch(`${product.address}/any/page`, { headers: page })));
    const policy = one?.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/);
    expect(policy).not.toContain('unsafe');
    expect(two?.headers.get('content-security-policy')).not.toBe(policy);
    const html = (await one?.text()) ?? '';
    expect(html).not.toMatch(/__[A-Z_]+__/);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    const file = await fetch(product.address + script, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('cache-control')).toContain('immutable');
  });
});

describe('what lies around the screens can be read and used', () => {
  // the screens themselves are looked at in portal-screens.spec.ts
  test.each([
    ['light', 'wide', wide],
    ['dark', 'narrow', narrow],
    ['contrast', 'wide', wide],
  ] as const)('%s, %s', (theme, size, options) =>
    visit(browser, product, options, async ({ page, picture }) => {
      await page.addInitScript(`localStorage.setItem('portolan-theme', '${theme}')`);
      await page.goto('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await look(page, `sign-in-${theme}-${size}`, picture);
      await signIn(page, product);
      await page.goto('/nowhere');
      await page.getByRole('heading', { name: 'There is nothing here', level: 1 }).waitFor();
      await settled(page);
      await look(page, `nowhere-${theme}-${size}`, picture);
      await page.getByRole('button', { name: /^Inbox/ }).click();
      await page.getByRole('heading', { name: 'What you ran' }).waitFor();
      await look(page, `inbox-${theme}-${size}`, picture);
    }),
  );
});

async function look(page: Page, name: string, picture: (name: string) => Promise<void>): Promise<void> {
  await picture(name);
  expect([name, await inspect(page)]).toEqual([name, []]);
}
