import type { Locator, Page } from 'playwright-core';
import { settled } from './settled.ts';

/** Somebody at a task. What they press is counted where the browser hears it; what they type as a value is not. */
export interface Hands {
  click(target: Locator, options?: Parameters<Locator['click']>[0]): Promise<void>;
  press(key: string): Promise<void>;
  /** Types into a field, which takes a click where the screen has not put the focus there. */
  write(field: Locator, text: string): Promise<void>;
  /** Clicks and keys so far, in words. */
  presses(): Promise<readonly string[]>;
}

/** How long a dialog may take to put the focus where somebody types. */
const focusMs = 1_500;

const listen = `(() => {
  window.presses = [];
  const typed = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable=true]';
  const nameOf = (target) => {
    const element = target.closest?.('button, a, label, input, textarea, [role]') ?? target;
    const name = element.getAttribute?.('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
    return name.trim().slice(0, 40);
  };
  addEventListener('pointerdown', (event) => {
    if (event.isTrusted) window.presses.push('click ' + nameOf(event.target));
  }, true);
  addEventListener('keydown', ({ isTrusted, key, target, ctrlKey, metaKey, altKey }) => {
    if (!isTrusted || ['Control', 'Meta', 'Alt', 'Shift'].includes(key)) return;
    const isValue = (key.length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey;
    if (isValue && target.closest?.(typed)) return;
    window.presses.push('key ' + key);
  }, true);
})()`;

/** Begins to count on the screen where the task comes up. */
export async function beginTask(page: Page): Promise<Hands> {
  await settled(page);
  await page.evaluate(listen);
  return {
    click: (target, options) => target.click(options),
    press: (key) => page.keyboard.press(key),
    async write(field, text) {
      const hasFocus = field.and(page.locator(':focus')).waitFor({ timeout: focusMs });
      await hasFocus.catch(() => field.click());
      await page.keyboard.type(text);
    },
    async presses() {
      const heard = await page.evaluate<readonly string[] | undefined>('window.presses');
      if (!heard) throw new Error(`${page.url()} was loaded anew, and what was counted is lost`);
      return heard;
    },
  };
}
