import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { settled } from '../../e2e/support/settled.ts';
import { smallestText } from '../../e2e/support/smallest-text.ts';
import { fetchJson } from '../harness/environment.ts';
import { traceTasks } from '../harness/main-thread.ts';
import { canPin, loadCore, pinSelf, type StartedProcess, serverCore } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

const person = { email: 'bench@portolan.example', password: 'a password of the benchmark' };
const sizes = [
  { types: 70, paintMs: 400 },
  { types: 300, paintMs: 700 },
] as const;
const inGroup = 9;
const openings = 7;
const pointedAt = 20;
const address = '/builder/data-model?view=map';
const ours = { contender: 'ours' } as const;

/** What the map of the data model costs: until it is painted once its data is there, what blocks the page, and its text. */
export const portalMap: Scenario = {
  name: 'portal-map',
  async run(environment) {
    const settings = {
      PORTOLAN_DEMO: '0',
      PORTOLAN_ADMIN_EMAIL: person.email,
      PORTOLAN_ADMIN_PASSWORD: person.password,
    };
    const server = await environment.startOurs({ dataDir: environment.folder('map'), database: 'map', settings });
    const headers = await environment.headersFor(server);
    const browser = await launchFreely();
    try {
      const findings: Finding[] = [];
      let made = 0;
      for (const { types, paintMs } of sizes) {
        for (; made < types; made += 1)
          await fetchJson(server.port, 'POST', '/v1/blueprints', headers, blueprint(made));
        findings.push(...(await measure(browser, server, types, paintMs)));
      }
      return findings;
    } finally {
      await browser.close();
    }
  },
};

/** Groups of nine around one, and a chain of these. */
function blueprint(index: number): object {
  const first = index - (index % inGroup);
  const target = index === first ? first - inGroup : first;
  return {
    identifier: `type_${index}`,
    title: `Type ${index}`,
    schema: { properties: { size: { type: 'number' }, note: { type: 'string' } }, required: [] },
    relations: target < 0 ? {} : { belongs: { title: 'Belongs to', target: `type_${target}` } },
  };
}

/** A browser on all cores, as people have it. */
async function launchFreely(): Promise<Browser> {
  if (!canPin()) return launchBrowser();
  pinSelf(loadCore, serverCore);
  const browser = await launchBrowser();
  pinSelf(loadCore);
  return browser;
}

async function measure(browser: Browser, server: StartedProcess, types: number, paintMs: number): Promise<Finding[]> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${server.port}`,
    viewport: { width: 1440, height: 900 },
  });
  await context.addInitScript(watchMap(types));
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  const paints: Painted[] = [];
  for (let round = 0; round <= openings; round += 1) {
    await page.goto(address);
    const took = await page.evaluate<Painted>('window.mapPainted');
    // the first opening fetches code
    if (round > 0) paints.push(took);
  }
  const least = await smallestText(page);
  const [opened] = await traceTasks(browser, page, async () => {
    await page.goto(address);
    await page.evaluate('window.mapPainted');
  });
  await leave(page);
  const used: { name: string; cpuMs: number; wallMs: number }[] = [];
  for (const { name, work } of uses) {
    const [longest] = await traceTasks(browser, page, () => work(page));
    if (longest) used.push({ name, ...longest });
  }
  await page.goto(`/builder/data-model?view=focus&focus=type_${inGroup * 3}&depth=3`);
  await page.getByRole('region', { name: 'Graph of blueprints' }).waitFor();
  await settled(page);
  const leastInFocus = await smallestText(page);
  await context.close();
  const [chips, whole] = [paints.map(({ chipsMs }) => chipsMs), paints.map(({ wholeMs }) => wholeMs)];
  const path = `data model of ${types} types`;
  return [
    {
      ...ours,
      path,
      figure: 'data to painted map',
      value: median(chips),
      unit: 'ms',
      budget: { of: 'value', most: paintMs },
      note: `most ${Math.max(...chips).toFixed(0)} ms of ${openings}; with counts ${median(whole).toFixed(0)} ms after the last answer`,
    },
    {
      ...ours,
      path,
      figure: 'longest task, map in use',
      value: Math.max(...used.map(({ cpuMs }) => cpuMs)),
      unit: 'ms',
      budget: { of: 'value', most: 50 },
      note: `of CPU; ${used.map(({ name, cpuMs, wallMs }) => `${name} ${cpuMs.toFixed(0)} (${wallMs.toFixed(0)} by the clock)`).join(', ')}`,
    },
    {
      ...ours,
      path,
      figure: 'longest task, page opened',
      value: opened?.cpuMs ?? Number.NaN,
      unit: 'ms',
      note: `of CPU, the start of the portal included; ${opened?.wallMs.toFixed(0)} ms by the clock`,
    },
    {
      ...ours,
      path,
      figure: 'smallest text',
      value: Math.min(least, leastInFocus),
      unit: 'px',
      budget: { of: 'value', least: 12 },
      note: `map ${least} px, focus ${leastInFocus} px`,
    },
  ];
}

/** Another screen, with the code of the map there already. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
  await settled(page);
}

/** What somebody does with the map, one after the other. */
const uses: readonly { readonly name: string; readonly work: (page: Page) => Promise<void> }[] = [
  {
    name: 'coming',
    work: async (page) => {
      await page.getByRole('link', { name: 'Data model', exact: true }).click();
      await page.locator('[data-map]:not([aria-busy])').waitFor();
      await settled(page);
    },
  },
  {
    name: 'pointing',
    work: async (page) => {
      const chips = page.locator('[data-map] [data-chip]');
      for (let index = 0; index < pointedAt; index += 1) await chips.nth(index * 3).hover();
    },
  },
  {
    name: 'selecting',
    work: async (page) => {
      await page.locator('[data-map] [data-chip]').first().click();
      await page.getByRole('complementary').getByRole('link', { name: 'Open' }).waitFor();
    },
  },
  {
    name: 'searching',
    work: async (page) => {
      await page.getByLabel('Search blueprints').pressSequentially('type 1');
      await page.getByText(/blueprints match/).waitFor();
    },
  },
];

interface Painted {
  /** From the types, which are what is drawn. */
  readonly chipsMs: number;
  /** From the last answer that the map shows anything of. */
  readonly wholeMs: number;
}

/** Until all chips were painted, and until they were with their counts: both from the end of the answers they need. */
const watchMap = (types: number): string => `(() => {
  const ofTypes = /^\\/v1\\/blueprints$/;
  const ofMap = /^\\/v1\\/(blueprints|sidebars\\/catalog|integration|entities\\/aggregate)$/;
  const since = (pattern) => performance.now() - Math.max(...performance.getEntriesByType('resource')
    .filter(({ name }) => pattern.test(new URL(name).pathname)).map(({ responseEnd }) => responseEnd));
  const painted = (isThere, pattern) => new Promise((resolve) => {
    const look = () => {
      const chips = [...document.querySelectorAll('[data-map]:not([aria-busy]) [data-chip]')];
      if (chips.length !== ${types} || !chips.every(isThere)) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(since(pattern));
      channel.port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });
  const chips = painted(() => true, ofTypes);
  const whole = painted((chip) => chip.children.length === 3, ofMap);
  window.mapPainted = Promise.all([chips, whole]).then(([chipsMs, wholeMs]) => ({ chipsMs, wholeMs }));
})()`;
