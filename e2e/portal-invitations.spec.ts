import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SmtpServer, startSmtpServer } from '../packages/server/test/smtp-server.ts';
import { type Ask, askAs } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { inspectScreens } from './support/inspect-screens.ts';
import { createKeyboard } from './support/keyboard.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };
const password = 'a long password of a guest';

let browser: Browser;
let smtp: SmtpServer;
let mailing: Product;
let silent: Product;
let ask: Ask;

beforeAll(async () => {
  browser = await launchBrowser();
  smtp = await startSmtpServer();
  mailing = await startProduct({
    PORTOLAN_SMTP_URL: `smtp://${smtp.address}`,
    PORTOLAN_SMTP_FROM: 'portal@acme.example',
  });
  silent = await startProduct();
  ask = await askAs(silent);
});

afterAll(async () => {
  await browser?.close();
  await mailing?.stop();
  await silent?.stop();
  await smtp?.close();
});

const linkIn = (page: Page, email: string): Promise<string> =>
  page.getByRole('dialog').getByLabel(email, { exact: true }).inputValue();

/** The link in the message to an address, as a mail client shows it. */
async function mailedLink(email: string): Promise<string> {
  await expect.poll(() => smtp.taken.filter(({ to }) => to.includes(email)).length).toBeGreaterThan(0);
  const { content } = smtp.taken.findLast(({ to }) => to.includes(email)) as { content: string };
  const text = content.replaceAll(/=\n/g, '').replaceAll('=3D', '=');
  return /http\S+\/set-password#\S+/.exec(text)?.[0] ?? '';
}

/** Opens a link in a browser of its own, as the invited person does, and joins. */
async function join(product: Product, link: string, name: string): Promise<void> {
  await visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto(link);
    await page.getByRole('heading', { name: /^Join / }).waitFor();
    await settled(page);
    await picture(`join-${name}`);
    expect(await seriousFindings(page)).toEqual([]);
    expect(page.url()).not.toContain('#');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set the password and join' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForURL('/');
    await settled(page);
    await picture(`joined-${name}`);
  });
}

describe('without a mail server', () => {
  test('several people are invited at once, and one joins with the copied link', () =>
    visit(browser, silent, wide, async ({ page, picture }) => {
      await page.goto('/builder/users');
      await signIn(page, silent);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite people' });
      await dialog.getByLabel('E-mail addresses').fill('nora@acme.example, nobody');
      await dialog.getByText('"nobody" is no e-mail address.').waitFor();
      expect(await dialog.getByRole('button', { name: /^Invite/ }).isDisabled()).toBe(true);
      await dialog.getByLabel('E-mail addresses').fill('nora@acme.example\nolaf@acme.example; pia@acme.example');
      await dialog.getByText('No mail server is set up').waitFor();
      await settled(page);
      await picture('invite-form');
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Invite 3 people' }).click();
      const result = page.getByRole('dialog', { name: 'Invited 3 people' });
      await result.getByRole('button', { name: 'Copy all' }).waitFor();
      await settled(page);
      await picture('invite-links');
      expect(await seriousFindings(page)).toEqual([]);
      const link = await linkIn(page, 'nora@acme.example');
      // a stray key does not throw the links away
      await page.keyboard.press('Escape');
      expect(await linkIn(page, 'nora@acme.example')).toBe(link);
      await result.getByRole('button', { name: 'Done' }).click();

      await page.getByText(/^Invited \(\d+\)$/).click();
      const table = page.getByRole('grid', { name: 'Invited people' });
      await table.getByText('nora@acme.example').waitFor();
      await settled(page);
      await picture('invited');
      expect(await seriousFindings(page)).toEqual([]);

      await join(silent, link, 'by-hand');
      await page.reload();
      await table.getByText('olaf@acme.example').waitFor();
      expect(await table.getByText('nora@acme.example').count()).toBe(0);

      await page.getByRole('button', { name: 'New link for olaf@acme.example' }).click();
      await page.getByRole('button', { name: 'Make a new link' }).click();
      const revoked = await linkIn(page, 'olaf@acme.example');
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Take back the invitation of olaf@acme.example' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
      await page.getByText('olaf@acme.example is not invited any more').waitFor();
      await table.getByText('olaf@acme.example').waitFor({ state: 'detached' });
      await visit(browser, silent, wide, async ({ page: other, picture: show }) => {
        for (const [address, why, name] of [
          [link, /was used already/, 'used'],
          [revoked, /was revoked/, 'revoked'],
        ] as const) {
          await other.goto('about:blank');
          await other.goto(address);
          await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
          await other.getByText(why).waitFor();
          await show(`link-${name}`);
        }
        expect(await seriousFindings(other)).toEqual([]);
      });
    }));

  test('somebody is invited and joins with the keyboard alone', async () => {
    let link = '';
    await visit(browser, silent, wide, async ({ page }) => {
      await page.goto('/builder/users');
      await signIn(page, silent);
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
      await settled(page);
      const keys = createKeyboard(page);
      await keys.press('i');
      await keys.write(page.getByLabel('E-mail addresses'), 'kim@acme.example');
      await keys.reach(page.getByRole('radio', { name: 'Member' }));
      await keys.press('ArrowDown');
      expect(await page.getByRole('radio', { name: 'Admin' }).isChecked()).toBe(true);
      await keys.use(page.getByRole('button', { name: 'Invite', exact: true }));
      const copy = page.getByRole('button', { name: 'Copy link of kim@acme.example' });
      await keys.reach(copy);
      link = await linkIn(page, 'kim@acme.example');
      await keys.use(page.getByRole('button', { name: 'Done' }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(keys.unseen).toEqual([]);
    });
    await visit(browser, silent, wide, async ({ page }) => {
      await page.goto(link);
      const keys = createKeyboard(page);
      await keys.write(page.getByLabel('New password'), password);
      await keys.press('Enter');
      await page.waitForURL('/');
      await page
        .getByRole('button', { name: /kim@acme.example/i })
        .first()
        .waitFor();
      expect(keys.unseen).toEqual([]);
    });
    const { body } = (await ask('GET', '/users/kim@acme.example')) as { body: { user: object } };
    expect(body.user).toMatchObject({ status: 'Active', roles: [{ name: 'Admin' }] });
  });

  test.each([
    ['light', 'wide', wide],
    ['dark', 'narrow', narrow],
  ] as const)('the list of invitations can be read: %s, %s', async (scheme, size, options) => {
    await ask('POST', '/invitations', { email: `somebody-with-a-long-name-${size}@department.acme.example` });
    await visit(browser, silent, { ...options, colorScheme: scheme }, async (visited) => {
      await visited.page.goto('/builder/users?type=Invited');
      await signIn(visited.page, silent);
      expect(await inspectScreens(visited, ['/builder/users?type=Invited'], `${scheme}-${size}`)).toEqual([]);
    });
  });
});

test('with a mail server the invited person gets a message, opens its link and is signed in', () =>
  visit(browser, mailing, wide, async ({ page, picture }) => {
    await page.goto('/builder/users');
    await signIn(page, mailing);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await dialog.getByLabel('E-mail addresses').fill('mona@acme.example');
    await dialog.getByLabel('Send an invitation by e-mail').waitFor();
    await dialog.getByLabel('Moderator').check();
    await dialog.getByLabel('Blueprints').first().click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await settled(page);
    await picture('invite-moderator');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('An e-mail with a link is on its way').waitFor();
    await picture('invite-mailed');
    const byHand = await linkIn(page, 'mona@acme.example');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/^Invited \(\d+\)$/).click();
    await page.getByRole('grid', { name: 'Invited people' }).getByText(/^Sent/).waitFor();
    await picture('invited-mailed');
    const mailed = await mailedLink('mona@acme.example');
    expect(mailed).not.toBe(byHand);
    await join(mailing, mailed, 'by-mail');
    await page.goto(byHand);
    await page.getByText(/was used already/).waitFor();
    expect(mailing.output()).not.toContain(mailed.split('#')[1]);
  }));
