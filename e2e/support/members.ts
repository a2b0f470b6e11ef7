import type { Browser, BrowserContext } from 'playwright-core';
import type { Make } from './api.ts';
import type { Product } from './product.ts';

const password = 'a password of a member';

/** A person with these roles who is signed in: a context of the browser with their session. */
export async function signedInAs(
  { browser, product, made }: { browser: Browser; product: Product; made: Make },
  email: string,
  roles: readonly string[],
): Promise<BrowserContext> {
  await made('/users/invite', { invitee: { email, roles, teams: [] } });
  const { token } = (await made('/auth/password-links', { email })) as { token: string };
  await made('/auth/password-links/redeem', { token, password });
  const context = await browser.newContext({
    baseURL: product.address,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
  await page.close();
  return context;
}
