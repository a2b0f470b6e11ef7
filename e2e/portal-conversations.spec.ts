import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFindings } from './support/axe.ts';
import { launchBrowser, visit } from './support/browser.ts';
import { type Product, startProduct } from './support/product.ts';
import { signIn } from './support/sign-in.ts';

let browser: Browser;
let product: Product;

beforeAll(async () => {
  browser = await launchBrowser();
  product = await startProduct();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask the assistant' }).fill(question);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
}

/** Waits until so many answers are complete. */
async function answered(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByText('The answer is complete').count(), { timeout: 15_000 }).toBe(count);
}

test('a conversation is asked, followed up, edited, branched, renamed, reloaded and deleted', () =>
  visit(browser, product, { viewport: { width: 1360, height: 850 } }, async ({ page }) => {
    await page.goto('/ai');
    await signIn(page, product);
    const log = page.getByRole('log');
    const list = page.getByRole('complementary', { name: 'Conversations' });

    await ask(page, 'Which services have no owner?');
    await answered(page, 1);
    await list.getByRole('button', { name: /Which services have no owner/ }).waitFor();
    const conversation = new URL(page.url()).searchParams.get('c');
    expect(conversation).toMatch(/^[0-9a-f-]{36}$/);

    await ask(page, 'How many of those are there?');
    await answered(page, 2);
    await log.getByText(/of the \d+ before/).waitFor();
    expect(new URL(page.url()).searchParams.get('c')).toBe(conversation);

    await log.getByRole('button', { name: 'Edit the question' }).last().click();
    await log.getByRole('textbox', { name: 'The question' }).fill('And who owns the first one?');
    await log.getByRole('button', { name: 'Ask this instead' }).click();
    await log.getByText(/Owner of /).waitFor();
    await log.getByText('2 / 2').waitFor();
    expect(await log.getByText(/of the \d+ before/).count()).toBe(0);
    await log.getByRole('button', { name: 'Earlier version of the question' }).click();
    await log.getByText(/of the \d+ before/).waitFor();
    await log.getByText('1 / 2').waitFor();
    expect(new URL(page.url()).searchParams.get('leaf')).toMatch(/^[0-9a-f-]{36}$/);

    await log.getByRole('button', { name: 'New conversation from here' }).first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('c')).not.toBe(conversation);
    await answered(page, 1);
    await ask(page, 'And who owns the first one?');
    await log.getByText(/Owner of /).waitFor();
    await answered(page, 2);

    await page.getByRole('button', { name: 'More for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Release 42');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await list.getByRole('button', { name: /Release 42/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.reload();
    await answered(page, 2);
    await log.getByText('Which services have no owner?').first().waitFor();

    await page.getByRole('button', { name: 'More for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete conversation' }).click();
    await expect.poll(() => list.getByRole('button', { name: /Release 42/ }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('c')).toBeNull();
    await list.getByRole('button', { name: /Which services have no owner/ }).waitFor();
  }));
