import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };

let opened: OpenProduct;
let browser: Browser;
beforeAll(async () => {
  opened = await openProduct();
  browser = opened.browser;
});
afterAll(async () => {
  await opened?.browser.close();
  await opened?.product.stop();
});

test('the first card of the demo leads to a sandbox', () =>
  visit(browser, opened.product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, opened.product);
    await page.getByText('Create a sandbox', { exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Service' }).click();
    await page.getByRole('option').first().click();
    await settled(page);
    await picture('first-card');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\/runs\//);
    const branches = async () => {
      const { body } = await opened.ask('GET', '/blueprints/devSandbox/entities');
      return (body as { entities: { properties: { branch: string } }[] }).entities.map(
        ({ properties }) => properties.branch,
      );
    };
    await expect.poll(branches).toContain('journeys-try');
    await picture('first-card-done');
  }));

test('somebody in no team is told why there is nothing to pick, and whom to ask', () =>
  visit(browser, opened.product, wide, async ({ page, picture }) => {
    const { body } = await opened.ask('POST', '/invitations', { email: 'alone@acme.example' });
    await page.goto((body as { link: { url: string } }).link.url);
    await page.getByLabel('New password').fill('a long password of a guest');
    await page.getByRole('button', { name: 'Set the password and join' }).click();
    await page.waitForURL('/');
    await page.getByText('Create a sandbox', { exact: true }).first().click();
    await page.getByText('you are in no team yet').waitFor();
    await page.getByText(/Ask an administrator \(.+\) to add you to one/).waitFor();
    await settled(page);
    await picture('nothing-to-pick');
    expect(await seriousFindings(page)).toEqual([]);
  }));
