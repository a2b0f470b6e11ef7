import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../packages/server/test/receiver.ts';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, visit } from './support/browser.ts';
import { createKeyboard } from './support/keyboard.ts';
import { openProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { writeText } from './support/write-text.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const journeyMs = 180_000;
const service = 'route-planner';

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ browser, product, ask, made } = await openProduct({ PORTOLAN_PRIVATE_HOSTS: '127.0.0.1' }));
  await made('/actions', {
    identifier: 'change_lifecycle',
    title: 'Change the lifecycle',
    trigger: {
      type: 'self-service',
      operation: 'DAY-2',
      blueprintIdentifier: 'service',
      userInputs: { properties: { lifecycle: { type: 'string', title: 'Lifecycle' } }, required: ['lifecycle'] },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'service',
      mapping: { identifier: '{{ .entity.identifier }}', properties: { lifecycle: '{{ .inputs.lifecycle }}' } },
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await receiver?.close();
});

const line = (page: Page, name: RegExp) => page.getByRole('button', { name });

async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  await keepPicture(page, `workflows-${name}`);
  expect(await seriousFindings(page)).toEqual([]);
}

const query = JSON.stringify({
  combinator: 'and',
  rules: [{ property: '$identifier', operator: '=', value: service }],
});
const lifecycle = JSON.stringify({ lifecycle: 'deprecated' });

/** The run that the page shows goes on once the service is changed, and ends. */
async function endsAfterChange(page: Page): Promise<void> {
  await page.getByText('Waits for an event').first().waitFor();
  await look(page, 'steps-wait');
  await made(`/blueprints/service/entities/${service}`, { title: `Planner at ${page.url()}` }, 'PATCH');
  await page.getByRole('status').getByText('Success').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { run } = (await ask('GET', `/workflows/runs/${id}`)).body as {
    run: { nodeRuns: { node: { identifier: string }; result: string }[] };
  };
  const results = run.nodeRuns.map(({ node, result }) => `${node.identifier} ${result}`);
  expect(results).toEqual(['read SUCCESS', 'action SUCCESS', 'tell SUCCESS', 'await SUCCESS']);
  const told = JSON.parse(receiver.received.at(-1)?.body ?? '{}');
  expect(told).toMatchObject({ subject: 'Changed', body: service });
}

test(
  'entities are read, an action is run, somebody is told and an event is waited for, built with the mouse',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/workflows/new');
      await signIn(page, product);
      const panel = page.getByRole('region', { name: 'Form of the step' });
      const add = async (kind: RegExp) => {
        await page.getByRole('button', { name: 'Step', exact: true }).first().click();
        await page.getByRole('dialog').getByRole('button', { name: kind }).click();
      };
      await line(page, /^Trigger Form/).click();
      await add(/^Read entities/);
      await panel.getByRole('combobox', { name: 'Blueprint that is read' }).click();
      await page.getByRole('option', { name: 'Service (service)' }).click();
      await writeText(page, 'Query', query);
      await add(/^Run an action/);
      await panel.getByRole('combobox', { name: 'Action' }).click();
      await page.getByRole('option', { name: 'Change the lifecycle' }).click();
      await panel.getByLabel('Entity it acts on').click();
      await panel.getByRole('button', { name: '.outputs.read.entities[0].identifier' }).click();
      await writeText(page, 'Inputs', lifecycle);
      await look(page, 'run-action');
      await add(/^Tell somebody/);
      await panel.getByLabel('By', { exact: true }).selectOption('webhook');
      await panel.getByLabel('To', { exact: true }).fill(`${receiver.url}/told`);
      await panel.getByLabel('Subject').fill('Changed');
      await panel.getByLabel('Text', { exact: true }).fill('{{ .outputs.read.entities[0].identifier }}');
      await add(/^Wait for an event/);
      await panel.getByRole('combobox', { name: 'Of which blueprint' }).click();
      await page.getByRole('option', { name: 'Service (service)' }).click();
      await look(page, 'wait-for-event');
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Title').fill('By mouse');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('link', { name: 'Start', exact: true }).click();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      await endsAfterChange(page);
    }),
  journeyMs,
);

test(
  'the same four steps are built and run with keys alone',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      const keys = createKeyboard(page);
      await page.goto('/workflows/new');
      await signIn(page, product);
      await line(page, /^Trigger Form/).waitFor();
      await settled(page);
      const panel = page.getByRole('region', { name: 'Form of the step' });
      const add = async (words: string) => {
        await keys.press('a');
        await keys.type(words);
        await keys.press('Enter');
      };
      const choose = async (name: string, words: string) => {
        await keys.reach(panel.getByRole('combobox', { name }));
        await keys.type(words);
        await keys.press('ArrowDown', 'Enter');
      };
      const paste = async (label: string, text: string) => {
        await keys.reach(panel.getByRole('textbox', { name: label, exact: true }));
        await keys.press('ControlOrMeta+a', 'Delete');
        await page.keyboard.insertText(text);
      };
      /** Back from the form to the list, where the keys of the list hold. */
      const back = async (name: RegExp) => {
        await keys.press('Escape');
        await keys.reach(line(page, name), { key: 'Shift+Tab' });
      };
      await keys.use(page.getByRole('button', { name: 'Settings', exact: true }));
      await keys.type('By keys');
      await back(/^Trigger Form/);
      await add('read entities');
      await keys.isOn(line(page, /^Step 1\. Read entities/));
      await choose('Blueprint that is read', '(service)');
      await paste('Query', query);
      await back(/^Step 1\. /);
      await add('run an action');
      await keys.isOn(line(page, /^Step 2\. Run an action/));
      await choose('Action', 'change the lifecycle');
      await keys.write(panel.getByLabel('Entity it acts on'), '{{ .outputs.read.entities[0].identifier }}');
      await paste('Inputs', lifecycle);
      await back(/^Step 2\. /);
      await add('tell somebody');
      await keys.isOn(line(page, /^Step 3\. Tell somebody/));
      await keys.reach(panel.getByLabel('By', { exact: true }));
      await keys.type('Webhook');
      await keys.write(panel.getByLabel('To', { exact: true }), `${receiver.url}/told`);
      await keys.write(panel.getByLabel('Subject'), 'Changed');
      await keys.write(panel.getByLabel('Text', { exact: true }), '{{ .outputs.read.entities[0].identifier }}');
      await back(/^Step 3\. /);
      await add('wait for an event');
      await keys.isOn(line(page, /^Step 4\. Wait for an event/));
      await choose('Of which blueprint', '(service)');
      await keys.press('Control+s');
      await page.getByRole('heading', { name: 'By keys', level: 1 }).waitFor();
      await keys.use(page.getByRole('link', { name: 'Start', exact: true }));
      await keys.use(page.getByRole('button', { name: 'Start', exact: true }));
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      await endsAfterChange(page);
      expect(keys.unseen).toEqual([]);
    }),
  journeyMs,
);

test(
  'a notice counts at the bell without a reload, and leads by keys to the run, which stands on a page',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      const keys = createKeyboard(page);
      await made('/workflows', {
        identifier: 'tells_me',
        title: 'Tells me',
        allowAnyoneToViewRuns: true,
        nodes: [
          { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
          {
            identifier: 'tell',
            config: {
              type: 'NOTIFY',
              target: 'portal',
              to: product.person.email,
              subject: 'It is deployed',
              body: 'All of it.',
            },
          },
        ],
        connections: [{ sourceIdentifier: 'form', targetIdentifier: 'tell' }],
      });
      await made('/pages', {
        identifier: 'told',
        type: 'dashboard',
        title: 'Told',
        widgets: [{ id: 'runs', type: 'workflow-runs-history-table', title: 'Told', query: { workflow: 'tells_me' } }],
      });
      await page.goto('/catalog/told');
      await signIn(page, product);
      await page.getByText('No runs yet').waitFor();
      await settled(page);
      await made('/workflows/tells_me/runs', { inputs: {} });
      await page.getByRole('button', { name: 'Notices, 1 unread' }).waitFor();
      await page
        .getByRole('table', { name: 'Told' })
        .or(page.getByRole('grid', { name: 'Told' }))
        .getByText('Success')
        .waitFor();
      const bell = page.getByRole('button', { name: /^Notices/ });
      await keys.reach(bell);
      await keys.press('Enter');
      await page.getByText('All of it.').waitFor();
      await look(page, 'notices');
      await keys.press('Escape');
      await keys.isOn(bell);
      await keys.press('Enter');
      await page.getByText('All of it.').waitFor();
      const subject = page.getByRole('link', { name: 'It is deployed' });
      await keys.press('ArrowDown');
      await keys.isOn(subject);
      await keys.press('Enter');
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      await page.getByRole('heading', { name: 'Tells me' }).waitFor();
      await page.getByRole('button', { name: 'Notices', exact: true }).waitFor();
    }),
  journeyMs,
);
