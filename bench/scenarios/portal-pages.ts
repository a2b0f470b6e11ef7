import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { firstScreens, type PageWeight, weighPage } from '../../e2e/support/page-weight.ts';
import { builtServer } from '../harness/environment.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

const person = { email: 'bench@portolan.example', password: 'a password of the benchmark' };
const loadsEach = 5;

/**
 * What a browser with an empty cache fetches for the signed-in Home, Services and Entity of the demo, against an older
 * build in the same run: `PORTOLAN_BENCH_BEFORE` is its `packages/server/dist/main.js`. The loads alternate, so that both
 * meet the same machine; counts and bytes do not depend on it.
 */
export const portalPages: Scenario = {
  name: 'portal-pages',
  async run(environment) {
    const settings = { PORTOLAN_ADMIN_EMAIL: person.email, PORTOLAN_ADMIN_PASSWORD: person.password };
    const older = process.env['PORTOLAN_BENCH_BEFORE'];
    const builds = [
      { contender: 'ours', serverMain: builtServer, folder: 'pages-ours' },
      ...(older ? [{ contender: 'before', serverMain: older, folder: 'pages-before' }] : []),
    ];
    const browser = await launchBrowser();
    try {
      const opened = [];
      for (const { contender, serverMain, folder } of builds) {
        const dataDir = environment.folder(folder);
        const server = await environment.startOurs({ dataDir, settings, serverMain });
        opened.push({ contender, context: await signedIn(browser, server) });
      }
      const findings: Finding[] = [];
      for (const screen of firstScreens) {
        const loads = new Map<string, PageWeight[]>(opened.map(({ contender }) => [contender, []]));
        for (let round = 0; round < loadsEach; round += 1) {
          for (const { contender, context } of opened) {
            loads.get(contender)?.push(await weighPage(context, screen.path, screen.useful));
          }
        }
        for (const { contender } of opened) {
          findings.push(...figures(screen.name, contender, loads.get(contender) ?? [], loads.get('before')));
        }
      }
      return findings;
    } finally {
      await browser.close();
    }
  },
};

async function signedIn(browser: Browser, { port }: StartedProcess): Promise<BrowserContext> {
  const baseURL = `http://127.0.0.1:${port}`;
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await page.close();
  return context;
}

function figures(
  screen: string,
  contender: string,
  loads: readonly PageWeight[],
  before: readonly PageWeight[] | undefined,
): Finding[] {
  const path = `${screen}, signed in, cold`;
  const middle = (of: readonly PageWeight[], pick: (one: PageWeight) => number): number => median(of.map(pick));
  const figure = (
    name: string,
    pick: (one: PageWeight) => number,
    unit: string,
    budget: NonNullable<Finding['budget']>,
    note?: string,
  ): Finding => {
    const value = middle(loads, pick);
    const ratio = before && contender === 'ours' ? { ratio: value / middle(before, pick) } : {};
    const judged = contender === 'ours' ? { budget } : {};
    return { path, contender, figure: name, value, unit, ...ratio, ...judged, ...(note ? { note } : {}) };
  };
  const count = (pick: (one: PageWeight) => number) => middle(loads, pick);
  return [
    figure(
      'requests',
      ({ requests }) => requests,
      '',
      atMost(24),
      `${count(({ scripts }) => scripts)} scripts, ${count(({ answers }) => answers)} answers`,
    ),
    figure('bytes on the wire', ({ bytes }) => bytes / 1024, 'KB', atMost(300)),
    figure('scripts and styles', ({ codeBytes }) => codeBytes / 1024, 'KB', atMost(250)),
    figure('layout shift', ({ shift }) => shift, '', atMost(0.005)),
    // times tell of the machine: only the ratio to the older build is judged
    figure('useful content', ({ usefulMs }) => usefulMs, 'ms', { of: 'ratio', most: 0.5 }),
  ];
}

function atMost(most: number): NonNullable<Finding['budget']> {
  return { of: 'value', most };
}
