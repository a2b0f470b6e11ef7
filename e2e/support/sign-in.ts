import type { Page } from 'playwright-core';
import type { Product } from './product.ts';

/** Signs in on the form that is shown. */
export async function signIn(page: Page, { person }: Product): Promise<void> {
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
}
