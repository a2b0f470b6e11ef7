import type { Locator, Page } from 'playwright-core';

/** A person with keys and no pointer. Nothing here touches the page but the keys; the rest only looks. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Goes on with Tab until the wanted thing has the focus. @throws Error after as many steps as a screen may ask */
  reach(wanted: Locator, options?: Steps): Promise<void>;
  /** Goes through what a menu, a list or a group offers with an arrow key, and takes the wanted one. */
  choose(wanted: Locator, options?: Steps & { readonly take?: string }): Promise<void>;
  /** Goes to a control and presses it. */
  use(wanted: Locator, key?: string): Promise<void>;
  /** Goes to a field, and writes over what is in it. */
  write(field: Locator, text: string): Promise<void>;
  /** Goes on with Tab, only to look at what has the focus, until it is where it was before. */
  walk(steps: number): Promise<void>;
  /** Opens the palette, and goes where its first answer that matches leads. */
  goTo(words: string, answer: string | RegExp): Promise<void>;
  /** Waits until the focus is there, as after a dialog that gave it back. */
  isOn(wanted: Locator): Promise<void>;
  /** What the focus was on without anything to be seen of it, or while it was covered. */
  readonly unseen: readonly string[];
}

interface Look {
  readonly unmarked?: string;
  readonly covered?: string;
}

interface Steps {
  readonly key?: string;
  readonly most?: number;
}

/**
 * Whether what had the focus a step ago was marked by it: a ring, a line or a ground, on the thing itself or close around
 * it. Then whether what has the focus now is covered, and what it looks like. What only programs focus needs no mark.
 */
const lookScript = `(() => {
  const describe = (element) => {
    const named = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
    return element.tagName.toLowerCase() + ' "' + named.trim().slice(0, 60) + '" at ' + location.pathname;
  };
  const around = (element) => {
    const parents = [element.parentElement, element.parentElement?.parentElement];
    return [element, ...(parents[0]?.children ?? []), ...parents, parents[1]?.parentElement]
      .filter((each) => each instanceof Element)
      .slice(0, 40);
  };
  const drawn = (element) => around(element).flatMap((each) => ['', '::before', '::after'].map((part) => {
    const { outlineStyle, outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(each, part || undefined);
    return [outlineStyle === 'none' ? '' : outline, boxShadow, borderColor, backgroundColor].join();
  })).join();
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) return false;
    const points = [0.05, 0.25, 0.5, 0.75, 0.95].flatMap((x) => [0.2, 0.5, 0.8].map((y) => [left + width * x, top + height * y]));
    return !points.some(([x, y]) => {
      const upper = document.elementFromPoint(x, y);
      return upper && (upper.contains(element) || around(element).some((each) => each.contains(upper)));
    });
  };
  const active = document.activeElement;
  const before = window.focusBefore;
  const unmarked = before && before.element !== active && before.element.isConnected && before.drawn === drawn(before.element);
  // a date's calendar button has the focus in the field's place, and a ring of the browser's own
  const isAsked = active && active !== document.body && active.tabIndex >= 0 && active.matches(':focus');
  window.focusBefore = isAsked ? { element: active, drawn: drawn(active), name: describe(active) } : undefined;
  return {
    unmarked: unmarked ? before.name : undefined,
    covered: isAsked && isCovered(active) ? describe(active) : undefined,
  };
})()`;

/** Whether what has the focus had it before: from there on the walk would repeat itself. */
const isRound = `(() => {
  const active = document.activeElement;
  if (!active || active === document.body) return false;
  // a date is several stops of one element
  const isKnown = window.focused.has(active) && active !== window.focusedLast;
  window.focused.add(active);
  window.focusedLast = active;
  return isKnown;
})()`;

export function createKeyboard(page: Page): Keyboard {
  const unseen = new Set<string>();
  const watch = async (): Promise<void> => {
    // a page that is left while it is looked at has no focus to tell of
    const look = (): Promise<Look> => page.evaluate<Look>(lookScript).catch(() => ({}));
    const { unmarked, covered } = await look();
    if (unmarked) unseen.add(`no mark: ${unmarked}`);
    if (!covered) return;
    // a dialog or a scrolled list may still be on its way
    await page.waitForTimeout(400);
    if ((await look()).covered === covered) unseen.add(`covered: ${covered}`);
  };
  const has = async (wanted: Locator): Promise<boolean> => (await wanted.and(page.locator(':focus')).count()) > 0;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const reach: Keyboard['reach'] = async (wanted, { key = 'Tab', most = 150 } = {}) => {
    await wanted.first().waitFor();
    for (let step = 0; step < most; step += 1) {
      await watch();
      if (await has(wanted)) return;
      await press(key);
    }
    throw new Error(`${String(wanted)} cannot be reached with ${key} in ${most} steps from ${page.url()}`);
  };
  const use: Keyboard['use'] = async (wanted, key = 'Enter') => {
    await reach(wanted);
    await press(key);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    reach,
    async choose(wanted, { key = 'ArrowDown', most = 40, take = 'Enter' } = {}) {
      await reach(wanted, { key, most });
      await press(take);
    },
    use,
    async write(field, text) {
      await reach(field);
      await press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async walk(steps) {
      await page.evaluate('window.focused = new WeakSet(), window.focusedLast = undefined');
      for (let step = 0; step < steps; step += 1) {
        await press('Tab');
        await watch();
        if (await page.evaluate<boolean>(isRound)) return;
      }
    },
    async goTo(words, answer) {
      await press('ControlOrMeta+k');
      const asked = page.getByRole('combobox', { name: /^Search entities, pages and commands/ });
      await asked.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(words);
      await page.getByRole('option', { name: answer, selected: true }).waitFor();
      await press('Enter');
      await asked.waitFor({ state: 'hidden' });
    },
    isOn: (wanted) => wanted.and(page.locator(':focus')).waitFor({ timeout: 5_000 }),
    get unseen() {
      return [...unseen];
    },
  };
}
