import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { firstScreens } from '../../e2e/support/page-weight.ts';
import { builtServer, type Environment, fetchJson } from '../harness/environment.ts';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import { canPin, loadCore, pinSelf, type StartedProcess, serverCore } from '../harness/processes.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import { readSizes } from './scale.ts';
import type { Scenario, Size } from './scenario.ts';

const person = { email: 'bench@portolan.example', password: 'a password of the benchmark' };
const inOneRequest = 20;
const writers = 8;
const scrolledMs = 8_000;

/**
 * What people wait for in the browser: going from screen to screen, a long table, text that streams. What a first load
 * brings is measured by `portal-pages`.
 * With `PORTOLAN_BENCH_BEFORE`, the `packages/server/dist/main.js` of an older build, screens and table are measured in
 * both builds in turn.
 */
export const portal: Scenario = {
  name: 'portal',
  async run(environment, size) {
    const settings = { PORTOLAN_ADMIN_EMAIL: person.email, PORTOLAN_ADMIN_PASSWORD: person.password };
    const rows = Math.max(...readSizes(size));
    const older = process.env['PORTOLAN_BENCH_BEFORE'];
    const browser = await launchFreely();
    const start = async (contender: string, serverMain: string) => {
      const where = { dataDir: environment.folder(`portal-${contender}`), database: `portal_${contender}` };
      const server = await environment.startOurs({ ...where, settings, serverMain });
      await fill(server, await environment.headersFor(server), rows);
      return { contender, server, page: await signedIn(browser, server) };
    };
    try {
      const now = await start('ours', builtServer);
      const builds = older ? [now, await start('before', older)] : [now];
      return [
        ...(await inTurn(builds, (page) => routeChanges(page, size))),
        ...(await inTurn(builds, (page) => scrolling(page, rows))),
        ...(await streaming(now.page, environment)),
      ];
    } finally {
      await browser.close();
    }
  },
};

type Figure = Omit<Finding, 'contender'>;

/** Measures each build, and says how ours compares with the older one. */
async function inTurn(
  builds: readonly { readonly contender: string; readonly page: Page }[],
  measure: (page: Page) => Promise<Figure[]>,
): Promise<Finding[]> {
  const measured = [];
  for (const { contender, page } of builds) measured.push({ contender, figures: await measure(page) });
  const older = measured.find(({ contender }) => contender === 'before')?.figures;
  return measured.flatMap(({ contender, figures }) =>
    figures.map((figure, index) => {
      const { budget, ...told } = figure;
      if (contender === 'before') return { ...told, contender };
      const before = older?.[index];
      return { ...figure, contender, ...(before ? { ratio: figure.value / before.value } : {}) };
    }),
  );
}

/** A browser on all cores, as people have it: it draws and runs scripts at once. */
async function launchFreely(): Promise<Browser> {
  if (!canPin()) return launchBrowser();
  pinSelf(loadCore, serverCore);
  const browser = await launchBrowser();
  pinSelf(loadCore);
  return browser;
}

async function fill(server: StartedProcess, headers: Readonly<Record<string, string>>, rows: number): Promise<void> {
  const properties = { size: { type: 'number', title: 'Size' }, note: { type: 'string', title: 'Note' } };
  const blueprint = { identifier: 'part', title: 'Part', schema: { properties, required: [] } };
  await fetchJson(server.port, 'POST', '/v1/blueprints', headers, blueprint);
  let next = 0;
  const write = async (): Promise<void> => {
    const connection = await openConnection(server.port);
    for (let first = next; first < rows; first = next) {
      next += inOneRequest;
      const entities = Array.from({ length: Math.min(inOneRequest, rows - first) }, (_, index) => ({
        identifier: `part-${first + index}`,
        title: `Part ${first + index}`,
        properties: { size: first + index, note: 'as it came from the source' },
      }));
      const path = '/v1/blueprints/part/entities/bulk';
      const answer = await connection.send(requestBytes('POST', path, { headers, body: { entities } }));
      if (answer.status >= 300) throw new Error(`The rows were refused: ${answer.body.toString('utf8')}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: writers }, write));
}

async function signedIn(browser: Browser, { port }: StartedProcess): Promise<Page> {
  const page = await browser.newPage({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1360, height: 850 },
  });
  await page.addInitScript(watchStreams);
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  return page;
}

/** CPU that the page's own thread takes for something, in milliseconds: what other programs take does not count. */
async function measureCpu<Answer>(page: Page, work: () => Promise<Answer>): Promise<{ answer: Answer; cpuMs: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await taken();
  const answer = await work();
  const cpuMs = (await taken()) - before;
  await session.detach();
  return { answer, cpuMs };
}

/** From leaving a screen until the next one stands with what it shows, once all were visited. */
async function routeChanges(page: Page, { repetitions }: Size): Promise<Figure[]> {
  await page.goto('/runs');
  await page.locator('main h1').waitFor();
  const times: number[] = [];
  const visitAll = async (): Promise<void> => {
    for (const { name, path, useful } of firstScreens) {
      const took = await page.evaluate<number>(goTo(path, useful));
      if (Number.isNaN(took)) throw new Error(`The screen ${name} did not come`);
      times.push(took);
    }
  };
  // the first round fetches code and data
  await visitAll();
  times.length = 0;
  const { cpuMs } = await measureCpu(page, async () => {
    for (let round = 0; round < Math.max(8, repetitions / firstScreens.length); round += 1) await visitAll();
  });
  const path = 'portal, route change';
  const names = firstScreens.map(({ name }) => name).join(', ');
  return [
    {
      path,
      figure: 'leaving to screen, p95',
      value: percentile(times, 0.95),
      unit: 'ms',
      budget: { of: 'value', most: 60 },
      note: `p50 ${median(times).toFixed(0)} ms, ${times.length} changes between ${names}`,
    },
    {
      path,
      figure: 'CPU of the page, each',
      value: cpuMs / times.length,
      unit: 'ms',
      budget: { of: 'value', most: 40 },
    },
  ];
}

/** As the Back button does it: the screens of both builds are reached alike, however their links are arranged. */
function goTo(path: string, useful: string): string {
  return `new Promise((resolve) => {
    const heading = () => document.querySelector('main h1')?.textContent;
    const before = heading();
    const startedAt = performance.now();
    history.pushState({}, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    const look = () => {
      if (heading() !== before && (${useful})) return resolve(performance.now() - startedAt);
      if (performance.now() - startedAt > 10000) return resolve(NaN);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`;
}

/** Frames while a long table is scrolled as fast as a wheel does, loading as it goes. */
async function scrolling(page: Page, rows: number): Promise<Figure[]> {
  await page.goto('/catalog/parts');
  await page.locator('main a[href^="/e/part/"]').first().waitFor({ timeout: 60_000 });
  const { answer: frames, cpuMs } = await measureCpu(page, () =>
    page.evaluate<number[]>(`new Promise((resolve) => {
    const table = [...document.querySelectorAll('main *')].find((each) =>
      each.scrollHeight > each.clientHeight + 200 && /auto|scroll/.test(getComputedStyle(each).overflowY));
    const frames = [];
    const startedAt = performance.now();
    let before = startedAt;
    const step = (now) => {
      frames.push(now - before);
      before = now;
      table.scrollTop += 120;
      if (now - startedAt < ${scrolledMs}) requestAnimationFrame(step);
      else resolve(frames.slice(5));
    };
    requestAnimationFrame(step);
  })`),
  );
  const late = frames.filter((each) => each > 25).length / frames.length;
  const path = `portal, table of ${rows.toLocaleString('en-US')}`;
  return [
    {
      path,
      figure: 'frames while scrolling',
      value: 1000 / median(frames),
      unit: '/s',
      budget: { of: 'value', least: 59 },
      note: `p95 ${percentile(frames, 0.95).toFixed(1)} ms, ${(late * 100).toFixed(1)} % later than 25 ms`,
    },
    {
      path,
      figure: 'CPU of the page, each frame',
      value: cpuMs / frames.length,
      unit: 'ms',
      budget: { of: 'value', most: 12 },
      note: `${frames.length} frames of 120 px`,
    },
  ];
}

/** Notes when pieces of event streams arrive, and when what they changed was painted. */
const watchStreams = `(() => {
  const read = ReadableStreamDefaultReader.prototype.read;
  window.arrivals = [];
  window.delays = [];
  ReadableStreamDefaultReader.prototype.read = async function (...parameters) {
    const result = await read.apply(this, parameters);
    if (result.value instanceof Uint8Array && result.value.length < 4096) window.arrivals.push(performance.now());
    return result;
  };
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      const pending = window.arrivals.splice(0);
      if (pending.length === 0) return;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { for (const at of pending) window.delays.push(performance.now() - at); };
        channel.port2.postMessage(null);
      });
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
})()`;

/** From the arrival of a piece of an answer until it is painted, while the model speaks at its usual pace. */
async function streaming(page: Page, environment: Environment): Promise<Finding[]> {
  await environment.setPace({ firstMs: 200, gapMs: 25, tokens: 200 });
  await page.goto('/ai');
  const box = page.getByLabel('Ask the assistant').last();
  await box.fill('How are the parts?');
  await page.evaluate('window.delays.length = 0');
  await box.press('Enter');
  await page.getByRole('button', { name: /^Stop/ }).waitFor();
  await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'hidden', timeout: 60_000 });
  const delays = await page.evaluate<number[]>('window.delays');
  return [
    {
      contender: 'ours',
      path: 'portal, streamed answer',
      figure: 'event to paint, p95',
      value: percentile(delays, 0.95),
      unit: 'ms',
      budget: { of: 'value', most: 50 },
      note: `p50 ${median(delays).toFixed(0)} ms, ${delays.length} pieces`,
    },
  ];
}
