import type { Page } from 'playwright-core';

/** Puts another text into an editor, as pasting does. */
export async function writeText(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).click();
  await page.keyboard.press('ControlOrMeta+a');
  // Chromium would keep the colour of what is replaced as a style, which the policy of the page stops and tells
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}
