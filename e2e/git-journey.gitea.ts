import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOwnedRepository } from '../packages/server/test/git/gitea-repositories.ts';
import { type GiteaServer, startGitea } from '../packages/server/test/git/gitea-server.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { signIn } from './support/sign-in.ts';

const repositories = 200;
const teams = ['Payments', 'Search', 'Platform', 'Checkout', 'Growth', 'Data', 'Mobile', 'Security'];
const clicksMax = 12;
const msMax = 10 * 60_000;
let open: OpenProduct;
let gitea: GiteaServer;

beforeAll(async () => {
  gitea = await startGitea();
  await gitea.call('POST', '/orgs', { username: 'acme' });
  for (const name of teams) {
    await gitea.call('POST', '/orgs/acme/teams', { name, permission: 'read', units: ['repo.code'] });
  }
  const all = Array.from({ length: repositories }, (_, index) => index);
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const index of all.filter((each) => each % 4 === lane)) {
        const team = teams[index % teams.length]?.toLowerCase() ?? '';
        await makeOwnedRepository(gitea, 'acme', `service-${index}`, `@acme/${team}`);
      }
    }),
  );
  open = await openProduct({ PORTOLAN_DEMO: '0', PORTOLAN_PRIVATE_HOSTS: '127.0.0.1' });
});

afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
  await gitea?.stop();
});

/** Counts what a person presses with the mouse; fields follow one another by Tab. */
function counting(page: Page) {
  let clicks = 0;
  const press = async (role: 'button' | 'link', name: string | RegExp, within: Pick<Page, 'getByRole'> = page) => {
    clicks += 1;
    await within.getByRole(role, { name, exact: true }).first().click();
  };
  return { press, count: () => clicks };
}

test(
  'an empty organization has 200 owned services from Git within minutes',
  () =>
    visit(open.browser, open.product, { viewport: { width: 1360, height: 850 } }, async ({ page, picture }) => {
      const beganAt = performance.now();
      const { press, count } = counting(page);
      await page.goto('/');
      await signIn(page, open.product);
      const signInClicks = 1;
      await press('link', 'Service catalog');
      const preview = page.getByRole('dialog', { name: 'Install Service catalog' });
      await press('button', 'Install', preview);
      await preview.waitFor({ state: 'hidden' });
      await press('link', 'Home');
      await press('link', 'Connect Git: begin');
      await press('link', 'Gitea or Forgejo');
      await page.getByRole('textbox', { name: /^Address/ }).fill(gitea.url);
      await page.getByRole('textbox', { name: /^Organizations or users/ }).fill('acme');
      await page.getByRole('textbox', { name: /^Access token/ }).fill(gitea.token);
      await press('button', 'Check');
      await page.getByText(`${repositories} repositories can be read`).waitFor();
      await picture('git-journey-check');
      await press('button', 'Save and read');
      await page.getByRole('link', { name: /^Service \(\d+\)$/ }).waitFor({ timeout: 120_000 });
      const firstMs = performance.now() - beganAt;
      await picture('git-journey-first');
      await page.getByText('Reads run as planned.').waitFor({ timeout: msMax });
      const allMs = performance.now() - beganAt;
      await picture('git-journey-read');
      await press('link', new RegExp(`^Service \\(${repositories}\\)$`));
      await page.getByRole('link', { name: 'service-0', exact: true }).first().waitFor();
      await picture('git-journey-services');
      expect(await seriousFindings(page)).toEqual([]);
      await press('link', 'service-0');
      await page.getByRole('heading', { name: 'service-0', level: 1 }).waitFor();
      await page.getByText('Payments').first().waitFor();
      await picture('git-journey-service');
      await press('link', 'Home');
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await picture('git-journey-home');
      const { items } = (await open.ask('GET', '/checklist')).body as { items: { id: string; done: boolean }[] };
      const done = items.flatMap((item) => (item.done ? [item.id] : []));
      expect(done).toEqual(expect.arrayContaining(['model', 'source', 'data', 'owners', 'rule']));

      const owned = await open.ask('POST', '/blueprints/service/entities/search', {
        query: { combinator: 'and', rules: [{ property: '$team', operator: 'isNotEmpty' }] },
        limit: 1_000,
      });
      expect((owned.body as { entities: unknown[] }).entities).toHaveLength(repositories);
      const clicks = signInClicks + count();
      const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
      process.stdout.write(
        `${clicks} clicks; first services after ${seconds(firstMs)} s, all after ${seconds(allMs)} s\n`,
      );
      expect(clicks).toBeLessThanOrEqual(clicksMax);
      expect(allMs).toBeLessThanOrEqual(msMax);
    }),
  msMax + 60_000,
);
