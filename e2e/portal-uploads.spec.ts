import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
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

async function pack(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter());
  for (const [path, text] of Object.entries(files))
    await writer.add(path, new TextReader(text), { useWebWorkers: false });
  return Buffer.from(await (await writer.close()).arrayBuffer());
}

async function choose(page: Page, button: string, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await choosing).setFiles({ name, mimeType: 'application/zip', buffer });
}

const entity = async (blueprint: string, identifier: string) =>
  (await open.ask('GET', `/blueprints/${blueprint}/entities/${identifier}`)).body as {
    entity: { team: string[]; properties: Record<string, unknown>; relations: Record<string, unknown> };
  };

const component = (name: string, more: string) =>
  `apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: ${name}}\nspec: {type: service, lifecycle: production, ${more}}\n`;

test('a zip of a Backstage becomes owned entities after its plan, and goes back', () =>
  visit(open.browser, open.product, wide, async ({ page }) => {
    await page.goto('/imports/backstage');
    await signIn(page, open.product);
    await page.getByRole('heading', { name: 'Come from Backstage', level: 1 }).waitFor();
    await choose(page, 'Choose files', 'broken.zip', Buffer.from('PK\u0003\u0004rest'));
    await page.getByText('The archive cannot be read').waitFor();
    const zip = await pack({
      'shop/catalog-info.yaml': component('cart', 'owner: payments, dependsOn: ["component:search"]'),
      'shop/search/catalog-info.yaml': component('search', 'owner: nobody, dependsOn: ["component:cart"]'),
      'org.yaml':
        'apiVersion: backstage.io/v1alpha1\nkind: Group\nmetadata: {name: payments}\nspec: {type: team, children: []}\n' +
        '---\napiVersion: backstage.io/v1alpha1\nkind: User\nmetadata: {name: ada}\n' +
        'spec: {profile: {email: ada@example.com}, memberOf: [payments]}\n',
      'README.md': '# Shop',
    });
    await choose(page, 'Choose files', 'catalog.zip', zip);
    await page.getByText('1 of 2 have an owner here').waitFor();
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(structureProblems(await accessibilityTree(page))).toEqual([]);
    await page.getByRole('button', { name: 'Import 4 entities' }).click();
    await page.getByText('The catalog was imported').waitFor();
    const { entity: cart } = await entity('component', 'cart');
    expect([cart.team, cart.relations['dependsOnComponents']]).toEqual([['payments'], ['search']]);
    expect((await entity('_user', 'ada@example.com')).entity.team).toEqual(['payments']);

    await page.getByRole('button', { name: 'Upload a newer file' }).click();
    await page.getByRole('heading', { name: 'Upload catalog.zip again' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export catalog-info.yaml' }).click();
    const parts: Buffer[] = [];
    for await (const part of await (await downloading).createReadStream()) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toContain('dependsOn:\n    - component:search');
    await choose(page, 'Choose files', 'catalog.zip', zip);
    const again = page.getByRole('button', { name: 'Import 4 entities' });
    await again.waitFor();
    expect(await page.getByText('What would change').count()).toBe(0);
    await again.click();
    await page.getByText('The catalog was imported').waitFor();
  }));

test('a workbook is imported from the sheet that is chosen', () =>
  visit(open.browser, open.product, wide, async ({ page }) => {
    const sheet = (cells: string) => `<worksheet><sheetData>${cells}</sheetData></worksheet>`;
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const workbook = await pack({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="People" r:id="a"/><sheet name="Crates" r:id="b"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="worksheets/b.xml"/></Relationships>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/a.xml': sheet(`<row>${text('Person')}</row><row>${text('Ada')}</row>`),
      'xl/worksheets/b.xml': sheet(
        `<row>${text('Name')}${text('Packed')}</row><row>${text('Blue')}<c s="1"><v>45292</v></c></row>`,
      ),
    });
    await page.goto('/imports/new');
    await signIn(page, open.product);
    await choose(page, 'Choose a file', 'crates.xlsx', workbook);
    await page.getByRole('combobox', { name: 'Sheet' }).click();
    await page.getByRole('option', { name: 'Crates' }).click();
    await page.getByLabel('Make a blueprint from these columns').check();
    await page.getByRole('row', { name: /^Packed/ }).waitFor();
    await page.getByRole('button', { name: 'Create the blueprint and check the rows' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The table was imported').waitFor();
    expect((await entity('crates', 'Blue')).entity.properties['packed']).toBe('2024-01-01T00:00:00.000Z');
  }));
