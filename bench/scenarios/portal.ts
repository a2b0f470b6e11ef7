import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/support/browser.ts';
import { type Environment, fetchJson } from '../harness/environment.ts';
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

/** What people wait for in the browser: the first load, going from screen to screen, a long table, text that streams. */
export const portal: Scenario = {
  name: 'portal',
  async run(environment, size) {
    const settings = { PORTOLAN_ADMIN_EMAIL: person.email, PORTOLAN_ADMIN_PASSWORD: person.password };
    const where = { dataDir: environment.folder('portal'), database: 'portal' };
    const server = await environment.startOurs({ ...where, settings });
    const rows = Math.max(...readSizes(size));
    await fill(server, await environment.headersFor(server), rows);
    const browser = await launchFreely();
    try {
      const page = await signedIn(browser, server);
      return [
        ...(await firstLoad(browser, server)),
        ...(await routeChanges(page, size)),
        ...(await scrolling(page, rows)),
        ...(await streaming(page, environment)),
      ];
    } finally {
      await browser.close();
    }
  },
};

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

/** What a browser that has nothing fetches for the page on which somebody signs in, zipped; and when it is drawn. */
async function firstLoad(browser: Browser, { port }: StartedProcess): Promise<Finding[]> {
  const address = `http://127.0.0.1:${port}`;
  const page = await browser.newPage({ baseURL: address });
  await page.goto('/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.waitForLoadState('networkidle');
  const paths = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => /\\.(js|css)$/.test(path))`,
  );
  const drawn = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  await page.close();
  const sizes = await Promise.all([...new Set(paths)].map((path) => zippedSize(path)));
  const bytes = sizes.reduce((sum, each) => sum + each, 0);
  return [
    {
      ...ours,
      path: 'portal, first load',
      figure: 'scripts and styles, gzip',
      value: bytes / 1024,
      unit: 'KB',
      budget: { of: 'value', most: 250 },
      note: `${sizes.length} files; first paint after ${drawn.toFixed(0)} ms`,
    },
  ];
}

const ours = { contender: 'ours' } as const;
const dist = join(import.meta.dirname, '../../packages/portal/dist');

/** The build's own zipped file; the server may send a smaller one. */
async function zippedSize(path: string): Promise<number> {
  const names = await readdir(join(dist, 'assets'));
  const name = path.split('/').at(-1) ?? '';
  return names.includes(`${name}.gz`) ? (await stat(join(dist, 'assets', `${name}.gz`))).size : 0;
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

/** Places of the rail, each by the link that leads there. */
const places = ['Services', 'Deployments', 'Agents', 'Teams', 'Data model', 'Secrets'] as const;

/** From the click until the screen stands with what it shows, once everything was visited. */
async function routeChanges(page: Page, { repetitions }: Size): Promise<Finding[]> {
  await page.goto('/runs');
  await page.getByRole('link', { name: 'Services', exact: true }).waitFor();
  const times: number[] = [];
  const visitAll = async (): Promise<void> => {
    for (const place of places) {
      const took = await page.evaluate<number>(goTo(place));
      if (Number.isNaN(took)) throw new Error(`The screen ${place} did not come`);
      times.push(took);
    }
  };
  // the first round fetches code and data
  await visitAll();
  times.length = 0;
  const { cpuMs } = await measureCpu(page, async () => {
    for (let round = 0; round < Math.max(4, repetitions / places.length); round += 1) await visitAll();
  });
  return [
    {
      ...ours,
      path: 'portal, route change',
      figure: 'click to screen, p95',
      value: percentile(times, 0.95),
      unit: 'ms',
      budget: { of: 'value', most: 100 },
      note: `p50 ${median(times).toFixed(0)} ms, ${(cpuMs / times.length).toFixed(0)} ms of CPU each, ${times.length} changes between ${places.length} screens`,
    },
  ];
}

function goTo(place: string): string {
  return `new Promise((resolve) => {
    const link = [...document.querySelectorAll('nav a, header a')].find((each) => each.textContent.trim() === ${JSON.stringify(place)});
    if (!link) return resolve(NaN);
    const startedAt = performance.now();
    link.click();
    const look = () => {
      const isThere = document.querySelector('main h1')?.textContent.trim() === ${JSON.stringify(place)}
        && !document.querySelector('main [aria-busy=true]');
      if (isThere) return resolve(performance.now() - startedAt);
      if (performance.now() - startedAt > 10000) return resolve(NaN);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`;
}

/** Frames while a long table is scrolled as fast as a wheel does, loading as it goes. */
async function scrolling(page: Page, rows: number): Promise<Finding[]> {
  await page.goto('/catalog/parts');
  await page.getByText(/rows loaded/).waitFor({ timeout: 60_000 });
  const { answer: frames, cpuMs } = await measureCpu(page, () =>
    page.evaluate<number[]>(`new Promise((resolve) => {
    const table = document.querySelector('main [role=region][tabindex]');
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
  const loaded = await page.getByText(/rows loaded/).textContent();
  const late = frames.filter((each) => each > 25).length / frames.length;
  return [
    {
      ...ours,
      path: `portal, table of ${rows.toLocaleString('en-US')}`,
      figure: 'frames while scrolling',
      value: 1000 / median(frames),
      unit: '/s',
      budget: { of: 'value', least: 59 },
      note: `p95 ${percentile(frames, 0.95).toFixed(1)} ms, ${(late * 100).toFixed(1)} % later than 25 ms, ${(cpuMs / frames.length).toFixed(1)} ms of CPU each; ${loaded}`,
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
      ...ours,
      path: 'portal, streamed answer',
      figure: 'event to paint, p95',
      value: percentile(delays, 0.95),
      unit: 'ms',
      budget: { of: 'value', most: 50 },
      note: `p50 ${median(delays).toFixed(0)} ms, ${delays.length} pieces`,
    },
  ];
}
