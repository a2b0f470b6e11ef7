import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };

let browser: Browser;
let product: Product;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct()]);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Calls what a client calls, with the credentials that the page showed. */
async function startClient(clientId: string, clientSecret: string) {
  let token: string | undefined;
  const call = async (method: string, path: string, body: object): Promise<{ accessToken?: string }> => {
    const answer = await fetch(product.address + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'port-ocean/pagerduty/0.5.141/pagerduty/exporter',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    expect([method, path, answer.ok]).toEqual([method, path, true]);
    return JSON.parse(await answer.text());
  };
  token = (await call('POST', '/v1/auth/access_token', { clientId, clientSecret })).accessToken;
  return call;
}

test('a source is found, installed and followed to its first entity, by keyboard', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/builder/sources');
    await signIn(page, product);
    await page.getByRole('link', { name: 'Add a source' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add a source', level: 1 }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.type('on call pager');
    await page.getByText('1 source', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'PagerDuty' }).focus();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'PagerDuty', level: 1 }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('pagerduty');
    expect(await page.getByRole('checkbox', { name: 'Token' }).isChecked()).toBe(true);
    await page.getByLabel('API URL').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Blueprints that it needs' }).getByText('pagerdutyService').waitFor();
    await page.getByRole('button', { name: 'Prepare it and show the command' }).focus();
    await page.keyboard.press('Enter');

    const secrets = page.getByRole('region', { name: 'Secrets' });
    await secrets.waitFor();
    const shown = (await secrets.textContent()) ?? '';
    const clientSecret = /PORT_CLIENT_SECRET='([^']+)'/.exec(shown)?.[1] ?? '';
    const command = (await page.getByRole('region', { name: 'Helm' }).textContent()) ?? '';
    const clientId = /port\.clientId=(\S+)/.exec(command)?.[1] ?? '';
    expect(command).toContain('integration.secrets.token="$PAGERDUTY_TOKEN"');
    expect(command).not.toContain(clientSecret);
    const progress = page.getByRole('list', { name: 'Progress' });
    expect(await progress.getByText('Waiting').count()).toBe(6);

    const call = await startClient(clientId, clientSecret);
    await call('PATCH', '/v1/integration/pagerduty', { version: '0.5.141' });
    await call('POST', '/v1/integration/pagerduty/kinds/services/examples', { examples: [{ id: 'P1' }] });
    await call('PATCH', '/v1/integration/pagerduty/resync-state', { status: 'running' });
    await progress.getByText('Running').waitFor();
    await call('POST', '/v1/blueprints/pagerdutyService/entities?upsert=true', { identifier: 'P1', title: 'Checkout' });
    await call('PATCH', '/v1/integration/pagerduty/resync-state', { status: 'completed' });
    await progress.getByRole('link', { name: 'Checkout' }).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();

    // what is known survives a reload; the secret does not, and another can be made
    await page.reload();
    await progress.getByRole('link', { name: 'Checkout' }).waitFor();
    expect(await page.content()).not.toContain(clientSecret);
    await page.getByRole('button', { name: 'Make a new one' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The client secret is shown once').waitFor();

    await page.getByRole('link', { name: 'Data sources' }).first().click();
    await page.getByRole('link', { name: 'How PagerDuty (pagerduty) is' }).waitFor();
  }));
