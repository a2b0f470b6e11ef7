import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityTree, lowContrast, structureProblems } from './support/accessibility.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';

const wide = { viewport: { width: 1280, height: 900 } };
const narrow = { viewport: { width: 360, height: 780 } };

let browser: Browser;
let product: Product;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Presses Tab until the link or field has the focus, as somebody without a mouse would. */
async function tabTo(page: Page, role: 'link' | 'searchbox', name: string | RegExp, most = 60): Promise<void> {
  const wanted = page.getByRole(role, { name }).and(page.locator(':focus'));
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await wanted.count()) > 0) return;
  }
  throw new Error(`${most} presses of Tab did not reach the ${role} ${name}`);
}

test('somebody without a mouse gets from the first page to the assistant and copies its command', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.title()).toBe('Sign in · Portolan');
    expect(structureProblems(await accessibilityTree(page))).toEqual([]);
    await picture('first-page');

    await tabTo(page, 'link', 'API reference');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs');
    expect(await page.getByRole('note').textContent()).toMatch(/open\s+beta/);
    expect(structureProblems(await accessibilityTree(page))).toEqual([]);

    await tabTo(page, 'link', 'Skip to the content', 1);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');

    await page.reload();
    await tabTo(page, 'searchbox', 'Filter operations');
    await page.keyboard.type('ask assistant');
    expect(await page.getByRole('status').textContent()).toBe('1 operation');
    expect(await page.getByRole('article').count()).toBe(1);
    await picture('filtered');

    await tabTo(page, 'link', /^Ask the assistant/);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#invokeAssistant');
    const assistant = page.getByRole('article', { name: 'Ask the assistant' });
    expect(await assistant.getByRole('heading', { level: 3 }).isVisible()).toBe(true);
    expect(await assistant.getByText('/v1/ai/invoke', { exact: true }).count()).toBe(1);
    expect(await assistant.getByText('userPrompt', { exact: true }).count()).toBe(1);
    expect(await assistant.getByLabel('Example of Ask the assistant').textContent()).toContain('curl -N');
    await picture('assistant');
  }));

test('a link to an operation that the filter hides shows it', () =>
  visit(browser, product, wide, async ({ page }) => {
    await page.goto('/docs');
    await page.getByLabel('Filter operations').fill('nothing has this name');
    expect(await page.getByRole('status').textContent()).toBe('0 operations');
    await page.getByRole('main').getByRole('link', { name: 'Ask the assistant', exact: true }).click();
    expect(await page.getByRole('article', { name: 'Ask the assistant' }).isVisible()).toBe(true);
  }));

test('the reference is whole without a script', () =>
  visit(browser, product, { ...wide, javaScriptEnabled: false }, async ({ page }) => {
    await page.goto('/docs');
    const { paths } = (await (await fetch(`${product.address}/openapi.json`)).json()) as { paths: object };
    const operations = Object.values(paths).flatMap((methods: object) => Object.keys(methods));
    expect(await page.getByRole('article').count()).toBe(operations.length);
    expect(await page.getByLabel('Filter operations').isVisible()).toBe(false);
    const navigation = page.getByRole('navigation', { name: 'Operations' });
    expect(await navigation.getByRole('link').count()).toBeGreaterThan(operations.length);
  }));

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each(['/docs'])('%s can be read, on a screen 360 pixels wide too', async (path) => {
    for (const [size, options] of Object.entries({ wide, narrow })) {
      await visit(browser, product, { ...options, colorScheme }, async ({ page, picture }) => {
        await page.goto(path);
        // Opened, so that what is inside is looked at too.
        await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
        expect(await lowContrast(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        await picture(`docs-${colorScheme}-${size}`);
        await page.evaluate('document.getElementById("createBlueprint")?.scrollIntoView()');
        await picture(`docs-${colorScheme}-${size}-below`);
      });
    }
  });
});

/** Makers before users, removers last; the page shows them by subject. */
function turn(id: string): number {
  if (id === 'deleteBlueprint') return 5;
  // the run ends when nobody answers at its address, so what reports on it comes right after it
  if (id === 'startRun') return 0.5;
  if (['reportRun', 'addRunLog', 'addRunResponse'].includes(id)) return 0.6;
  const verbs = [
    /^(create|bulkUpsert|import|install|invoke|invite|start)/,
    /^(get|list|count|search|stream|check|replace|put|patch|update|add|explain|simulate|report|claim|rerun|evaluate|verify)/,
    /^cancel/,
  ];
  const found = verbs.findIndex((verb) => verb.test(id));
  // what is inside goes before it
  if (id === 'deletePage' || id === 'deleteWorkflow') return 4;
  return /^(create|plan)/.test(id) ? -1 : found === -1 ? verbs.length : found;
}

/**
 * What runs in the background is not over when the next command comes, and what is made here is called by a name that
 * nobody knows before: tests of their own call these.
 */
const withoutExample = new Set([
  // what they ask about is only kept for a year
  'getEntityChanges',
  'listEntityChanges',
  // it answers a file
  'takeBackup',
  'startDataMigration',
  'getDataMigration',
  'cancelDataMigration',
  'listDataMigrationErrors',
  'rerunDataMigration',
  'undoDataMigration',
  // these are for organizations from before users and teams were blueprints
  'startUsersAndTeams',
  'planUsersAndTeams',
  'chooseForUsersAndTeams',
  'acceptUsersAndTeamsSuggestions',
  'rehearseUsersAndTeams',
  'verifyUsersAndTeams',
  'applyUsersAndTeamsSuggestion',
  'revertUsersAndTeamsSuggestion',
  'undoUsersAndTeams',
  'getCampaign',
  'getCampaignProgress',
  'replaceCampaign',
  'deleteCampaign',
  'deleteExemption',
  'getConversation',
  'getInvocationMessages',
  'streamConversation',
  'renameConversation',
  'pinConversation',
  'moveConversationHead',
  'deleteConversation',
  'forkConversation',
  'shareConversation',
  'exportConversation',
  'rotateApiToken',
  'revokeApiToken',
  'revokeOrganizationToken',
  'renameApp',
  'rotateAppSecret',
  'setAppPermissions',
  'deleteApp',
  'rotateCredentials',
  'getSecret',
  'patchSecret',
  'deleteSecret',
  // these follow on decisions that the run of the example does not wait for
  'decideRun',
  'editDraft',
  'acknowledgeRun',
  // these are called with ids that a sync, a delivery or the integration itself brings
  'ingestIntegrationLogs',
  'addSyncMetrics',
  'putSyncMetrics',
  'beatSync',
  'listSyncMetrics',
  'listSyncs',
  'getSyncCursor',
  'putSyncCursor',
  'createSyncCursor',
  // these are for imports that are open, or belong to a source; that of the example has ended
  'cancelImport',
  'undoImport',
  // asks for a session or a signature
  'enterOrganization',
  'receiveSourceEvent',
  // has no end
  'followChanges',
  'getWebhookDelivery',
  'replayWebhookDelivery',
  'ingestWebhook',
  'getTriggerAddress',
  'rotateTriggerAddress',
  'callWorkflowTrigger',
  'decideDeletion',
  'replaceChangelogDestination',
  'deleteChangelogDestination',
  'testAutomation',
  // these ask a server that is not there
  'testMcpServer',
  'refreshMcpServer',
  'reviewMcpServerTools',
  'invokeAgent',
  'rehearseCutover',
  'simulateCutover',
  // the older form of actions, and routes that are gone
  'createBlueprintAction',
  'replaceBlueprintActions',
  'replaceBlueprintAction',
  'getBlueprintAction',
  'deleteBlueprintAction',
  'invokeRouter',
  'chatApplicationEvent',
  // these are for people alone
  'readNotice',
  'readNotices',
  'dismissNotice',
  'createStandingApproval',
  'revokeStandingApproval',
  'createMemory',
  'updateMemory',
  'deleteMemory',
  'deleteMemories',
  'setOwnMemory',
  // known operations that are not built
  'startAutoDiscovery',
  'listAutoDiscoverySuggestions',
  'reviewAutoDiscovery',
  'editAutoDiscoverySuggestion',
  'getLatestAutoDiscovery',
  // these ask for a run whose id nobody knows before
  'getWorkflowRun',
  'getWorkflowRunLogs',
  'getWorkflowDraft',
  'decideWorkflowDraft',
  'getWorkflowProposal',
  'acceptWorkflowProposal',
  'dismissWorkflowProposal',
  'cancelWorkflowRun',
  'getRerunPlan',
  'rerunWorkflowRun',
  'repeatCompensations',
  'streamWorkflowRunEvents',
  'respondToNodeRun',
  // not every installation has what this asks for
  'getKafkaCredentials',
  'claimNodeRuns',
  'acknowledgeNodeRun',
  'listNodeRuns',
  'reportNodeRun',
  'addNodeRunLogs',
  'getNodeRunLogs',
  'writeToLake',
  'getLifecycle',
  'reportLifecycle',
  'getLifecyclePart',
  'reportLifecyclePart',
  'signIn',
  'getPortalBootstrap',
  'getFavorites',
  'putFavorites',
  // only a browser that an app sent here can ask these
  'describeAuthorization',
  'decideAuthorization',
  'listConnectedApps',
  'revokeConnectedApp',
  'listSessions',
  'revokeSession',
  'revokeSessions',
  'changePassword',
  'createPasswordLink',
  'lookAtLink',
  'redeemPasswordLink',
  'startSso',
  'finishSso',
  'getSsoConnection',
  'putSsoConnection',
  'deleteSsoConnection',
]);

test('every command on the page runs as it is', { timeout: 240_000 }, () =>
  visit(browser, product, wide, async ({ page }) => {
    const { clientId, clientSecret, operatorToken } = product.credentials;
    const mine = (command: string): string =>
      command.replaceAll('YOUR-CLIENT-ID', clientId).replaceAll('YOUR-CLIENT-SECRET', clientSecret);
    await page.goto('/docs');
    const setUp = mine((await page.getByLabel('Commands that get a token').textContent()) ?? '');
    const commands = await page.evaluate<[string, string][]>(
      '[...document.querySelectorAll("article")].map((each) => [each.id, each.querySelector("pre").textContent])',
    );
    expect(setUp).toContain(product.address);
    const names: Record<string, string> = { OPERATOR_TOKEN: operatorToken };
    const { stdout: token } = await sh(`${setUp}\nprintf %s "$TOKEN"`, names);
    Object.assign(names, { TOKEN: token, PORTOLAN_URL: product.address });

    const runnable = commands.filter(([id]) => !withoutExample.has(id));
    const failed: string[] = [];
    for (const [id, command] of runnable.toSorted(([left], [right]) => turn(left) - turn(right))) {
      let stdout = '';
      const run = async (): Promise<string> => {
        ({ stdout } = await sh(mine(command).replace(/^curl /, "curl -sS -w '\\n%{http_code}' "), names));
        return stdout;
      };
      // a source that has just been made is read for the first time, and tries its address again
      await expect.poll(run, { timeout: 60_000, interval: 1_000 }).not.toContain('sync_in_progress');
      const status = stdout.slice(stdout.lastIndexOf('\n') + 1);
      if (!/^2\d\d$/.test(status)) failed.push(`${id}: ${stdout}`);
      const made = madeNames[id];
      if (made) names[made.name] = made.pattern.exec(stdout)?.[1] ?? '';
      if (id === 'invokeAssistant') {
        expect(stdout).toContain('event: done');
        names['INVOCATION_IDENTIFIER'] = /^data: (\S+)$/m.exec(stdout)?.[1] ?? '';
      }
    }
    expect(failed).toEqual([]);
  }),
);

/** What the answer of a command gives to later ones. */
const madeNames: Readonly<Record<string, { readonly name: string; readonly pattern: RegExp }>> = {
  startRun: { name: 'RUN_ID', pattern: /"id":"(r_[^"]+)"/ },
  createOrganization: { name: 'ORGANIZATION_ID', pattern: /"id":"([^"]+)"/ },
  importLines: { name: 'IMPORT_ID', pattern: /"import":"([^"]+)"/ },
  startSourceSync: { name: 'SYNC_ID', pattern: /"id":"([^"]+)"/ },
};

function sh(command: string, names: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], ...names };
  return promisify(execFile)('sh', ['-c', command], { env, timeout: 60_000, maxBuffer: 1 << 26 });
}
