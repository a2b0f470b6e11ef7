import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };
const password = 'a long password of a guest';

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

interface Campaign {
  readonly id: string;
  readonly title: string;
  readonly target: unknown;
  readonly filter?: unknown;
  readonly dueDate: string;
  readonly status: string;
}

async function campaigns(): Promise<readonly Campaign[]> {
  return ((await opened.ask('GET', '/campaigns')).body as { campaigns: Campaign[] }).campaigns;
}

async function named(title: string): Promise<Campaign> {
  const found = (await campaigns()).find((each) => each.title === title);
  if (!found) throw new Error(`There is no campaign "${title}"`);
  return found;
}

async function makeShared(): Promise<{ campaign: Campaign }> {
  const made = await opened.made('/campaigns', {
    title: 'Shared',
    blueprint: 'service',
    scorecard: 'security_posture',
    target: { level: 'Fortified' },
    dueDate: '2020-02-29',
    status: 'active',
  });
  return made as { campaign: Campaign };
}

/** Joins as a member of the team that owns Rate Engine and Invoicing, neither of which is at Gold. */
async function joinBilling(page: Page, email: string): Promise<void> {
  const body = { email, roles: ['Member'], teams: ['billing-rates'] };
  const answer = (await opened.ask('POST', '/invitations', body)).body as { link: { url: string } };
  await page.goto(answer.link.url);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password and join' }).click();
  await page.waitForURL('/');
}

test('an administrator starts a campaign in six clicks, and a member finds their items on Home', () =>
  visit(browser, opened.product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, opened.product);
    let clicks = 0;
    const click = async (target: ReturnType<Page['getByRole']>) => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('link', { name: 'Builder', exact: true }));
    await click(page.getByRole('link', { name: 'Scorecards', exact: true }));
    await click(page.getByRole('link', { name: 'Production Readiness' }));
    await click(page.getByRole('link', { name: 'Start campaign' }));
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Everybody on call');
    await page.getByText('12 entities take part; 3 reached the target already.').waitFor();
    await settled(page);
    await picture('campaign-new');
    expect(await seriousFindings(page)).toEqual([]);
    await click(page.getByRole('button', { name: 'Create campaign' }));
    expect(clicks).toBeLessThanOrEqual(6);
    await page.getByText('Everybody on call was created').waitFor();
    await page.getByRole('heading', { name: 'Everybody on call', level: 1 }).waitFor();
    await page.getByText('3 of 12 reached').waitFor();
    await page.getByText('30 days left', { exact: false }).waitFor();
    const open = page.getByRole('region', { name: 'Open entities' }).first();
    await open.getByRole('link', { name: 'Rate Engine' }).first().waitFor();
    await settled(page);
    await picture('campaign');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await named('Everybody on call')).toMatchObject({ target: { level: 'Gold' }, status: 'active' });

    await visit(browser, opened.product, wide, async ({ page: theirs, picture: theirPicture }) => {
      await joinBilling(theirs, 'billing@acme.example');
      const mine = theirs.getByRole('region', { name: 'Campaigns' });
      await mine.getByText('2 of 2 open · 30 days left').waitFor();
      await mine.getByRole('link', { name: 'Rate Engine' }).first().waitFor();
      await settled(theirs);
      await theirPicture('campaigns-home');
      expect(await seriousFindings(theirs)).toEqual([]);
      await mine.getByRole('link', { name: 'Everybody on call' }).click();
      await theirs.getByRole('heading', { name: 'Everybody on call', level: 1 }).waitFor();
      const rows = theirs.getByRole('region', { name: 'Open entities of my teams' }).first();
      await rows
        .getByRole('row', { name: /Invoicing/ })
        .first()
        .waitFor();
      expect(await rows.getByRole('row', { name: /Customer Portal/ }).count()).toBe(0);
      expect(await theirs.getByRole('tab', { name: 'Settings' }).count()).toBe(0);
      expect(await theirs.getByRole('button', { name: 'Delete' }).count()).toBe(0);
      await theirs.getByRole('button', { name: 'Only my teams' }).click();
      await theirs
        .getByRole('row', { name: /Customer Portal/ })
        .first()
        .waitFor();
    });
  }));

test('rules and a filter narrow a campaign, and the table finds just what is counted', () =>
  visit(browser, opened.product, wide, async ({ page }) => {
    await page.goto('/builder/campaigns');
    await signIn(page, opened.product);
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByText('Enter a title.').waitFor();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Runbooks in Go');
    await page.getByRole('combobox', { name: 'Scorecard' }).click();
    await page.getByRole('option', { name: /^Production Readiness/ }).click();
    await page.getByText('Pass rules', { exact: true }).click();
    await page.getByPlaceholder('Choose rules').click();
    await page.getByRole('option', { name: 'Has a runbook' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('combobox', { name: 'Property', exact: true }).click();
    await page.getByRole('option', { name: 'Language', exact: true }).click();
    await page.getByRole('combobox', { name: 'Operator' }).click();
    await page.getByRole('option', { name: 'is not empty', exact: true }).click();
    await page.getByText(/entities take part; \d+ reached/).waitFor();
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByRole('heading', { name: 'Runbooks in Go', level: 1 }).waitFor();
    expect(await named('Runbooks in Go')).toMatchObject({
      target: { rules: ['runbook'] },
      filter: { combinator: 'and', rules: [{ property: 'language', operator: 'isNotEmpty' }] },
    });
    const { id } = await named('Runbooks in Go');
    const { total, reached, openQuery } = (await opened.ask('GET', `/campaigns/${id}/progress`)).body as {
      total: number;
      reached: number;
      openQuery: object;
    };
    await page.getByText(`${reached} of ${total} reached`).waitFor();
    const found = await opened.ask('POST', '/blueprints/service/entities/search', { query: openQuery });
    expect((found.body as { entities: unknown[] }).entities).toHaveLength(total - reached);
  }));

test('who saves second sees both versions; archiving is undone', () =>
  visit(browser, opened.product, wide, async ({ page }) => {
    const { id } = (await makeShared()).campaign;
    await page.goto(`/builder/campaigns/${id}`);
    await signIn(page, opened.product);
    await page.getByText(/days overdue/).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Mine');
    const {
      createdAt: _a,
      createdBy: _b,
      updatedAt: _c,
      updatedBy: _d,
      id: _e,
      ...body
    } = ((await opened.ask('GET', `/campaigns/${id}`)).body as { campaign: Record<string, unknown> }).campaign;
    await opened.ask('PUT', `/campaigns/${id}`, { ...body, title: 'Theirs' });
    await page.getByRole('button', { name: 'Save campaign' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Theirs', { exact: false }).first().waitFor();
    await question.getByRole('button', { name: 'Replace their changes' }).click();
    await page.getByText('Mine was saved').waitFor();
    expect((await named('Mine')).status).toBe('active');

    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Mine was archived').waitFor();
    await page.getByText('Archived', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    expect((await named('Mine')).status).toBe('active');
  }));

test('a deletion says what is lost', () =>
  visit(browser, opened.product, wide, async ({ page }) => {
    const { id } = (await makeShared()).campaign;
    await page.goto(`/builder/campaigns/${id}`);
    await signIn(page, opened.product);
    await page.getByText(/of 18 reached/).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('The scorecard, its results and the entities stay.', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Delete campaign' }).click();
    await page.getByText('Shared was deleted').waitFor();
    await page.waitForURL('/builder/campaigns');
    expect((await opened.ask('GET', `/campaigns/${id}`)).status).toBe(404);
  }));

test.each([
  ['light', 'wide', wide],
  ['dark', 'wide', wide],
  ['light', 'narrow', narrow],
  ['dark', 'narrow', narrow],
] as const)('list, page, settings and Home can be read in %s colors on a %s screen', (colorScheme, name, size) =>
  visit(browser, opened.product, { ...size, colorScheme }, async ({ page, picture }) => {
    await page.goto('/builder/campaigns');
    await signIn(page, opened.product);
    const list = page.getByRole('list', { name: 'Campaigns' });
    await list
      .getByText(/\d+ of \d+ reached/)
      .first()
      .waitFor();
    await settled(page);
    await picture(`campaigns-${colorScheme}-${name}`);
    expect(await seriousFindings(page)).toEqual([]);
    await list.getByRole('link', { name: 'Production services at Gold' }).click();
    await page.getByRole('link', { name: 'Rate Engine' }).first().waitFor();
    await settled(page);
    await picture(`campaign-${colorScheme}-${name}`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Save campaign' }).waitFor();
    await settled(page);
    await picture(`campaign-settings-${colorScheme}-${name}`);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.goto('/');
    await page.getByRole('region', { name: 'Campaigns' }).waitFor();
    await settled(page);
    await picture(`campaigns-home-${colorScheme}-${name}`);
  }),
);
