import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInAs } from './support/members.ts';
import { type OpenProduct, openProduct } from './support/open-product.ts';

let open: OpenProduct;

beforeAll(async () => {
  open = await openProduct();
});
afterAll(async () => {
  await open?.browser.close();
  await open?.product.stop();
});

test('a member sees what they may not do, what it needs, and whom to ask', async () => {
  const context = await signedInAs(open, `kim-${Date.now()}@portolan.example`, ['Member']);
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403 && response.request().method() !== 'GET') refused.push(response.url());
  });
  await page.goto('/e/service/route-planner');
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await expect.poll(() => edit.getAttribute('aria-describedby'), { timeout: 15_000 }).not.toBe(null);
  expect(await edit.getAttribute('aria-disabled')).toBe('true');
  await edit.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ask for access' });
  await dialog.getByText('Admin, or Moderator of Service', { exact: true }).waitFor();
  await dialog.getByText(/Marta Lindqvist/).waitFor();
  expect(await dialog.getByLabel('Message to send').inputValue()).toContain('the right to edit Route Planner');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page
    .getByRole('button', { name: /^What can be done with/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^Delete Route Planner.*Needs Admin, or Moderator of Service/ }).waitFor();

  await page.goto('/builder/data-model');
  const create = page.getByRole('button', { name: 'New blueprint' });
  await create.waitFor();
  expect(await create.getAttribute('aria-disabled')).toBe('true');

  await page.goto('/builder/secrets');
  await page
    .getByRole('alert')
    .getByText(/Marta Lindqvist/)
    .waitFor();
  expect(refused).toEqual([]);
});
