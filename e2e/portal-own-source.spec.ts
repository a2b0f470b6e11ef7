import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import answers from '../packages/server/test/git/gitea-answers.json' with { type: 'json' };
import { type RecordedHost, startRecordedHost } from '../packages/server/test/git/recorded-host.ts';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const longMs = 60_000;
let open: OpenProduct;
let host: RecordedHost;
let validToken = '';

beforeAll(async () => {
  host = await startRecordedHost(answers, 'http://gitea.test');
  host.answer = (path, authorization) => {
    if (authorization !== `token ${validToken}`) return { status: 401 };
    if (path.endsWith('/version')) return { status: 200, body: '{"version":"1.26.0"}' };
    return path.endsWith('/repos/search?limit=1') ? { status: 200, body: '{"data":[]}' } : undefined;
  };
  open = await openProduct({ PORTOLAN_DEMO: '0', PORTOLAN_ALLOW_PRIVATE_NETWORK: '1' });
});

afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
  await host?.close();
});

async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
  expect(structureProblems(await accessibilityTree(page))).toEqual([]);
}

const token = (page: Page) => page.getByRole('textbox', { name: /^Access token/ });

test('an empty organization connects Gitea, sees repositories with their owners, and replaces a refused token', () =>
  visit(open.browser, open.product, wide, async ({ page, picture }) => {
    validToken = 'the-first-token-of-the-host';
    await page.goto('/');
    await signIn(page, open.product);
    await page.getByRole('link', { name: 'Connect Git: begin' }).click();
    await page.getByRole('link', { name: 'Gitea or Forgejo' }).click();
    await page.getByRole('textbox', { name: /^Address/ }).fill(host.url);
    await page.getByRole('textbox', { name: /^Organizations or users/ }).fill('acme');

    await token(page).fill('mistyped');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Gitea refuses the credentials', { exact: false }).waitFor();
    await expectAccessible(page);
    await picture('own-source-refused-check');

    // the rest by keyboard
    await token(page).fill(validToken);
    await page.getByRole('button', { name: 'Check', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('3 repositories can be read').waitFor();
    await page.getByText('The first 3 of 3', { exact: false }).waitFor();
    await expectAccessible(page);
    await picture('own-source-check');
    await page.getByRole('button', { name: 'Save and read' }).focus();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Gitea or Forgejo', level: 1 }).waitFor();
    await page.getByText('Reads run as planned.').waitFor({ timeout: longMs });
    await page.getByRole('link', { name: /^Repository \(\d\)$/ }).waitFor();
    await expectAccessible(page);
    await picture('own-source-overview');
    const stored = await open.ask('GET', '/blueprints/repository/entities/acme%2Fapi');
    expect(stored.body).toMatchObject({ entity: { team: ['payments'], properties: { url: `${host.url}/acme/api` } } });

    // the organization has no blueprint "service", which a port.yml names
    await page.getByRole('tab', { name: 'Syncs' }).click();
    const refused = page.getByRole('row', { name: /"service" was not found/ });
    await refused
      .getByRole('link', { name: /^port\.yml \d+$/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await picture('own-source-syncs');

    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByRole('heading', { name: 'What would change' }).waitFor({ timeout: longMs });
    await expectAccessible(page);
    await picture('own-source-plan');

    validToken = 'the-second-token-of-the-host';
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Read now' }).click();
    await page.getByText('Until then it is not read, and nothing is deleted.').waitFor({ timeout: longMs });
    await expectAccessible(page);
    await picture('own-source-refused');
    await token(page).fill(validToken);
    await page.keyboard.press('Enter');
    await page.getByText('Reads run as planned.').waitFor({ timeout: longMs });

    await page.getByRole('tab', { name: 'Mapping' }).click();
    await page.getByRole('combobox', { name: 'Item' }).and(page.locator(':enabled')).waitFor();
    await expectAccessible(page);
    await picture('own-source-mapping');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('ending in host').waitFor();
    await expectAccessible(page);
    await picture('own-source-settings');

    await page.getByRole('link', { name: 'Data sources' }).last().click();
    await page.getByRole('listitem').filter({ hasText: 'Gitea or Forgejo' }).getByText('Live').waitFor();
    await expectAccessible(page);
    await picture('own-sources');
    await page.getByRole('link', { name: 'Gitea or Forgejo' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the source' }).click();
    await page.getByText('Gitea or Forgejo was deleted').waitFor();
    expect((await open.ask('GET', '/blueprints/repository/entities/acme%2Fapi')).status).toBe(200);
  }));
