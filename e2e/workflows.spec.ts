import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Ask, Make } from './support/api.ts';
import { seriousFindings } from './support/axe.ts';
import { keepPicture, visit } from './support/browser.ts';
import { createKeyboard } from './support/keyboard.ts';
import { signedInAs } from './support/members.ts';
import { withProduct } from './support/open-product.ts';
import type { Product } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';
import { waitingWorkflow } from './support/waiting-workflow.ts';

const wide = { viewport: { width: 1360, height: 850 } };
const narrow = { viewport: { width: 360, height: 740 } };
/** A journey over five screens takes a busy machine its time. */
const journeyMs = 180_000;

let browser: Browser;
let product: Product;
let ask: Ask;
let made: Make;

withProduct((opened) => {
  ({ browser, product, ask, made } = opened);
});

interface RunAnswer {
  readonly run: {
    readonly status: string;
    readonly result: string;
    readonly nodeRuns: { node: { identifier: string } }[];
  };
}

const readRun = async (page: Page): Promise<RunAnswer['run']> => {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  return ((await ask('GET', `/workflows/runs/${id}`)).body as RunAnswer).run;
};
const line = (page: Page, name: RegExp) => page.getByRole('button', { name });

/** What stands at a screen that somebody with a screen reader cannot use. */
async function look(page: Page, name: string): Promise<void> {
  await settled(page);
  await keepPicture(page, `workflows-${name}`);
  expect(await seriousFindings(page)).toEqual([]);
}

test(
  'from a template to the end of a run, with the mouse',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/workflows');
      await signIn(page, product);
      await page.getByRole('link', { name: 'New workflow' }).click();
      await page.getByRole('combobox', { name: 'Begin with' }).click();
      await page.getByRole('option', { name: 'Access that expires' }).click();
      await line(page, /^Step 1\. Decision/).waitFor();

      // the receivers of the example do not exist: values are computed in their place, and the last step goes
      await line(page, /^Step 2\. Give access/).click();
      await page.getByLabel('What is done').selectOption('TRANSFORM');
      await page.getByRole('button', { name: 'Change Take it again' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await line(page, /^Step 3\. Wait until it expires/).click();
      await page.getByLabel('Seconds').fill('1');
      await look(page, 'list');
      await page.getByRole('radio', { name: 'Canvas' }).check({ force: true });
      await page.getByRole('region', { name: 'Workflow as a picture' }).waitFor();
      await look(page, 'canvas');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Access for a while', level: 1 }).waitFor();

      await page.getByRole('link', { name: 'Start', exact: true }).click();
      await page.getByLabel('System').fill('billing');
      await page.getByLabel('Why').fill('To look at invoices');
      await look(page, 'start');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      await page.getByLabel('Reason').fill('It is fine');
      await look(page, 'waiting');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('status').getByText('Success').waitFor();
      expect(await readRun(page)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });

      await page.getByRole('radio', { name: 'Graph' }).check({ force: true });
      const graph = page.getByRole('region', { name: 'Graph of the run' });
      await graph.getByRole('button', { name: /^Decision .*done/ }).click();
      await page.getByRole('region', { name: 'Step Decision' }).getByText('It is fine').first().waitFor();
      await look(page, 'ended');
    }),
  journeyMs,
);

test(
  'steps inside a step are built in the list and followed run by run',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      await page.goto('/workflows/new?template=access');
      await signIn(page, product);
      const trigger = page.getByRole('button', { name: /^Trigger / }).first();
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Identifier', { exact: true }).fill('each_of_three');
      await trigger.click();
      await page.getByRole('button', { name: 'Step', exact: true }).first().click();
      await page.getByLabel('What should it do?').fill('for each item');
      await page.getByLabel('What should it do?').press('Enter');
      await page.getByLabel('Items', { exact: true }).fill('{{ "a-b-c" / "-" }}');
      await page.getByRole('button', { name: 'Edit the steps inside' }).click();
      await line(page, /^Trigger Beginning/).click();
      await page.getByRole('button', { name: 'Step', exact: true }).first().click();
      await page.getByLabel('What should it do?').fill('compute');
      await page.getByLabel('What should it do?').press('Enter');
      await line(page, /^Step 1\. Compute values/).waitFor();
      await look(page, 'inside');
      await page.getByRole('navigation', { name: 'Steps inside a step' }).getByRole('button').first().click();
      await line(page, /^Step 1\. For each item/).waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const path = '/workflows/each_of_three/runs';
      await expect.poll(async () => (await ask('GET', '/workflows/each_of_three')).status).toBe(200);
      const inputs = { system: 'billing', role: 'reader', days: 1, why: 'To look' };
      const { run } = (await ask('POST', path, { inputs })).body as { run: { identifier: string } };
      await page.goto(`/workflow-runs/${run.identifier}`);
      await page.getByText('3 of 3 runs ended').first().waitFor();
      await page.getByRole('button', { name: /For each item/ }).click();
      await page.getByRole('region', { name: 'Runs of this step' }).getByText('3 of 3 runs ended').click();
      await look(page, 'runs-of-a-step');
      await page.getByRole('link', { name: 'Run 2' }).click();
      await page.getByRole('link', { name: 'Part of another run' }).waitFor();
    }),
  journeyMs,
);

test(
  'the same with keys alone, on the list',
  () =>
    visit(browser, product, wide, async ({ page }) => {
      const keys = createKeyboard(page);
      await page.goto('/workflows/new?template=on-call');
      await signIn(page, product);
      await line(page, /^Step 1\. Ask for notes/).waitFor();
      await settled(page);

      // a form takes the place of the schedule, and a question comes in between
      await keys.use(page.getByRole('button', { name: 'Settings', exact: true }));
      await keys.write(page.getByLabel('Identifier', { exact: true }), 'by_keys');
      await keys.use(page.getByRole('button', { name: 'Trigger', exact: true }));
      await keys.type('form');
      await keys.press('Enter');
      await keys.isOn(line(page, /^Trigger Form form/));
      // between them stands where the schedule goes on
      await keys.press('ArrowUp', 'ArrowUp');
      await keys.isOn(line(page, /^Trigger Monday morning/));
      await keys.press('Delete');
      await line(page, /^Trigger Monday morning/).waitFor({ state: 'detached' });
      await keys.press('/');
      await keys.type('send');
      await keys.press('Enter');
      await keys.isOn(line(page, /^Step 2\. Send the notes/));
      await keys.press('Delete');
      await line(page, /^Step 2\. Send the notes/).waitFor({ state: 'detached' });
      await keys.press('Control+z');
      await line(page, /^Step 2\. Send the notes/).waitFor();
      await keys.press('Control+Shift+z');
      await line(page, /^Step 2\. Send the notes/).waitFor({ state: 'detached' });
      await keys.press('/');
      await keys.press('Control+a');
      await keys.type('notes');
      await keys.press('Enter');
      await keys.isOn(line(page, /^Step 1\. Ask for notes/));
      await keys.press('a');
      await keys.type('stop');
      await keys.press('Enter');
      await keys.isOn(line(page, /^Step 2\. Stop/));
      // Enter goes to the form of the step
      await keys.press('Enter');
      await keys.type(' here');
      await line(page, /^Step 2\. Stop here/).waitFor();
      await keys.press('Control+s');
      await page.getByRole('heading', { name: 'On-call hand-over', level: 1 }).waitFor();

      await keys.use(page.getByRole('link', { name: 'Start', exact: true }));
      await keys.use(page.getByRole('button', { name: 'Start', exact: true }));
      await page.waitForURL(/\/workflow-runs\/wfr_/);
      await keys.write(page.getByLabel('Notes'), 'All is calm');
      await keys.use(page.getByRole('button', { name: 'Hand over' }));
      await page.getByRole('status').getByText('Success').waitFor();
      expect((await readRun(page)).nodeRuns.map(({ node }) => node.identifier)).toContain('stop');
      await keys.press('j');
      await page.getByRole('region', { name: /^Step / }).waitFor();
      expect(keys.unseen).toEqual([]);
    }),
  journeyMs,
);

test('what waits for somebody stands in their approvals and is answered there', () =>
  visit(browser, product, wide, async ({ page }) => {
    await made('/workflows', waitingWorkflow('waits', 'Waits for me'));
    await made('/workflows/waits/runs', { inputs: {} });
    await page.goto('/approvals');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Respond to Waits for me' }).click();
    await look(page, 'approvals');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('button', { name: 'Respond to Waits for me' }).waitFor({ state: 'detached' });
    await page.goto('/workflow-runs?status=SUCCESS&workflow=waits');
    await page.getByRole('link', { name: 'Waits for me' }).waitFor();
    await look(page, 'runs');
  }));

test('an earlier version is compared and restored as a new one', () =>
  visit(browser, product, wide, async ({ page }) => {
    const first = waitingWorkflow('versioned', 'First');
    await made('/workflows', first);
    await made(
      '/workflows/versioned',
      { ...first, title: 'Second', nodes: first.nodes.slice(0, 2), connections: first.connections.slice(0, 1) },
      'PUT',
    );
    await page.goto('/workflows/versioned/edit?tab=versions');
    await signIn(page, product);
    await page.getByRole('button', { name: 'What changed in version 2' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await look(page, 'versions');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
    await page.getByText('Version 3').first().waitFor();
  }));

test('a run that failed runs again from its step, by keys, and a pause keeps others from starting', () =>
  visit(browser, product, wide, async ({ page }) => {
    await made('/workflows', {
      identifier: 'again',
      title: 'Fails at the end',
      nodes: [
        { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
        { identifier: 'sum', config: { type: 'TRANSFORM', expression: '1 + 1' } },
        { identifier: 'end', config: { type: 'STOP', result: 'FAILED' } },
      ],
      connections: [
        { sourceIdentifier: 'form', targetIdentifier: 'sum' },
        { sourceIdentifier: 'sum', targetIdentifier: 'end' },
      ],
    });
    const { run } = (await made('/workflows/again/runs', { inputs: {} })) as { run: { identifier: string } };
    await page.goto(`/workflow-runs/${run.identifier}`);
    await signIn(page, product);
    await page.getByRole('button', { name: 'Run again…' }).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Run again' });
    await dialog.getByRole('combobox', { name: 'Begin with' }).click();
    await page.getByRole('option', { name: 'end' }).click();
    await dialog.getByText('is taken over').waitFor();
    await look(page, 'rerun');
    await dialog.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('link', { name: `Re-run of ${run.identifier}` }).waitFor();
    await page.getByText('taken over').waitFor();

    await page.goto('/workflows/again/edit');
    await page.getByRole('button', { name: 'Pause triggers' }).click();
    await page.getByLabel('Reason').fill('Under repair');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Under repair').waitFor();
    await look(page, 'paused');
    await page.goto('/workflow-runs?workflow=again&trigger=SELF_SERVE_TRIGGER');
    await page.getByRole('link', { name: 'Fails at the end' }).first().waitFor();
    await look(page, 'run-filters');
    await page.goto('/workflows');
    await page.getByText('Under repair').waitFor();
    await look(page, 'list-paused');
  }));

test('on a phone a run is its list of steps and the form', () =>
  visit(browser, product, narrow, async ({ page }) => {
    await made('/workflows', waitingWorkflow('on_phone', 'On a phone'));
    const { run } = (await made('/workflows/on_phone/runs', { inputs: {} })) as { run: { identifier: string } };
    await page.goto(`/workflow-runs/${run.identifier}`);
    await signIn(page, product);
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    expect(await page.getByRole('radio', { name: 'Graph' }).isVisible()).toBe(false);
    const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(tooWide)).toBe(false);
    await look(page, 'phone');
  }));

test('a member who may start a workflow reads its steps, and cannot change them', async () => {
  await made('/workflows', waitingWorkflow('for_members', 'For members'));
  const context = await signedInAs({ browser, product, made }, 'member@portolan.example', ['Member']);
  const page = await context.newPage();
  await page.goto('/workflows/for_members/edit');
  await page.getByText('You can look at this, but not change it').waitFor();
  await line(page, /^Step 1\. Approval/).waitFor();
  await page.keyboard.press('a');
  expect(await page.getByLabel('What should it do?').count()).toBe(0);
  await page.goto('/self-service');
  await page.getByRole('link', { name: 'For members' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('role Admin').first().waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await context.close();
});
