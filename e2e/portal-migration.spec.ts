import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { createOldOrganization } from './support/old-organization.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const place = '/builder/users-and-teams';

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

test('an organization of titles is planned, rehearsed, migrated, verified and moved back', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    const old = await createOldOrganization(product);
    await setPassword(page, await old.invite('dana@acme.example', 'Admin'));
    const reachable = async (name: string) => look(page, `migration-${name}`, picture);

    await page.goto('/e/checkout/cart-api');
    await page.getByText('Payments Core', { exact: true }).first().waitFor();
    // titles lead nowhere: there is no entity of the team yet
    expect(await page.getByRole('link', { name: 'Payments Core' }).count()).toBe(0);

    await page.goto(place);
    await page.getByRole('heading', { name: 'Scan and plan' }).waitFor();
    const inherited = page.getByRole('region', { name: 'Inherited teams stay inherited' });
    await inherited.getByText('pod', { exact: true }).first().click();
    await inherited.getByText('"Inherited"').waitFor();
    await page.getByRole('region', { name: 'Permissions name identifiers' }).waitFor();
    const calculation = page.getByRole('checkbox', { name: /Looked at .*first_owner/ });
    await calculation.check();
    await page.getByText(/^Identifiers of teams/).click();
    await page.getByLabel('SRE', { exact: true }).fill('site-reliability');
    await page.getByRole('button', { name: 'Keep decisions' }).click();
    await page.getByText('Your decisions are kept').waitFor();
    await reachable('plan');
    await page.reload();
    await calculation.waitFor();
    expect(await calculation.isChecked()).toBe(true);
    expect((await old.plan()).choices).toEqual({ identifiers: { SRE: 'site-reliability' }, duplicates: {} });

    await page.getByRole('button', { name: 'Go on to rehearse' }).click();
    await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
    await page.getByText('Nobody gains or loses anything').waitFor();
    await reachable('rehearse');

    await page.getByRole('button', { name: 'Go on to apply' }).click();
    await page.getByRole('button', { name: 'Start the migration' }).click();
    const dialog = page.getByRole('dialog', { name: /^Migrate users and teams of/ });
    await dialog.getByText('2 teams').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await old.status()).status).toBe('NOT_STARTED');
    await page.getByRole('button', { name: 'Start the migration' }).click();
    await dialog.getByRole('button', { name: 'Start the migration' }).click();
    await page.getByText('Change everything, at one moment').first().waitFor();
    await picture('migration-apply');

    await page.getByRole('button', { name: 'Go on to verify' }).click();
    await page.getByText('only mention teams (harmless)').waitFor();
    expect((await old.entity('checkout', 'cart-api')).team).toEqual(['payments_core', 'site-reliability']);
    expect(await page.getByRole('checkbox', { name: /Looked at .*first_owner/ }).isChecked()).toBe(true);
    await old.removeCalculation();
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByRole('definition').filter({ hasText: '1' }).first().waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    await reachable('verify');

    await page.goto('/e/checkout/cart-api');
    await page
      .getByRole('link', { name: /^payments.core$/i })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Payments Core', level: 1 }).waitFor();

    await page.goto(`${place}?step=undo`);
    await page.getByText(/The migration can be undone for/).waitFor();
    await reachable('undo');
    await page.getByRole('button', { name: 'Undo the migration' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the migration' }).click();
    await page.getByText('The last migration was undone').waitFor();
    await reachable('undone');
    expect((await old.entity('checkout', 'cart-api')).team).toEqual(['Payments Core', 'SRE']);
    await page.goto('/e/checkout/cart-api');
    await page.getByText('Payments Core', { exact: true }).first().waitFor();
  }));

test('what is suggested is tried, accepted, written with the migration, taken back and applied', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    const old = await createOldOrganization(product);
    await old.refer();
    await setPassword(page, await old.invite('dana@acme.example', 'Admin'));
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: `· ${name} ·` });
    await page.goto(place);
    const sre = item('is_sre');
    await sre.getByRole('deletion').filter({ hasText: 'SRE' }).waitFor();
    await sre.getByRole('insertion').filter({ hasText: 'sre' }).waitFor();
    await sre.getByText('On gate "north" it gives the same, now and afterwards as it is suggested: true').waitFor();
    // by keyboard alone
    await sre.getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Enter');
    await sre.getByText(/^Accepted by/).waitFor();
    await page.getByRole('button', { name: /^Accept all that are safe/ }).click();
    await page.getByText(/^3 accepted/).waitFor();
    await look(page, 'migration-accepted', picture);
    await item('is_core').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText(/^2 accepted/).waitFor();
    expect((await old.calculations())['is_sre']).toBe('.team | contains(["SRE"])');

    await page.goto(`${place}?step=rehearse`);
    await page.getByRole('button', { name: 'Rehearse', exact: true }).click();
    const differing = page.getByRole('region', { name: /^Expressions that would give something else/ });
    await differing.getByText('is_sre').click();
    await differing.getByRole('columnheader', { name: 'As it is suggested' }).first().waitFor();
    await look(page, 'migration-rehearsed-expressions', picture);

    await page.goto(`${place}?step=apply`);
    await page.getByText('2 suggestions that were accepted').first().waitFor();
    await old.migrate();
    // what others change from then on is told
    const told = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/events');
    await page.goto(`${place}?step=verify`);
    await told;
    await sre.locator('summary').click();
    await sre.getByText(/^Applied by/).waitFor();
    expect(await old.calculations()).toMatchObject({
      is_sre: '.team | index("sre") != null',
      is_core: '.team | index("Payments Core") != null',
    });
    await sre.getByRole('button', { name: 'Take back' }).focus();
    await page.keyboard.press('Enter');
    await sre.getByRole('button', { name: 'Apply' }).waitFor();
    expect((await old.calculations())['is_sre']).toBe('.team | contains(["SRE"])');

    // somebody else writes meanwhile: nothing is overwritten, and both are shown
    await old.writeCalculation('.team == ["SRE"]');
    await sre.getByText('Changed since the migration began').waitFor();
    expect(await sre.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    await look(page, 'migration-changed-since', picture);
    await old.writeCalculation('.team | contains(["SRE"])');
    await sre.getByRole('button', { name: 'Apply' }).waitFor();
    await page.getByRole('button', { name: /^Apply all that are safe/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply them' }).click();
    await page.getByText('2 applied').waitFor();
    await page.getByText('Nothing was refused.').waitFor();
    await look(page, 'migration-applied-all', picture);
    expect(await old.calculations()).toMatchObject({
      is_sre: '.team | index("sre") != null',
      is_core: '.team | index("payments_core") != null',
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(`localStorage.setItem('portolan-theme', 'dark')`);
    await page.reload();
    await page.getByText('Nothing is left that breaks').waitFor();
    await sre.locator('summary').click();
    await look(page, 'migration-applied-narrow', picture);
  }));

test('what the old model cannot hold is listed, and nothing is undone', async () => {
  const old = await createOldOrganization(product);
  const link = await old.invite('dana@acme.example', 'Admin');
  await old.migrate();
  await old.pointAtTeams();
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await setPassword(page, link);
  await page.goto(`${place}?step=undo`);
  await page.getByRole('button', { name: 'Undo the migration' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the migration' }).click();
  await page.getByText('The migration cannot be undone now').waitFor();
  await page.getByText('/blueprint/squad', { exact: true }).waitFor();
  expect((await old.status()).status).toBe('COMPLETED');
  await context.close();
});

test('an organization that began on the new model has nothing to migrate', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto(place);
    await signIn(page, product);
    await page.getByRole('heading', { name: 'There is nothing to migrate' }).waitFor();
    await look(page, 'migration-nothing', picture);
  }));

test('what blocks a beta organization is said where it would start, and taken back', () =>
  visit(browser, product, { viewport: { width: 360, height: 740 } }, async ({ page, picture }) => {
    const old = await createOldOrganization(product, 'beta');
    await page.addInitScript(`localStorage.setItem('portolan-theme', 'dark')`);
    await setPassword(page, await old.invite('dana@acme.example', 'Admin'));
    // teams are entities already, so their identifiers are not to be chosen
    await old.choose({ identifiers: { SRE: 'site-reliability' } });
    await page.goto(`${place}?step=apply`);
    await page.getByText('The migration cannot start yet').waitFor();
    expect(await page.getByRole('button', { name: 'Start the migration' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Look at the plan' }).click();
    await page.getByText('1 thing stands in the way').waitFor();
    await look(page, 'migration-blocked-narrow', picture);
    await page.getByRole('button', { name: /^Take back/ }).click();
    await page.getByRole('button', { name: 'Keep decisions' }).click();
    await page.getByText('1 thing stands in the way').waitFor({ state: 'hidden' });
    expect((await old.plan()).blockers).toEqual([]);
    await look(page, 'migration-plan-narrow', picture);
  }));

test('somebody who is no administrator is told so', async () => {
  const old = await createOldOrganization(product);
  const context = await browser.newContext({ baseURL: product.address, ...wide });
  const page = await context.newPage();
  await setPassword(page, await old.invite('kim@acme.example', 'Member'));
  await page.goto(place);
  await page.getByText('This is not for you').waitFor();
  expect(await page.getByRole('link', { name: 'Team migration' }).count()).toBe(0);
  await look(page, 'migration-forbidden', async () => undefined);
  await context.close();
});

/** Follows the link of somebody who was invited. */
async function setPassword(page: Page, link: string): Promise<void> {
  page.setDefaultTimeout(12_000);
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('a password of the journeys');
  await page.getByRole('button', { name: 'Set the password and join' }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
}

async function look(page: Page, name: string, picture: (name: string) => Promise<void>): Promise<void> {
  await settled(page);
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))');
  await picture(name);
  expect([name, await seriousFindings(page)]).toEqual([name, []]);
  expect([name, structureProblems(await accessibilityTree(page))]).toEqual([name, []]);
  expect([name, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([name, 0]);
}
