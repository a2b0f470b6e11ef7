import { onlyReads } from '@portolan/contract/operation';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOperation, holdWrites, type SentWrite } from './support/held-writes.ts';
import { signedInAs } from './support/members.ts';
import { makeAutomation, type OpenProduct, openProduct } from './support/open-product.ts';
import { createPresser, nothingOffered, type Offered } from './support/press-all.ts';
import { declaredPaths } from './support/registry.ts';
import { waitingWorkflow } from './support/waiting-workflow.ts';
import { walkInTabs } from './support/walk-in-tabs.ts';

let open: OpenProduct;
let run = '';
let invocation = '';
let campaign = '';
let workflowRun = '';

beforeAll(async () => {
  open = await openProduct();
  const { made, ask } = open;
  await made('/webhooks', { title: 'Hook', identifier: 'hook', enabled: true, mappings: [] });
  await made('/integration', { installationId: 'agent', installationAppType: 'custom', title: 'Agent' });
  await made('/installs', { type: 'pagerduty', installationId: 'pager', settings: {}, secrets: [], resyncMinutes: 60 });
  for (const [identifier, mapping] of [
    ['forge', undefined],
    ['services', { resources: [{ kind: 'repository', port: { entity: { mappings: serviceMapping } } }] }],
  ] as const) {
    await made('/sources', {
      type: 'gitea',
      identifier,
      isPaused: true,
      settings: { url: 'https://git.example' },
      secrets: { token: 'a-token-of-the-forge' },
      ...(mapping ? { mapping } : {}),
    });
  }
  await makeAutomation(made, 'on_new_service');
  await made('/workflows', waitingWorkflow('ask_first'));
  const started = (await made('/workflows/ask_first/runs', { inputs: {} })) as { run: { identifier: string } };
  workflowRun = started.run.identifier;
  for (const identifier of ['ping', 'rebuild']) {
    await made('/actions', {
      identifier,
      title: identifier,
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [] } },
      invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook' },
    });
  }
  // whoever approves sees the action and its runs, and may not run it
  await made(
    '/actions/rebuild/permissions',
    { execute: { roles: ['Admin'] }, approve: { roles: ['Admin', 'Member'] } },
    'PATCH',
  );
  run = ((await made('/actions/rebuild/runs', { properties: {} })) as { run: { id: string } }).run.id;
  await ask('PATCH', `/actions/runs/${run}`, { status: 'SUCCESS' });
  const { campaigns } = (await ask('GET', '/campaigns')).body as { campaigns: { id: string }[] };
  campaign = campaigns[0]?.id ?? '';
  const found = (await ask('POST', '/blueprints/_ai_invocations/entities/search', { limit: 1 })).body;
  invocation = (found as { entities: { identifier: string }[] }).entities[0]?.identifier ?? '';
});
afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
});

const serviceMapping = { identifier: '.name', blueprint: '"service"' };

/** Something for each parameter of the declared screens; of some kinds more than one, with different rights. */
const examples = (): Readonly<Record<string, readonly string[]>> => ({
  $action: ['ping', 'rebuild', 'create_sandbox'],
  $agent: ['service_guide'],
  $automation: ['on_new_service'],
  $blueprint: ['service'],
  $campaign: [campaign],
  $entity: ['route-planner'],
  $integration: ['agent', 'pager'],
  $invocation: [invocation],
  $page: ['service', 'delivery', 'vulnerability'],
  $run: [run],
  $scorecard: ['production_readiness'],
  $server: ['nothing'],
  $source: ['forge', 'services'],
  $tab: ['edit'],
  $type: ['pagerduty', 'gitea', 'webhook'],
  $webhook: ['hook'],
  $workflow: ['ask_first'],
  $workflowRun: [workflowRun],
});

/** What is for nobody who is signed in. */
const left = new Set(['/sign-in', '/set-password']);

function addresses(): string[] {
  const known = examples();
  return declaredPaths()
    .filter((path) => !left.has(path))
    .flatMap((path) =>
      (path.match(/\$\w+/g) ?? []).reduce<string[]>(
        (found, name) => found.flatMap((each) => (known[name] ?? [name]).map((value) => each.replace(name, value))),
        [path],
      ),
    );
}

interface Crawl {
  readonly problems: string[];
  readonly sent: SentWrite[];
  readonly offered: Offered;
}

/**
 * Opens every screen as somebody, presses all that is offered and was not offered to the person before, and lists what the
 * server refuses.
 */
async function findRefused(context: BrowserContext, before?: Offered): Promise<Crawl> {
  const problems: string[] = [];
  const offered = nothingOffered();
  const pressers = new Map<unknown, () => string>();
  const writes = await holdWrites(context, (request) => pressers.get(request.frame().page())?.() ?? '');
  const screens = [['/', 'body'], ...addresses().map((address) => [address, 'main'])];
  const press = async (page: Page, [address = '', root = 'main']: readonly string[]) => {
    const presser = createPresser(page, address, { root, offered, ...(before ? { before } : {}) });
    pressers.set(page, presser.pressed);
    page.on('response', (response) => {
      const operation = findOperation(response.request().method(), response.url());
      // a screen that is not for somebody is read in vain and says so; what is pressed is not
      if (response.status() !== 403 || !operation || operation.method === 'GET' || !onlyReads(operation)) return;
      problems.push(`${presser.pressed()}: ${operation.id} was refused`);
    });
    await presser
      .pressAll()
      .catch((error: Error) => problems.push(`${presser.pressed()}: ${error.message.split('\n')[0]}`));
  };
  // screens follow each other as links lead to them: loading the portal for each takes longer than the presses
  await walkInTabs(context, screens, press, { keepsPage: true });
  const sent = await writes.send();
  for (const { pressed, operation, status, message } of sent) {
    if (status === 403) problems.push(`${pressed}: ${operation} was refused: ${message}`);
  }
  return { problems: [...new Set(problems)].sort(), sent, offered };
}

const operationsOf = (sent: readonly SentWrite[]) => [...new Set(sent.map(({ operation }) => operation))];
const accepted = (sent: readonly SentWrite[]) => sent.filter(({ status }) => status < 300);

// Rules of rights only ever allow (`modules/rights`), so that those of several roles add up: what a member may do, a
// moderator who also is a member may do. What both are offered is pressed by the member alone.
// A journey that presses nothing finds nothing: what each of them may do reached the server.
test('nothing that is offered to a member, or to a moderator of one blueprint, is refused', {
  timeout: 900_000,
}, async () => {
  const member = await findRefused(await signedInAs(open, `kim-${Date.now()}@portolan.example`, ['Member']));
  expect(member.problems).toEqual([]);
  expect(operationsOf(accepted(member.sent))).toEqual(expect.arrayContaining(['createApiToken', 'startRun']));

  const roles = ['Member', 'service-moderator'];
  const context = await signedInAs(open, `mo-${Date.now()}@portolan.example`, roles);
  const moderator = await findRefused(context, member.offered);
  expect(moderator.problems).toEqual([]);
  expect(operationsOf(accepted(moderator.sent))).toEqual(expect.arrayContaining(['patchEntity', 'patchSource']));
  expect(operationsOf(moderator.sent)).toEqual(expect.arrayContaining(['createEntity', 'deleteEntity']));
});
