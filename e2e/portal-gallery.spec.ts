import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { keepPicture, launchBrowser } from './support/browser.ts';
import { drive, type State } from './support/gallery.ts';
import { goTo } from './support/go-to.ts';
import { type Product, startProduct } from './support/product.ts';
import { declaredPaths } from './support/registry.ts';
import { type Example, examples, fillAddress, findPlaces } from './support/screens.ts';
import { signIn } from './support/sign-in.ts';
import { walkInTabs } from './support/walk-in-tabs.ts';

/** A walk over all screens is many journeys. */
const walkMs = 600_000;

let browser: Browser;
let product: Product;
let context: BrowserContext;
let places: Awaited<ReturnType<typeof findPlaces>>;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  context = await browser.newContext({ baseURL: product.address, viewport: { width: 1360, height: 850 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, product);
  await page.close();
  places = await findPlaces(product);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

type Look = (page: Page, example: Example, path: string) => Promise<readonly string[]>;

/** Looks at screens a few at a time: some of them wait for their retries. */
async function inTurn(
  state: string,
  wanted: readonly [string, Example][],
  look: Look,
  { keepsPage = false } = {},
): Promise<string[]> {
  const problems: string[] = [];
  const walk = async (page: Page, [path, example]: [string, Example]) => {
    page.on('pageerror', (error) => problems.push(`${path}: exception: ${error.message}`));
    try {
      problems.push(...(await look(page, example, path)).map((each) => `${path}: ${each}`));
    } catch (error) {
      problems.push(`${path}: ${(error as Error).message.split('\n')[0]}`);
    }
    await keepPicture(page, `gallery-${state}${path.replaceAll(/[/$]/g, '_')}`);
  };
  await walkInTabs(context, wanted, walk, { keepsPage });
  return problems;
}

const all = Object.entries(examples);
const reading = all.filter(([, example]) => example.reads);

async function open(page: Page, state: State, example: Example): Promise<void> {
  await drive(page, state);
  await page.goto(fillAddress(places, example));
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
}

/**
 * Looks at screens as one finds them while the API does that. No real answer ever reached the portal in these tabs, so
 * the next screen knows as little as one that is loaded by itself.
 */
function inState(state: State, wanted: readonly [string, Example][], look: Look): Promise<string[]> {
  const opened = new WeakSet<Page>();
  const lookThere: Look = async (page, example, path) => {
    if (opened.has(page)) await goTo(page, fillAddress(places, example));
    else await open(page, state, example);
    opened.add(page);
    return look(page, example, path);
  };
  return inTurn(state, wanted, lookThere, { keepsPage: true });
}

test('the gallery shows every screen that is declared, and no other', () => {
  expect(Object.keys(examples).toSorted()).toEqual([...declaredPaths()].toSorted());
});

test(
  'while it waits, a screen says so and shows no stranger words',
  async () => {
    const problems = await inState('loading', reading, async (page) => {
      await page.locator('main [aria-busy=true], main .mantine-Skeleton-root').first().waitFor({ state: 'attached' });
      const alerts = await page.getByRole('main').getByRole('alert').count();
      return alerts > 0 ? ['shows an error while it waits'] : [];
    });
    expect(problems).toEqual([]);
  },
  walkMs,
);

test(
  'what failed on the server is told with a way to try again, and then works',
  async () => {
    const problems = await inTurn('error', reading, async (page, example, path) => {
      await open(page, 'error', example);
      const main = page.getByRole('main');
      const again = main.getByRole('button', { name: /^Try again/ }).first();
      await again.waitFor();
      const structure = structureProblems(await accessibilityTree(page));
      await keepPicture(page, `gallery-failed${path.replaceAll(/[/$]/g, '_')}`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const pressAll =
        'for (const each of document.querySelectorAll("main [role=alert] button")) if (each.textContent === "Try again") each.click()';
      // the last answer decides; a second source may have failed later than the first was tried again
      await expect
        .poll(
          async () => {
            await page.evaluate(pressAll);
            return main.getByRole('button', { name: /^Try again/ }).count();
          },
          { timeout: 15_000 },
        )
        .toBe(0);
      await main.getByRole('heading', { level: 1 }).waitFor();
      return structure;
    });
    expect(problems).toEqual([]);
  },
  walkMs,
);

test(
  'what is not for somebody is told as that, and nothing is offered to try again',
  async () => {
    const problems = await inState('forbidden', reading, async (page) => {
      const main = page.getByRole('main');
      await main
        .getByText(/This is not for you|not for you|You may not|cannot change/)
        .first()
        .waitFor();
      // one part of a screen may be told before the others
      await main.getByRole('heading', { level: 1 }).waitFor();
      const retries = await main.getByRole('button', { name: /^Try again/ }).count();
      return [
        ...(retries > 0 ? ['offers to try again what stays refused'] : []),
        ...structureProblems(await accessibilityTree(page)),
      ];
    });
    expect(problems).toEqual([]);
  },
  walkMs,
);

test(
  'where there is nothing, a screen says what is missing',
  async () => {
    const withEmpty = all.filter(([, { empty }]) => empty);
    const problems = await inState('empty', withEmpty, async (page, example) => {
      await page
        .getByRole('main')
        .getByText(example.empty ?? '')
        .first()
        .waitFor();
      const alerts = await page.getByRole('main').getByRole('alert').allTextContents();
      return alerts.map((text) => `shows an error: ${text}`);
    });
    expect(problems).toEqual([]);
  },
  walkMs,
);
