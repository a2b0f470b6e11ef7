import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askOn } from './support/ask-on.ts';
import { seriousFindings } from './support/axe.ts';
import { visit } from './support/browser.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';
import { signIn } from './support/sign-in.ts';

const wide = { viewport: { width: 1360, height: 850 } };

let open: OpenProduct;
beforeAll(async () => {
  open = await openProduct();
  const lifecycle = { type: 'string', title: 'Lifecycle', enum: ['Experimental', 'Production'] };
  await open.made('/blueprints', {
    identifier: 'sea_chart',
    title: 'Sea chart',
    schema: { properties: { lifecycle }, required: [] },
  });
});
afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
});

test('an administrator finds in three clicks who deleted what, and saves it', () =>
  visit(open.browser, open.product, wide, async ({ page, picture }) => {
    await page.goto('/');
    await signIn(page, open.product);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const blueprint = '/v1/blueprints/sea_chart/entities';
    const made = { identifier: 'harbour-map', title: 'Harbour Map', properties: { lifecycle: 'Experimental' } };
    expect(await askOn(page, 'POST', blueprint, made)).toBe(201);
    const changed = { properties: { lifecycle: 'Production' } };
    expect(await askOn(page, 'PATCH', `${blueprint}/harbour-map`, changed)).toBe(200);
    expect(await askOn(page, 'DELETE', `${blueprint}/harbour-map`)).toBe(200);

    await page.goto('/builder/audit');
    const records = page.getByRole('list', { name: 'Records' });
    await records.getByText('deleted Sea chart').first().waitFor();
    await picture('audit');
    await page.getByRole('combobox', { name: 'Change' }).click();
    await page.getByRole('option', { name: 'Deleted' }).click();
    const [first] = await records.getByRole('listitem').allInnerTexts();
    expect(first?.replace(/\s+/g, ' ')).toMatch(/^\S.* deleted Sea chart Harbour Map/);
    await picture('audit-deleted');
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await records.getByText('Lifecycle: Experimental → Production').first().waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const saved = await readFile(await (await saving).path(), 'utf8');
    const rows = saved.split('\r\n');
    expect(rows[0]).toBe('Time,Who,Id,Did,Kind,Thing,Detail,Outcome,Via,Context,Record');
    expect(rows.find((row) => row.includes(',deleted,Sea chart,Harbour Map,'))).toContain('SUCCESS,UI,');

    await page.getByRole('switch', { name: 'Only people' }).click();
    await records.getByText('Portolan', { exact: true }).or(records.getByText('A program')).first().waitFor();
    await picture('audit-all');
  }));
