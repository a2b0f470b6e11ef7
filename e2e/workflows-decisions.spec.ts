import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { MockModelServer } from '../packages/server/test/mock-model-server.ts';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, visit } from './support/browser.ts';
import { withScriptedProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;
let model: MockModelServer;

withScriptedProduct((opened) => {
  ({ browser, product, ask, made, model } = opened);
});
beforeAll(() => made('/blueprints', { identifier: 'slot', title: 'Slot', schema: { properties: {} } }));

const inputs = { properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] };
const form = { identifier: 'form', title: 'Request', config: { type: 'SELF_SERVE_TRIGGER', userInputs: inputs } };
const books = {
  identifier: 'book',
  title: 'Book it',
  config: {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: 'slot',
    mapping: { identifier: '{{ .outputs.trigger.name }}', title: 'Booked' },
  },
};

async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  await keepPicture(page, `workflows-${name}`);
  expect(await seriousFindings(page)).toEqual([]);
}

/** What an MCP client proposes. */
async function propose(identifier: string, title: string): Promise<string> {
  const workflow = {
    identifier,
    title,
    nodes: [form, books],
    connections: [{ sourceIdentifier: 'form', targetIdentifier: 'book' }],
  };
  const proposal = { goal: `Have ${title}`, workflow, sample: { name: 'lighthouse' }, questions: ['Who books it?'] };
  const answer = await made('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'propose_workflow', arguments: proposal },
  });
  return (answer as { result: { structuredContent: { proposal: string } } }).result.structuredContent.proposal;
}

const workflowStatus = async (identifier: string) => (await ask('GET', `/workflows/${identifier}`)).status;

test('a proposal made over MCP is looked at and accepted, another is dismissed with a reason, and it is told who may', async () => {
  await propose('booking', 'Bookings');
  const other = await propose('unwanted', 'Nobody wants this');
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/workflows');
    await signIn(page, product);
    const proposed = page.getByRole('list', { name: 'Proposed workflows' });
    await proposed.getByRole('link', { name: 'Nobody wants this' }).waitFor();
    await proposed.getByRole('link', { name: 'Bookings' }).click();
    await page.getByText('Who books it?').waitFor();
    // the sample made a slot, and nothing of it stayed
    await page.getByRole('heading', { name: 'Test with a sample' }).waitFor();
    expect((await ask('GET', '/blueprints/slot/entities/lighthouse')).status).toBe(404);
    await page.getByRole('radiogroup', { name: 'Workflow as' }).getByText('Canvas').click();
    await look(page, 'proposal');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Bookings', level: 1 }).waitFor();
    await page.getByText('Version 1').first().waitFor();
    expect(await workflowStatus('booking')).toBe(200);

    await page.getByRole('tab', { name: 'Who may' }).click();
    const verdicts = page.getByRole('table', { name: /^What .* may do$/ });
    await verdicts.getByRole('row', { name: /^Change it Yes/ }).waitFor();
    await verdicts.getByRole('row', { name: /^Start it by Request No/ }).waitFor();
    await look(page, 'who-may');

    await page.goto('/workflows');
    await proposed.getByRole('link', { name: 'Nobody wants this' }).click();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss the proposal' });
    await dialog.getByLabel('Reason').fill('There is one already.');
    await look(page, 'dismissal');
    await dialog.getByRole('button', { name: 'Dismiss the proposal' }).click();
    await page.getByText('The proposal was dismissed').waitFor();
    await page.waitForURL(/\/workflows$/);
    await page.goto(`/workflows/proposals/${other}`);
    await page.getByText('There is one already.').waitFor();
    expect(await workflowStatus('unwanted')).toBe(404);
  });
});

test('the screen of a run whose step fails shows what was undone', async () => {
  await made('/workflows', {
    identifier: 'undone',
    title: 'Books and fails',
    nodes: [
      form,
      { ...books, compensatedBy: 'unbook' },
      { identifier: 'pay', title: 'Pay for it', config: { type: 'TRANSFORM', expression: 'error("no money")' } },
      {
        identifier: 'unbook',
        title: 'Take the booking back',
        config: {
          type: 'DELETE_ENTITY',
          blueprintIdentifier: 'slot',
          identifier: '{{ .outputs.book.response.data.identifier }}',
        },
      },
    ],
    connections: [
      { sourceIdentifier: 'form', targetIdentifier: 'book' },
      { sourceIdentifier: 'book', targetIdentifier: 'pay' },
    ],
  });
  await visit(browser, product, wide, async ({ page }) => {
    await page.goto('/workflows/undone/start');
    await signIn(page, product);
    await page.getByLabel('Name').fill('short-lived');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL(/\/workflow-runs\/wfr_/);
    await page.getByRole('status').getByText('Failed', { exact: true }).waitFor();
    const steps = page.getByRole('region', { name: 'Steps of the run' });
    const undoing = steps.getByRole('button', { name: /Take the booking back\s*undoes Book it/ });
    await undoing.waitFor();
    await page
      .getByText(/no money/)
      .first()
      .waitFor();
    await look(page, 'undone');
    await page.getByText('Graph', { exact: true }).click();
    await page.getByText('Take the booking back').last().waitFor();
    await look(page, 'undone-graph');
    expect((await ask('GET', '/blueprints/slot/entities/short-lived')).status).toBe(404);
  });
});

test('an answer that called something is made a workflow, and is one once it is saved', () =>
  visit(browser, product, wide, async ({ page }) => {
    const calls = [{ name: 'list_entities', arguments: { blueprint: 'slot', limit: 5 } }];
    model.respondWith(({ body }) => (JSON.stringify(body).includes('"role":"tool"') ? { text: 'None.' } : { calls }));
    await page.goto('/ai');
    await signIn(page, product);
    await put(page, 'Which slots are there?');
    await page.getByRole('log').getByRole('button', { name: 'Make this a workflow' }).click();
    await page.getByRole('heading', { name: 'Which slots are there?', level: 1 }).waitFor();
    await page.getByText('Read slot').first().waitFor();
    await look(page, 'of-an-answer');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Version 1').first().waitFor();
    const identifier = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(identifier).toMatch(/^which_slots_are_there_/);
    expect(await workflowStatus(identifier)).toBe(200);
  }));

test('once answers are held back, what nothing that was read backs is not said', () =>
  visit(browser, product, wide, async ({ page }) => {
    const claim = 'The Payments Gateway is owned by the Marsupial Division.';
    model.respondWith(() => ({ text: claim }));
    await page.goto('/ai');
    await signIn(page, product);
    await put(page, 'Who owns the gateway?');
    await page.getByRole('log').getByText(claim).waitFor();

    await page.goto('/builder/ai?tab=limits');
    const choice = page.getByRole('radiogroup', { name: 'What becomes of such sentences' });
    await choice.getByText('The answer is held back').click();
    await expect.poll(policy).toMatchObject({ receipts: 'strict' });

    await page.goto('/ai');
    await put(page, 'And who owns it now?');
    await page
      .getByRole('log')
      .getByText(/^Not backed by what I read: .*Marsupial/)
      .waitFor();
    expect(await page.getByRole('log').getByText(claim).count()).toBe(0);
    await look(page, 'held-back');
  }));

const policy = async () => ((await ask('GET', '/ai/policy')).body as { policy: object }).policy;

async function put(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask the assistant' }).fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
}
