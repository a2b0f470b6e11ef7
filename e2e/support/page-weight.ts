import type { BrowserContext, Page } from 'playwright-core';
import { settled } from './settled.ts';

/** What a browser with an empty cache fetched for a screen, as it came over the wire. */
export interface PageWeight {
  readonly requests: number;
  readonly bytes: number;
  readonly scripts: number;
  /** Bytes of scripts and styles. */
  readonly codeBytes: number;
  readonly fontBytes: number;
  readonly answers: number;
  readonly answerBytes: number;
  /** The sum of all layout shifts that nobody caused. */
  readonly shift: number;
  /** What moved, largest first, for whoever has to mend it. */
  readonly moved: readonly string[];
  /** From the navigation until the screen showed what it is for, in milliseconds. */
  readonly usefulMs: number;
  readonly urls: readonly string[];
}

/** A screen that never shows what it is for counts with this. */
const withinMs = 20_000;

interface Sent {
  readonly url: string;
  bytes: number;
}

/**
 * Opens an address in a new tab without a cache and waits until nothing moves any more.
 * @param useful an expression that becomes true once the screen shows what it is for
 */
export async function weighPage(context: BrowserContext, address: string, useful: string): Promise<PageWeight> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const sent = new Map<string, Sent>();
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.startsWith('http')) sent.set(requestId, { url: request.url, bytes: 0 });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = sent.get(requestId);
      if (one) one.bytes = encodedDataLength;
    });
    await page.addInitScript(watchPage(useful));
    await page.goto(address);
    const usefulMs = await page.evaluate<number>('window.useful');
    await settled(page);
    // the stream of changes begins a second after the screen
    await page.waitForTimeout(1_500);
    await settled(page);
    return { usefulMs, ...(await readFigures(page)), ...weigh([...sent.values()]) };
  } finally {
    await page.close();
  }
}

function weigh(sent: readonly Sent[]) {
  const sum = (some: readonly Sent[]): number => some.reduce((total, { bytes }) => total + bytes, 0);
  const ending = (pattern: RegExp): Sent[] => sent.filter(({ url }) => pattern.test(new URL(url).pathname));
  const answers = ending(/^\/v1\//);
  return {
    requests: sent.length,
    bytes: sum(sent),
    scripts: ending(/\.js$/).length,
    codeBytes: sum(ending(/\.(js|css)$/)),
    fontBytes: sum(ending(/\.woff2$/)),
    answers: answers.length,
    answerBytes: sum(answers),
    urls: sent.map(({ url, bytes }) => `${bytes} ${url.replace(/^https?:\/\/[^/]+/, '')}`),
  };
}

async function readFigures(page: Page): Promise<Pick<PageWeight, 'shift' | 'moved'>> {
  return page.evaluate<Pick<PageWeight, 'shift' | 'moved'>>(`({ shift: window.shift, moved: window.moved })`);
}

const watchPage = (useful: string): string => `(() => {
  window.shift = 0;
  window.moved = [];
  const describe = ({ node, previousRect: before, currentRect: after }) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const name = element ? element.tagName.toLowerCase() + '.' + element.className + ' ' + element.textContent.trim().slice(0, 30) : 'gone';
    return name + ' ' + Math.round(before.y) + '+' + Math.round(before.height) + ' to ' + Math.round(after.y) + '+' + Math.round(after.height);
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shift += entry.value;
      window.moved.push(entry.value.toFixed(4) + ' at ' + Math.round(entry.startTime) + ': ' + entry.sources.map(describe).join(' | '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  window.useful = new Promise((resolve) => {
    const look = () => {
      if ((${useful}) || performance.now() > ${withinMs}) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
})()`;

/** The signed-in screens that people open first, and when each shows what it is for. */
export const firstScreens = [
  { name: 'Home', path: '/', useful: `document.querySelector('main section h2')` },
  { name: 'Services', path: '/catalog/service', useful: `document.querySelector('main a[href^="/e/service/"]')` },
  {
    name: 'Entity',
    path: '/e/service/rate-engine',
    useful: `document.querySelector('main h1')?.textContent.includes('Rate Engine') && document.querySelector('main dl, main [role=tabpanel] h2, main [role=tabpanel] h3')`,
  },
] as const;
