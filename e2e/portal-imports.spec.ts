import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityTree, structureProblems } from './support/accessibility.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { settled } from './support/settled.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };
let open: OpenProduct;

beforeAll(async () => {
  open = await openProduct({ PORTOLAN_DEMO: '0' });
});

afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
});

const first = [
  'Name;Owner;Cost per month;Since;Languages;Repository',
  'Cart;Payments team;1.200,50;31/12/2024;go, rust;https://git.example/cart',
  'Search;Search team;80,00;01/02/2025;java;https://git.example/search',
  'Web shop;Payments team;n/a;15/03/2025;typescript, css;https://git.example/shop',
].join('\n');

interface Read {
  readonly identifier: string;
  readonly title: string;
  readonly team: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

async function readEntities(blueprint: string): Promise<Read[]> {
  const { body } = await open.ask('GET', `/blueprints/${blueprint}/entities`);
  const { entities } = body as { entities: Read[] };
  return entities.toSorted((left, right) => (left.identifier < right.identifier ? -1 : 1));
}

async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
  expect(structureProblems(await accessibilityTree(page))).toEqual([]);
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel(/^Or paste cells/).fill(text);
  await page.getByRole('button', { name: 'Read what was pasted' }).click();
}

test('an empty organization pastes a table: a blueprint, a plan, entities, a newer file, and back', () =>
  visit(open.browser, open.product, wide, async ({ page }) => {
    await page.goto('/imports/new');
    await signIn(page, open.product);
    await page.getByRole('heading', { name: 'Import a table', level: 1 }).waitFor();
    await expectAccessible(page);
    await paste(page, 'Name;Owner\n');
    await page.getByText('The file has headings and no rows.').waitFor();
    await paste(page, first);

    await page.getByLabel('Make a blueprint from these columns').check();
    await page.getByLabel('Title of the blueprint').fill('Service');
    await page.getByRole('row', { name: /^Cost per month/ }).waitFor();
    // one cell is no number, so the column was taken for a text
    expect(await page.getByRole('combobox', { name: 'What becomes of Owner' }).inputValue()).toBe('Owning teams');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the blueprint and check the rows' }).click();

    await page.getByRole('button', { name: 'Import 3 rows' }).waitFor();
    expect((await readEntities('service')).length).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('The table was imported').waitFor();
    await expectAccessible(page);
    const stored = await readEntities('service');
    expect(stored.map(({ identifier }) => identifier)).toEqual(['cart', 'search', 'web-shop']);
    expect(stored[0]).toMatchObject({
      title: 'Cart',
      properties: { since: '2024-12-31T00:00:00.000Z', languages: ['go', 'rust'], costPerMonth: '1.200,50' },
    });

    // a newer file changes one row, has a new one, and lacks two
    await page.getByRole('button', { name: 'Upload a newer file' }).click();
    await page.getByRole('heading', { name: 'Upload Pasted table again' }).waitFor();
    await paste(page, `${first.split('\n').slice(0, 2).join('\n').replace('rust', 'zig')}\nNew;;;;;\n`);
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await page.getByText('2 entities of an earlier file.').waitFor();
    await page.getByText('Row 2: change').click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('2 entities are no longer there').waitFor();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2 entities are no longer there').waitFor({ state: 'hidden' });
    expect((await readEntities('service')).map(({ identifier }) => identifier)).toEqual(['cart', 'new']);

    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('1 deleted, 1 put back.').waitFor();
    const [cart, ...rest] = await readEntities('service');
    expect(rest).toEqual([]);
    expect(cart?.properties['languages']).toEqual(['go', 'rust']);
  }));

test('refused rows are told with row and column, and the others are imported, by keyboard', () =>
  visit(open.browser, open.product, wide, async ({ page }) => {
    await open.made('/blueprints', {
      identifier: 'crate',
      title: 'Crate',
      schema: { properties: { weight: { type: 'number', title: 'Weight' } } },
    });
    await page.goto('/imports/new?blueprint=crate');
    await signIn(page, open.product);
    await paste(page, 'id,weight\na,1\nb,heavy\nc,3\n');
    await page.getByRole('row', { name: /^weight/ }).waitFor();
    await page.getByText('"heavy" is no number.').waitFor();
    await page.getByRole('button', { name: 'Check the rows' }).focus();
    await page.keyboard.press('Enter');
    const problem = page.getByRole('row', { name: '3 weight "heavy" is no number.' });
    await problem.waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the refused rows' }).click();
    const stream = await (await downloading).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toBe('id,weight,problem\r\nb,heavy,"weight: ""heavy"" is no number."\r\n');
    await page.getByRole('button', { name: 'Import 2 rows' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The table was imported').waitFor();
    expect((await readEntities('crate')).map(({ identifier }) => identifier)).toEqual(['a', 'c']);
  }));

test('a file that is no table says what to do', () =>
  visit(open.browser, open.product, wide, async ({ page }) => {
    await page.goto('/imports/new');
    await signIn(page, open.product);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const workbook = { name: 'services.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004rest') };
    await (await choosing).setFiles(workbook);
    await page.getByText('The archive cannot be read').waitFor();
  }));
