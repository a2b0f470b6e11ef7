import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, visit } from './support/browser.ts';
import { createKeyboard } from './support/keyboard.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { waitingWorkflow } from './support/waiting-workflow.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const journeyMs = 120_000;
const secretValue = 'only-the-caller-knows-it';

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

const line = (page: Page, name: RegExp) => page.getByRole('button', { name });

async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  await keepPicture(page, `workflows-${name}`);
  expect(await seriousFindings(page)).toEqual([]);
}

interface RunSeen {
  readonly result: string;
  readonly trigger: unknown;
}

/** The runs of a workflow that have ended, newest first, with what they began with. */
async function endedRuns(workflow: string): Promise<RunSeen[]> {
  const { body } = await ask('GET', `/workflows/runs?workflow=${workflow}`);
  const { runs } = body as { runs: { identifier: string; status: string; result: string }[] };
  const ended = runs.filter(({ status }) => status === 'COMPLETED');
  return Promise.all(
    ended.map(async ({ identifier, result }) => {
      const one = await ask('GET', `/workflows/runs/${identifier}`);
      const { run } = one.body as { run: { variables: { outputs: { trigger: unknown } } } };
      return { result, trigger: run.variables.outputs.trigger };
    }),
  );
}

/** Calls an address as another system does: with a signature of the body. */
async function callOf(address: string, body: object, secret = secretValue): Promise<number> {
  const text = JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  const { pathname } = new URL(address, product.address);
  const answer = await fetch(product.address + pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature-256': signature },
    body: text,
  });
  return answer.status;
}

test(
  'a signed call starts a run at the address that the builder shows, and an address that was changed answers nobody',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await made('/organization/secrets', { secretName: 'CALLER', secretValue });
      await page.goto('/workflows/new');
      await signIn(page, product);
      await line(page, /^Trigger Form/).click();
      await page.getByLabel('What starts it').selectOption('WEBHOOK_TRIGGER');
      await page.getByText('The trigger gets its address when the workflow is saved.').waitFor();
      await page.getByRole('combobox', { name: 'Secret' }).click();
      await page.getByRole('option', { name: 'CALLER' }).click();
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await page.getByRole('button', { name: /^Compute values/ }).click();
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Title').fill('Called from outside');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Called from outside', level: 1 }).waitFor();

      await line(page, /^Trigger Call from outside/).click();
      const shown = page.getByRole('region', { name: 'Form of the step' }).locator('code').first();
      const address = await shown.innerText();
      await look(page, 'hook');
      expect(await callOf(address, { ref: 'main' }, 'another secret')).toBe(401);
      expect(await callOf(address, { ref: 'main' })).toBe(202);
      await page.getByRole('button', { name: 'Another address' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Change it' }).click();
      await expect.poll(() => shown.innerText()).not.toBe(address);
      expect(await callOf(address, { ref: 'old' })).toBe(404);
      expect(await callOf(await shown.innerText(), { ref: 'new' })).toBe(202);
      await expect.poll(async () => (await endedRuns('called_from_outside')).length).toBe(2);
      const [last, first] = await endedRuns('called_from_outside');
      expect(first).toMatchObject({ result: 'SUCCESS', trigger: { body: { ref: 'main' } } });
      expect(last).toMatchObject({ result: 'SUCCESS', trigger: { body: { ref: 'new' } } });
    }),
  journeyMs,
);

test(
  'an event, the end of a run and a time are made triggers by keys, and each starts a run',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      const keys = createKeyboard(page);
      await made('/workflows', {
        identifier: 'first',
        title: 'The first',
        nodes: [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }],
        connections: [],
      });
      await page.goto('/workflows/new');
      await signIn(page, product);
      await line(page, /^Trigger Form/).waitFor();
      await settled(page);
      const addTrigger = async (words: string) => {
        await keys.use(page.getByRole('button', { name: 'Trigger', exact: true }));
        await keys.type(words);
        await keys.press('Enter');
      };
      await addTrigger('entity is created');
      await keys.isOn(line(page, /^Trigger Event/));
      await keys.press('Enter');
      await keys.reach(page.getByLabel('What happens'));
      await keys.type('An entity is changed');
      await keys.reach(page.getByRole('combobox', { name: 'Of which blueprint' }));
      await keys.type('(service)');
      await keys.press('ArrowDown', 'Enter');
      await addTrigger('end of a run');
      await keys.isOn(line(page, /^Trigger End of a run/));
      await keys.press('Enter');
      await keys.reach(page.getByLabel('What ends'));
      await keys.press('ArrowDown');
      await keys.reach(page.getByRole('combobox', { name: 'Of which workflow' }));
      await keys.type('The first');
      await keys.press('ArrowDown', 'Enter');
      await addTrigger('time comes');
      await keys.isOn(line(page, /^Trigger Schedule/));
      await keys.use(page.getByRole('button', { name: 'Settings', exact: true }));
      await keys.isOn(page.getByLabel('Title'));
      await keys.type('Starts by itself');
      await look(page, 'triggers');
      await keys.press('Control+s');
      await page.getByRole('heading', { name: 'Starts by itself', level: 1 }).waitFor();
      await page.getByText('Next run').waitFor();

      await made('/blueprints/service/entities/route-planner', { title: 'Planner of routes' }, 'PATCH');
      await made('/workflows/first/runs', { inputs: {} });
      await expect.poll(async () => (await endedRuns('starts_by_itself')).length, { timeout: 30_000 }).toBe(2);
      const began = (await endedRuns('starts_by_itself')).map(({ trigger }) => trigger);
      expect(began).toContainEqual(
        expect.objectContaining({ context: expect.objectContaining({ entityIdentifier: 'route-planner' }) }),
      );
      expect(began).toContainEqual(expect.objectContaining({ type: 'WORKFLOW_RUN_ENDED' }));
      expect(keys.unseen).toEqual([]);
    }),
  journeyMs,
);

test('what a tool wants to start is looked at and approved before it runs', () =>
  visit(browser, product, wide, async ({ page }) => {
    const { nodes, connections } = waitingWorkflow('wanted', 'Wanted by a tool');
    await made('/workflows', {
      identifier: 'wanted',
      title: 'Wanted by a tool',
      nodes: nodes.filter(({ identifier }) => identifier !== 'approval'),
      connections: connections
        .slice(0, 1)
        .map(({ sourceIdentifier }) => ({ sourceIdentifier, targetIdentifier: 'done' })),
    });
    const named = { workflowIdentifier: 'wanted', inputs: { why: 'The disk is full' } };
    await made('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'trigger_run', arguments: { ...named, executionMode: 'Manual Approval' } },
    });
    await page.goto('/approvals');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Review Wanted by a tool' }).click();
    const draft = page.getByRole('region', { name: 'Draft: Wanted by a tool' });
    await draft.getByText('The disk is full').waitFor();
    await look(page, 'draft');
    expect(await endedRuns('wanted')).toEqual([]);
    await draft.getByRole('button', { name: 'Approve and run' }).click();
    await page.getByRole('button', { name: 'Review Wanted by a tool' }).waitFor({ state: 'detached' });
    await expect.poll(() => endedRuns('wanted')).toMatchObject([{ trigger: { why: 'The disk is full' } }]);
  }));

test('a sample goes through the workflow by keys, and a step that calls others goes on with what is pinned', () =>
  visit(browser, product, wide, async ({ page }) => {
    const keys = createKeyboard(page);
    await made('/workflows', {
      identifier: 'tested',
      title: 'Tested',
      nodes: [
        {
          identifier: 'event',
          config: { type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'service' } },
        },
        { identifier: 'call', title: 'Call', config: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook' } },
        { identifier: 'sum', title: 'Sum', config: { type: 'TRANSFORM', expression: '.outputs.call.response.data' } },
      ],
      connections: [
        { sourceIdentifier: 'event', targetIdentifier: 'call' },
        { sourceIdentifier: 'call', targetIdentifier: 'sum' },
      ],
    });
    await page.goto('/workflows/tested/edit');
    await signIn(page, product);
    await line(page, /^Step 1\. Call/).waitFor();
    await settled(page);
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Test with a sample' });
    await keys.use(dialog.getByRole('button', { name: 'Test', exact: true }));
    const result = dialog.getByRole('region', { name: 'Result of the test' });
    await result.getByText('The run would succeed.').waitFor();
    await look(page, 'tested');
    await keys.use(result.getByText('Pin an answer'));
    await keys.reach(result.getByRole('textbox', { name: 'Answer of Call' }));
    await keys.press('ControlOrMeta+a', 'Delete');
    await page.keyboard.insertText('{"response": {"data": "forty-two"}}');
    await keys.use(result.getByRole('button', { name: 'Pin and test again' }));
    await result.getByText('Answer pinned').waitFor();
    await keys.use(result.getByText('Details').last());
    await result.getByRole('textbox', { name: 'Details of Sum' }).getByText('forty-two').waitFor();
    await look(page, 'pinned');
    expect(keys.unseen).toEqual([]);
  }));
