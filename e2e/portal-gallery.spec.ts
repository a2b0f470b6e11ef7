import { initEvaluation } from '@portolan/evaluation';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { askAs } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, launchBrowser } from './support/browser.ts';
import { drive, type State } from './support/gallery.ts';
import { type Product, startProduct } from './support/product.ts';
import { declaredPaths } from './support/registry.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { waitingWorkflow } from './support/waiting-workflow.ts';
import { walkInTabs } from './support/walk-in-tabs.ts';

/** An example of a screen, and what it shows when reads go wrong; what is left out has nothing to show. */
interface Example {
  readonly address: string;
  /** The screen reads something, so it waits for it. */
  readonly reads?: boolean;
  /** What it says when there is nothing; lists alone have it. */
  readonly empty?: RegExp;
}

const lists = (address: string, empty: RegExp): Example => ({ address, reads: true, empty });
const reads = (address: string): Example => ({ address, reads: true });

/** Every screen of the portal by the path it is declared with. `run` and `invocation` are found when the product runs. */
const examples: Readonly<Record<string, Example>> = {
  '/': reads('/'),
  '/first-steps': reads('/first-steps'),
  '/sign-in': { address: '/sign-in' },
  '/set-password': { address: '/set-password' },
  '/me/credentials': lists('/me/credentials', /You have no API token/),
  '/connect-app': { address: '/connect-app' },
  '/me/connected-apps': lists('/me/connected-apps', /You let no app in/),
  '/me/memory': lists('/me/memory', /There are no notes/),
  '/me/preferences': { address: '/me/preferences' },
  '/ai': { address: '/ai' },
  '/ai/agents': lists('/ai/agents', /no agent/i),
  '/ai/new-agent': { address: '/ai/new-agent' },
  '/ai/agents/$agent': reads('/ai/agents/service_guide'),
  '/ai/evaluation': { address: '/ai/evaluation' },
  '/ai/evaluation/$run': { address: '/ai/evaluation/gallery' },
  '/ai/new-case': { address: '/ai/new-case' },
  '/ai/cases/$case': reads('/ai/cases/number-of-services'),
  '/ai/invocations': lists('/ai/invocations', /No invocation|Nobody|nothing/i),
  '/ai/invocations/$invocation': reads('/ai/invocations/{invocation}'),
  '/ai/usage': reads('/ai/usage'),
  '/approvals': lists('/approvals', /Nothing|None|No /),
  '/approvals/$run': reads('/approvals/{run}'),
  '/builder/audit': lists('/builder/audit', /Nothing|No /),
  '/builder/ai': reads('/builder/ai'),
  '/builder/connectors': lists('/builder/connectors', /no |None|Nothing/i),
  '/builder/connectors/$server': reads('/builder/connectors/gallery'),
  '/builder/actions/$action': reads('/builder/actions/create_sandbox'),
  '/builder/new-action': { address: '/builder/new-action' },
  '/builder/automations': lists('/builder/automations', /No automations yet/),
  '/builder/automations/$automation': reads('/builder/automations/triage_new_incident'),
  '/builder/new-automation': { address: '/builder/new-automation' },
  '/builder/data-model': lists('/builder/data-model', /no blueprint/i),
  '/builder/data-model/$blueprint': reads('/builder/data-model/service'),
  '/builder/data-model/$blueprint/migrate-data': reads('/builder/data-model/service/migrate-data'),
  '/builder/data-model/$blueprint/permissions': reads('/builder/data-model/service/permissions'),
  '/builder/models': lists('/builder/models', /no starter model/i),
  '/builder/organization': reads('/builder/organization'),
  '/builder/new-campaign': reads('/builder/new-campaign'),
  '/builder/campaigns': lists('/builder/campaigns', /No campaigns yet/),
  '/builder/campaigns/$campaign': reads('/builder/campaigns/{campaign}'),
  '/builder/new-scorecard': { address: '/builder/new-scorecard' },
  '/builder/scorecards': lists('/builder/scorecards', /No scorecards yet/),
  '/builder/scorecards/$blueprint/$scorecard': reads('/builder/scorecards/service/production_readiness'),
  '/builder/secrets': lists('/builder/secrets', /no secret/i),
  '/builder/sources': lists('/builder/sources', /no |Nothing/i),
  '/builder/sources/add': reads('/builder/sources/add'),
  '/builder/sources/add/$type': reads('/builder/sources/add/pagerduty'),
  '/builder/sources/integrations/$integration': reads('/builder/sources/integrations/{integration}'),
  '/builder/sources/own/$source': reads('/builder/sources/own/gallery'),
  '/builder/sources/new-webhook': { address: '/builder/sources/new-webhook' },
  '/builder/sources/webhooks/$webhook': reads('/builder/sources/webhooks/{webhook}'),
  '/imports/backstage': { address: '/imports/backstage' },
  '/imports/new': { address: '/imports/new' },
  '/builder/teams': lists('/builder/teams', /no team/i),
  '/builder/users': lists('/builder/users', /no |Nobody/i),
  '/builder/users-and-teams': reads('/builder/users-and-teams'),
  '/catalog': { address: '/catalog' },
  '/catalog/$page': lists('/catalog/delivery', /nothing|no |empty/i),
  '/catalog/$page/edit': reads('/catalog/incident_room/edit'),
  '/e/$blueprint/$entity': reads('/e/service/route-planner'),
  '/e/$blueprint/$entity/$tab': lists('/e/service/route-planner/runs', /No runs/),
  '/new/$blueprint': reads('/new/service'),
  '/runs': lists('/runs', /Nothing has run yet/),
  '/runs/$run': reads('/runs/{run}'),
  '/self-serve': { address: '/self-serve?action=create_sandbox' },
  '/self-service': lists('/self-service', /no action|Nothing/i),
  '/self-service/$action': reads('/self-service/create_sandbox'),
  '/workflows': lists('/workflows', /No workflows yet/),
  '/workflows/new': { address: '/workflows/new' },
  '/workflows/proposals/$proposal': reads('/workflows/proposals/{proposal}'),
  '/workflows/$workflow/edit': reads('/workflows/gallery_workflow/edit'),
  '/workflows/$workflow/start': reads('/workflows/gallery_workflow/start'),
  '/workflow-runs': lists('/workflow-runs', /No workflow has run yet/),
  '/workflow-runs/$workflowRun': reads('/workflow-runs/{workflowRun}'),
};

/** A walk over all screens is many journeys. */
const walkMs = 600_000;

let browser: Browser;
let product: Product;
let context: BrowserContext;
const places = new Map<string, string>();

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
  context = await browser.newContext({ baseURL: product.address, viewport: { width: 1360, height: 850 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, product);
  await page.close();
  await findPlaces();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function findPlaces(): Promise<void> {
  const ask = await askAs(product);
  const first = async (method: string, path: string, list: string, key: string, body?: object): Promise<string> => {
    const answer = (await ask(method, path, body)).body as Record<string, Record<string, string>[]>;
    return String(answer[list]?.[0]?.[key]);
  };
  await ask('POST', '/webhooks', { title: 'Gallery', identifier: 'gallery', enabled: true, mappings: [] });
  await ask('POST', '/integration', { installationId: 'gallery', installationAppType: 'custom', title: 'Gallery' });
  await ask('POST', '/sources', {
    type: 'gitea',
    identifier: 'gallery',
    isPaused: true,
    settings: { url: 'https://git.example' },
    secrets: { token: 'a-token-of-the-gallery' },
  });
  await initEvaluation({
    listBlueprints: async () => [{ identifier: 'service' }],
    createBlueprint: (body) => ask('POST', '/blueprints', body),
    createCase: async (blueprint, body) => (await ask('POST', `/blueprints/${blueprint}/entities`, body)).status < 300,
  });
  await ask('POST', '/blueprints/ai_eval_run/entities', {
    identifier: 'gallery',
    title: 'Gallery',
    properties: {
      started_at: '2026-01-01T00:00:00Z',
      run: 'gallery',
      variant: 'built-in',
      cases: 1,
      right: 1,
      share: 1,
    },
  });
  await ask('POST', '/workflows', waitingWorkflow('gallery_workflow'));
  const started = await ask('POST', '/workflows/gallery_workflow/runs', { inputs: {} });
  places.set('{workflowRun}', String((started.body as { run?: { identifier?: string } }).run?.identifier));
  const arguments_ = { goal: 'Be looked at', workflow: waitingWorkflow('gallery_proposed') };
  const params = { name: 'propose_workflow', arguments: arguments_ };
  const proposed = await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = proposed.body as { result?: { structuredContent?: { proposal?: string } } };
  places.set('{proposal}', String(result?.structuredContent?.proposal));
  places.set('{integration}', await first('GET', '/integration', 'integrations', 'installationId'));
  places.set('{webhook}', await first('GET', '/webhooks', 'integrations', 'identifier'));
  places.set('{campaign}', await first('GET', '/campaigns', 'campaigns', 'id'));
  places.set('{run}', await first('GET', '/actions/runs?limit=1', 'runs', 'id'));
  const search = { limit: 1 };
  const path = '/blueprints/_ai_invocations/entities/search';
  places.set('{invocation}', await first('POST', path, 'entities', 'identifier', search));
}

function fillAddress({ address }: Example): string {
  return address.replace(/\{\w+\}/, (place) => encodeURIComponent(places.get(place) ?? place));
}

/** Looks at screens a few at a time: some of them wait for their retries. */
async function inTurn(
  state: string,
  wanted: readonly [string, Example][],
  look: (page: Page, example: Example, path: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const problems: string[] = [];
  await walkInTabs(context, wanted, async (page, [path, example]) => {
    page.on('pageerror', (error) => problems.push(`${path}: exception: ${error.message}`));
    try {
      problems.push(...(await look(page, example, path)).map((each) => `${path}: ${each}`));
    } catch (error) {
      problems.push(`${path}: ${(error as Error).message.split('\n')[0]}`);
    }
    await keepPicture(page, `gallery-${state}${path.replaceAll(/[/$]/g, '_')}`);
  });
  return problems;
}

const all = Object.entries(examples);
const reading = all.filter(([, example]) => example.reads);

async function open(page: Page, state: State, example: Example): Promise<void> {
  await drive(page, state);
  await page.goto(fillAddress(example));
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
}

test('the gallery shows every screen that is declared, and no other', () => {
  expect(Object.keys(examples).toSorted()).toEqual([...declaredPaths()].toSorted());
});

test(
  'while it waits, a screen says so and shows no stranger words',
  async () => {
    const problems = await inTurn('loading', reading, async (page, example) => {
      await open(page, 'loading', example);
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
    const problems = await inTurn('forbidden', reading, async (page, example) => {
      await open(page, 'forbidden', example);
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
    const problems = await inTurn('empty', withEmpty, async (page, example) => {
      await open(page, 'empty', example);
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

test(
  'every screen can be used in the dark and at 360 pixels',
  async () => {
    const problems = await inTurn('narrow', all, async (page, example) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(fillAddress(example));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 10_000 }).toBe(0);
      await settled(page);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      return [...(await seriousFindings(page)), ...(overflow === 0 ? [] : [`is ${overflow} px too wide`])];
    });
    expect(problems).toEqual([]);
  },
  walkMs,
);
