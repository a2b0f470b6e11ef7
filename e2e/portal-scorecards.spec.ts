import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { writeText } from './support/write-text.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };

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

interface Scorecard {
  readonly title: string;
  readonly levels: readonly { readonly title: string }[];
  readonly rules: readonly { readonly identifier: string; readonly title: string; readonly level: string }[];
}

async function stored(identifier: string): Promise<Scorecard> {
  const { body } = await opened.ask('GET', `/blueprints/service/scorecards/${identifier}`);
  return (body as { scorecard: Scorecard }).scorecard;
}

async function levelsOf(identifier: string): Promise<Record<string, number>> {
  const { body } = await opened.ask('GET', '/blueprints/service/entities');
  const counts: Record<string, number> = {};
  for (const { scorecards } of (body as { entities: { scorecards?: Record<string, { level: string }> }[] }).entities) {
    const level = scorecards?.[identifier]?.level;
    if (level !== undefined) counts[level] = (counts[level] ?? 0) + 1;
  }
  return counts;
}

const preview = (page: Page) => page.getByRole('region', { name: 'If saved now' });
const rules = (page: Page) => page.getByRole('region', { name: 'Levels and rules' });
const shown = async (page: Page, level: string) =>
  (await preview(page).getByRole('row', { name: level }).getByRole('cell').allTextContents()).slice(0, 2);

async function choose(page: Page, name: string, option: string): Promise<void> {
  await rules(page).getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('an administrator makes a scorecard on real entities, adds a rule, sees who falls, saves and drills down', () =>
  visit(browser, opened.product, wide, async ({ page, picture }) => {
    await page.goto('/builder/scorecards');
    await signIn(page, opened.product);
    const list = page.getByRole('list', { name: 'Scorecards' });
    await list.getByRole('link', { name: 'Production Readiness' }).waitFor();
    await list.getByRole('img', { name: /^Levels of Production Readiness: / }).waitFor();
    await settled(page);
    await picture('scorecards');
    expect(await seriousFindings(page)).toEqual([]);

    // made without JSON
    await page.getByRole('link', { name: 'New scorecard' }).click();
    await preview(page).getByText('Choose a blueprint to see its entities here.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Night watch');
    expect(await page.getByLabel('Identifier').inputValue()).toBe('night_watch');
    await page.getByRole('combobox', { name: 'Blueprint' }).click();
    await page.getByRole('option', { name: /\(service\)$/ }).click();
    await preview(page).getByText('Measures 18 of 18 entities.').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await choose(page, 'Property', 'Language');
    await rules(page).getByText('Language is not empty').first().waitFor();
    await preview(page).getByText('Every measured entity passes every rule.').waitFor();
    await choose(page, 'Level', 'Bronze');
    await expect.poll(() => shown(page, 'Bronze')).toEqual(['0', '18']);
    await settled(page);
    await picture('scorecard-new');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Night watch was created').waitFor();
    await page.getByRole('heading', { name: 'Night watch', level: 1 }).waitFor();
    expect(await levelsOf('night_watch')).toEqual({ Bronze: 18 });
    expect((await stored('night_watch')).rules).toMatchObject([
      { identifier: 'language_is_not_empty', title: 'Language is not empty', level: 'Bronze' },
    ]);
  }));

test('adding a rule and seeing who falls takes seven clicks at most, and the save does just that', () =>
  visit(browser, opened.product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, opened.product);
    const before = await levelsOf('production_readiness');
    let clicks = 0;
    const click = async (target: ReturnType<Page['getByRole']>) => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('link', { name: 'Builder', exact: true }));
    await click(page.getByRole('link', { name: 'Scorecards', exact: true }));
    await click(page.getByRole('link', { name: 'Production Readiness' }));
    await click(page.getByRole('tab', { name: 'Rules and levels' }));
    await click(page.getByRole('button', { name: 'Add rule' }));
    await click(rules(page).getByRole('combobox', { name: 'Property', exact: true }));
    await click(page.getByRole('option', { name: 'gRPC', exact: true }));
    await preview(page)
      .getByText(/entit(y falls|ies fall)/)
      .waitFor();
    expect(clicks).toBeLessThanOrEqual(7);
    const falling = preview(page).getByRole('list', { name: 'Entities that change their level' });
    await falling.getByRole('link').first().waitFor();
    const gold = await shown(page, 'Gold');
    expect(gold[0]).toBe(String(before['Gold'] ?? 0));
    await settled(page);
    await picture('scorecard-editor');
    expect(await seriousFindings(page)).toEqual([]);

    // the save says the same, and does it
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText(/entit(y falls|ies fall)/).waitFor();
    await picture('scorecard-save');
    await question.getByRole('button', { name: 'Save scorecard' }).click();
    await page.getByText('Production Readiness was saved').waitFor();
    expect(String((await levelsOf('production_readiness'))['Gold'] ?? 0)).toBe(gold[1]);

    // level and rule lead to the entities, teams to their share
    await page.getByRole('tab', { name: 'Results' }).click();
    await page.getByRole('button', { name: /failing gRPC is not empty$/ }).click();
    const failing = page.getByRole('region', { name: 'Entities that fail gRPC is not empty' }).first();
    await failing.getByRole('grid').or(failing.getByRole('table')).getByRole('link').first().waitFor();
    await page
      .getByRole('region', { name: 'Teams', exact: true })
      .getByText(/\d+ of \d+/)
      .first()
      .waitFor();
    await settled(page);
    await picture('scorecard-results');
    expect(await seriousFindings(page)).toEqual([]);
    await page.reload();
    await failing.waitFor();
    await page.getByRole('button', { name: 'Close list' }).click();
    await page.getByRole('button', { name: /^Show Silver/ }).click();
    await page.getByRole('region', { name: 'Entities at Silver' }).first().waitFor();
  }));

test('levels are renamed, moved and removed, and JSON shows the same', () =>
  visit(browser, opened.product, wide, async ({ page }) => {
    await page.goto('/builder/scorecards/service/security_posture?tab=rules');
    await signIn(page, opened.product);
    await page.getByRole('button', { name: 'Add level' }).click();
    await page.getByRole('button', { name: 'Edit level Level 3' }).click();
    await page.getByLabel('Level title').fill('Audited');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move Audited down' }).click();
    await page.getByRole('button', { name: 'Remove level Fortified' }).click();
    await page.getByText('JSON', { exact: true }).click();
    await page.getByText('"title": "Audited"').waitFor();
    await writeText(page, 'Scorecard as JSON', '{ "identifier": ');
    await page.getByText('Unexpected end of JSON input').first().waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Form', { exact: true }).click();
    await page.getByRole('button', { name: 'Edit level Fortified' }).waitFor();
    expect((await stored('security_posture')).levels.map(({ title }) => title)).toEqual([
      'Exposed',
      'Hardened',
      'Fortified',
    ]);
  }));

test('who saves second sees both versions; a deletion says what is lost', () =>
  visit(browser, opened.product, wide, async ({ page }) => {
    const { levels, rules: same } = await stored('security_posture');
    await opened.ask('DELETE', '/blueprints/service/scorecards/to_lose');
    const made = await opened.ask('POST', '/blueprints/service/scorecards', {
      identifier: 'to_lose',
      title: 'To lose',
      levels,
      rules: same,
    });
    expect(made.status).toBe(201);
    await page.goto('/builder/scorecards/service/to_lose?tab=rules');
    await signIn(page, opened.product);
    await page.getByLabel('Title', { exact: true }).fill('Mine');
    const theirs = await stored('to_lose');
    await opened.ask('PUT', '/blueprints/service/scorecards/to_lose', { ...theirs, title: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Theirs', { exact: false }).first().waitFor();
    await question.getByRole('button', { name: 'Replace their changes' }).click();
    await page.getByText('Mine was saved').waitFor();
    expect((await stored('to_lose')).title).toBe('Mine');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByText('18 entities lose their level and the results of 2 rules.', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Delete scorecard' }).click();
    await page.getByText('Mine was deleted').waitFor();
    await page.waitForURL('/builder/scorecards');
    const { status } = await opened.ask('GET', '/blueprints/service/scorecards/to_lose');
    expect(status).toBe(404);
  }));

test('a member reads the rules in words and is told who can change them, at 360 px too', () =>
  visit(browser, opened.product, narrow, async ({ page, picture }) => {
    const { body } = await opened.ask('POST', '/invitations', { email: 'reader@acme.example' });
    await page.goto((body as { link: { url: string } }).link.url);
    await page.getByLabel('New password').fill('a long password of a guest');
    await page.getByRole('button', { name: 'Set the password and join' }).click();
    await page.waitForURL('/');
    await page.goto('/builder/scorecards');
    const create = page.getByRole('link', { name: 'New scorecard' });
    await expect.poll(() => create.getAttribute('aria-describedby')).not.toBe(null);
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await settled(page);
    await picture('scorecards-member-360');
    await page.getByRole('link', { name: 'Production Readiness' }).click();
    await page.getByRole('tab', { name: 'Rules and levels' }).click();
    await page.getByText('Only administrators can change scorecards.', { exact: false }).waitFor();
    await page.getByText('Runbooks is not empty').waitFor();
    expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0);
    await settled(page);
    await picture('scorecard-member-360');
    expect(await seriousFindings(page)).toEqual([]);
  }));
