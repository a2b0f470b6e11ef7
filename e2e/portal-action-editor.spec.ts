import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAs } from './support/api.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { inspectScreens } from './support/inspect-screens.ts';
import { type Product, startProduct } from './support/product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 360, height: 740 } };
const member = 'priya.raman@halyardfreight.example';

let browser: Browser;
let product: Product;
let ask: Awaited<ReturnType<typeof askAs>>;

beforeAll(async () => {
  [browser, product] = await Promise.all([launchBrowser(), startProduct()]);
  ask = await askAs(product);
  await ask('POST', '/blueprints', {
    identifier: 'crate',
    title: 'Crate',
    schema: { properties: { size: { type: 'string', title: 'Size' } } },
    relations: {},
  });
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const action = (identifier: string, more: object = {}) => ({
  identifier,
  title: `Action ${identifier}`,
  icon: 'Rocket',
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    blueprintIdentifier: 'crate',
    userInputs: {
      properties: {
        size: { type: 'string', title: 'Size', enum: ['s', 'l'], enumColors: { s: 'green', l: 'red' } },
        why: { type: 'string', title: 'Why', format: 'multi-line', visible: { jqQuery: '.form.size == "l"' } },
        count: { type: 'number', title: 'How many', default: 1, unknownKey: 'kept' },
      },
      required: ['size'],
      titles: { more: { title: 'More' } },
      steps: [
        { title: 'What', order: ['size', 'why'] },
        { title: 'How', order: ['more', 'count'] },
      ],
    },
  },
  invocationMethod: {
    type: 'WEBHOOK',
    url: 'https://example.com/crates',
    body: { size: '{{ .inputs.size }}' },
    unknownKey: 'kept',
  },
  requiredApproval: true,
  ...more,
});

const stored = async (identifier: string) =>
  ((await ask('GET', `/actions/${identifier}`)).body as { action: ReturnType<typeof action> & { updatedAt: string } })
    .action;

/** Puts another text into an editor, as pasting does. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function addInput(page: Page, title: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('button', { name: 'Input', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Add input' });
  await dialog.getByLabel('Title', { exact: true }).fill(title);
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

const save = async (page: Page) => {
  await page.keyboard.press('Control+s');
};

test('an action is made in the editor, run, and its entity is there; then it is changed and deleted', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await page.goto('/self-service');
    await signIn(page, product);
    await page.getByRole('link', { name: 'New action' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Build a crate');
    expect(await page.getByRole('textbox', { name: 'Identifier' }).inputValue()).toBe('build_a_crate');
    await page.getByRole('combobox', { name: 'Blueprint' }).fill('Crate');
    await page.getByRole('option', { name: 'Crate (crate)' }).click();

    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByText('No inputs yet').waitFor();
    await addInput(page, 'Name', async (dialog) => {
      await dialog.getByLabel('Required', { exact: true }).check();
    });
    await addInput(page, 'Size', async (dialog) => {
      for (const [index, value] of ['small', 'large'].entries()) {
        await dialog.getByRole('button', { name: 'Add choice' }).click();
        await dialog.getByLabel(`Choice ${index + 1}`, { exact: true }).fill(value);
      }
    });
    await addInput(page, 'Why so large', async (dialog) => {
      await dialog.getByLabel('Visible', { exact: true }).selectOption('When an expression is true');
      await dialog.getByLabel('Visible when').fill('.form.size == "large"');
    });

    // the preview is the form as it is written, evaluated by the server
    const preview = page.getByRole('region', { name: 'Preview of the form' });
    await preview.getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await preview.getByRole('textbox', { name: 'Why so large' }).count()).toBe(0);
    await preview.getByRole('combobox', { name: 'Size' }).click();
    await page.getByRole('option', { name: 'large' }).click();
    await preview.getByRole('textbox', { name: 'Why so large' }).waitFor();
    await preview.getByRole('textbox', { name: 'Name' }).fill('crate-7');
    await preview.getByRole('button', { name: 'Run' }).click();
    await page.getByText('The inputs are complete. Nothing was sent.').waitFor();
    await picture('action-editor-form');

    // what a run would write is seen beside the backend
    await page.getByRole('tab', { name: 'Backend' }).click();
    await page.getByRole('combobox', { name: 'Blueprint that is written' }).fill('Crate');
    await page.getByRole('option', { name: 'Crate (crate)' }).click();
    await page.getByLabel('Identifier of the entity').fill('{{ .inputs.name }}');
    await write(page, 'Properties', '{"size": "{{ .inputs.size }}"}');
    const payload = page.getByRole('region', { name: 'Request preview' });
    await payload.getByText('"identifier": "crate-7"').waitFor();
    await payload.getByText('"size": "large"').waitFor();
    await picture('action-editor-backend');
    await save(page);
    await page.getByRole('heading', { name: 'Build a crate', level: 1 }).waitFor();
    expect((await stored('build_a_crate')).trigger.userInputs).toMatchObject({
      required: ['name'],
      order: ['name', 'size', 'why_so_large'],
      properties: { size: { enum: ['small', 'large'] } },
    });

    await page.getByRole('link', { name: 'Open the form' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('crate-1');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('Success').waitFor();
    const { status } = await ask('GET', '/blueprints/crate/entities/crate-1');
    expect(status).toBe(200);

    // edited from the hub
    await page.goto('/self-service');
    await page.getByRole('button', { name: 'More for Build a crate' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Title', { exact: true }).fill('Build a good crate');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByRole('button', { name: 'Move Size up' }).click();
    await page.getByRole('button', { name: 'Remove Why so large' }).click();
    await save(page);
    await page.getByText('Build a good crate was saved').waitFor();
    const saved = await stored('build_a_crate');
    expect(saved.title).toBe('Build a good crate');
    expect(saved.trigger.userInputs).toMatchObject({ order: ['size', 'name'] });
    expect(Object.keys(saved.trigger.userInputs.properties).sort()).toEqual(['name', 'size']);

    // deleted; its run stays
    await page.getByRole('button', { name: 'More for Build a good crate' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the action' }).click();
    await page.getByText('Build a good crate was deleted').waitFor();
    expect((await ask('GET', '/actions/build_a_crate')).status).toBe(404);
    expect((await ask('GET', '/actions/runs?action=build_a_crate')).body).toMatchObject({
      runs: [{ status: 'SUCCESS' }],
    });
  }));

test('the form and the JSON say the same both ways, and what the form does not know stays', () =>
  visit(browser, product, wide, async ({ page }) => {
    await ask('POST', '/actions', action('twins'));
    await page.goto('/builder/actions/twins?tab=form');
    await signIn(page, product);
    await page.getByRole('button', { name: 'Move How many', exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+.');
    const json = page.getByRole('textbox', { name: 'Action as JSON' });
    await json.waitFor();
    expect(await page.getByRole('tab', { name: 'JSON' }).getAttribute('aria-selected')).toBe('true');
    const text = JSON.stringify({ ...action('twins'), title: 'From the text', extra: undefined });
    await write(page, 'Action as JSON', text.slice(0, -1));
    await page.getByText('The JSON has to be corrected first.').waitFor();
    expect(await page.getByRole('tab', { name: 'Basics' }).isDisabled()).toBe(true);
    await write(page, 'Action as JSON', text);
    await page.getByRole('tab', { name: 'Basics' }).click();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('From the text');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByLabel('Title of step 2').fill('How many');
    await page.getByRole('button', { name: 'Edit How many' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit How many' });
    await dialog.getByLabel('Key', { exact: true }).fill('amount');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await save(page);
    await page.getByText('From the text was saved').waitFor();
    const saved = await stored('twins');
    expect(saved.invocationMethod).toEqual(action('twins').invocationMethod);
    expect(saved.trigger.userInputs).toMatchObject({
      properties: { amount: { default: 1, unknownKey: 'kept' } },
      steps: [
        { title: 'What', order: ['size', 'why'] },
        { title: 'How many', order: ['more', 'amount'] },
      ],
    });
  }));

test('an input is dragged to another step', () =>
  visit(browser, product, wide, async ({ page }) => {
    await ask('POST', '/actions', action('dragged'));
    await page.goto('/builder/actions/dragged?tab=form');
    await signIn(page, product);
    await page
      .getByRole('button', { name: 'Move How many', exact: true })
      .dragTo(page.getByRole('list', { name: 'Inputs of step 1' }).getByText('Why', { exact: true }));
    await page.getByRole('list', { name: 'Inputs of step 1' }).getByText('How many').waitFor();
    await save(page);
    await page.getByText('Action dragged was saved').waitFor();
    const [first, second] = (await stored('dragged')).trigger.userInputs.steps;
    expect(first?.order).toContain('count');
    expect(second?.order).toEqual(['more']);
  }));

test('what the server refuses stands at its field, and what somebody else saved is seen beside mine', () =>
  visit(browser, product, wide, async ({ page, picture, complaints }) => {
    await ask('POST', '/actions', action('contested'));
    await page.goto('/builder/actions/contested');
    await signIn(page, product);
    await page.getByRole('textbox', { name: 'Identifier' }).fill('not an identifier');
    await save(page);
    await page.getByRole('alert').getByText('/identifier').waitFor();
    await page.getByText('may hold letters, digits').and(page.locator('[id$="-error"]')).waitFor();
    await page.getByRole('textbox', { name: 'Identifier' }).fill('contested');
    await page.getByLabel('Description').fill('Mine');
    await ask('PUT', '/actions/contested', action('contested', { title: 'Theirs' }));
    await save(page);
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody saved it while you edited it' });
    await conflict.getByText('Theirs', { exact: true }).waitFor();
    await conflict.getByText('Mine', { exact: true }).waitFor();
    await picture('action-editor-conflict');
    expect((await stored('contested')).title).toBe('Theirs');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await save(page);
    await page.getByText('Action contested was saved').waitFor();
    expect(await stored('contested')).toMatchObject({ title: 'Action contested', description: 'Mine' });
    expect(complaints.filter((each) => !/422|Unprocessable|409|Conflict/.test(each))).toEqual([]);
    (complaints as string[]).length = 0;
  }));

test('rights are tried as somebody before they are saved; a copy has them too', () =>
  visit(browser, product, wide, async ({ page, picture }) => {
    await ask('POST', '/actions', action('guarded'));
    await page.goto('/builder/actions/guarded?tab=rights');
    await signIn(page, product);
    const tester = page.getByRole('region', { name: 'Try as somebody' });
    await tester.getByRole('combobox', { name: 'As' }).fill(member);
    await page.getByRole('option', { name: member }).click();
    await tester.getByText('May run it').waitFor();
    const execute = page.getByRole('region', { name: 'Who may run it' });
    await execute.getByLabel('Roles').first().focus();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await tester.getByText('May not run it').waitFor();
    await tester.getByText('Does not see it').waitFor();
    await picture('action-editor-rights');
    const rights = async (name: string) => (await ask('GET', `/actions/${name}/permissions`)).body;
    expect(await rights('guarded')).toMatchObject({ permissions: { execute: { roles: ['Admin', 'Member'] } } });
    await save(page);
    await page.getByText('Action guarded was saved').waitFor();
    expect(await rights('guarded')).toMatchObject({ permissions: { execute: { roles: [] } } });

    await page.getByRole('button', { name: 'More for Action guarded' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New action', level: 1 }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Identifier' }).inputValue()).toBe('guarded_copy');
    await save(page);
    await page.getByRole('heading', { name: 'Copy of Action guarded', level: 1 }).waitFor();
    expect(await rights('guarded_copy')).toMatchObject({ permissions: { execute: { roles: [] } } });
  }));

const actsOnCrates = {
  identifier: 'acts_on_crates',
  title: 'Repack a crate',
  publish: false,
  trigger: {
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: 'crate',
    condition: { type: 'SEARCH', combinator: 'and', rules: [{ property: 'size', operator: '=', value: 's' }] },
    userInputs: { properties: {}, required: { jqQuery: '[]' } },
  },
  invocationMethod: { type: 'KAFKA', payload: {} },
};
const tabs = ['basics', 'form', 'backend', 'approval', 'rights', 'json'];
const paths = [
  '/builder/actions/acts_on_crates',
  '/builder/actions/acts_on_crates?tab=form',
  ...tabs.map((tab) => `/builder/actions/looked_at?tab=${tab}`),
];

test.each([
  ['light, wide', wide, 'light'],
  ['dark, narrow', narrow, 'dark'],
] as const)('every tab can be read and used: %s', (_variant, size, colorScheme) =>
  visit(browser, product, { ...size, colorScheme }, async (visited) => {
    const { page } = visited;
    const there = await ask('GET', '/actions/looked_at');
    if (there.status === 404) {
      await ask('POST', '/actions', action('looked_at'));
      await ask('POST', '/actions', actsOnCrates);
    }
    await page.goto('/self-service');
    await signIn(page, product);
    const findings = await inspectScreens(visited, paths, colorScheme);
    await page.goto('/builder/actions/looked_at?tab=form');
    await page.getByRole('button', { name: 'Edit Why' }).click();
    await page.getByRole('dialog', { name: 'Edit Why' }).waitFor();
    await settled(page);
    await visited.picture(`action-editor-input-${colorScheme}`);
    expect(findings).toEqual([]);
  }),
);
