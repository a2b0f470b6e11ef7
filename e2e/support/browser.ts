import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Product } from './product.ts';

/** Without these Chromium calls home at every start; the sandbox needs a user that is not root. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the machine's own Chromium. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

function chromiumPath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  const candidates = [
    process.env['CHROMIUM_PATH'],
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  throw new Error(
    'No Chromium was found. Install it (Debian: `apt-get update && apt-get install -y chromium`) or set CHROMIUM_PATH.',
  );
}

/** A page that is watched while a journey is on it. */
export interface Visit {
  readonly page: Page;
  /** Everything that went wrong unasked: console errors, exceptions, failed requests, requests to elsewhere. */
  readonly complaints: readonly string[];
  /** Keeps a picture for people to look at, if `PORTOLAN_E2E_RESULTS` names a folder for them. */
  picture(name: string): Promise<void>;
}

const askedFolder = process.env['PORTOLAN_E2E_RESULTS'];
let resultsFolder: Promise<string> | undefined;

function results(): Promise<string> {
  resultsFolder ??= askedFolder
    ? mkdir(askedFolder, { recursive: true }).then(() => askedFolder)
    : mkdtemp(join(tmpdir(), 'portolan-e2e-results-'));
  return resultsFolder;
}

/** Keeps a picture if somebody wants to look at them: taking one costs about as much as drawing the page. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (askedFolder) await savePicture(page, name);
}

/** Saves a picture, in a temporary folder unless another is asked for; says where. */
export async function savePicture(page: Page, name: string): Promise<string> {
  const path = join(await results(), `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/** Journeys that have failed once. They are traced when they are tried again: a trace takes a third of the machine. */
const failed = new Set<string>();

/** Whether the journey has failed once, and what its first try made may still be there. */
export function isSecondTry(): boolean {
  return failed.has(expect.getState().currentTestName ?? '');
}

/**
 * Runs a journey on a new page of the product. If it fails, a picture and the server's output are kept and the error
 * says where, with a trace of the second try; if anything complained meanwhile, it fails.
 */
export async function visit(
  browser: Browser,
  product: Product,
  options: BrowserContextOptions,
  journey: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: product.address, ...options });
  const name = expect.getState().currentTestName ?? '';
  const traced = isSecondTry();
  if (traced) await context.tracing.start({ screenshots: true, snapshots: true });
  const page = await context.newPage();
  const complaints = watch(page, product.address);
  const picture = (name: string): Promise<void> => keepPicture(page, name);
  try {
    await journey({ page, complaints, picture });
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
  } catch (error) {
    const folder = await mkdtemp(join(await results(), 'failure-'));
    if (traced) await context.tracing.stop({ path: join(folder, 'trace.zip') });
    failed.add(name);
    await page.screenshot({ path: join(folder, 'page.png') });
    await writeFile(join(folder, 'server.log'), product.output());
    if (error instanceof Error) {
      error.message += `\n${await page.evaluate<string>(whatIsOpen).catch(String)}`;
      error.message += `\n(picture, server's output${traced ? ' and trace' : ''}: ${folder})`;
    }
    throw error;
  } finally {
    await context.close();
  }
}

/** Where the focus is and what floats above the page, for whoever has only the message of a failure. */
const whatIsOpen = `(() => {
  const tags = (selector) => [...document.querySelectorAll(selector)].map((each) => each.outerHTML.slice(0, 300));
  return JSON.stringify({
    address: location.pathname,
    focus: document.activeElement?.outerHTML.slice(0, 300),
    expanded: tags('[aria-expanded=true]'),
    floating: tags('[role=menu], [role=dialog], [role=alert]'),
  });
})()`;

/** Collects what goes wrong unasked on a page. */
export function watch(page: Page, address: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== address) complaints.push(`request to elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  return complaints;
}
