import { setTimeout } from 'node:timers/promises';
import { onlyReads } from '@portolan/contract/operation';
import type { Page, Request } from 'playwright-core';
import { findOperation } from './held-writes.ts';

/** A control that can be used now. */
interface Control {
  readonly at: number;
  /** The same for controls that do the same, such as those of two rows. */
  readonly key: string;
  readonly label: string;
}

interface Scene {
  /** The dialog, menu or list of choices that is open on top; empty for the screen itself. */
  readonly overlay: string;
  readonly controls: readonly Control[];
}

/** Of what does the same, as in the rows of a table, so many are pressed: the first may be one's own. */
const alikeMost = 2;
/** Of one screen, with all that opens on it. */
const pressesMost = 30;
const openingsMost = 8;
const quietWithinMs = 800;

/**
 * Looks at what can be used: what is off, or only says what it needs, is left out, and so are other languages, whose choice
 * loads the portal again. Runs in the browser.
 */
const lookScript = `((root) => {
  const isShown = (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility !== 'hidden';
  const isOff = (each) => each.matches(':disabled') || each.closest('[aria-disabled=true], [data-disabled=true], [inert]') !== null;
  const textOf = (each) => (each?.innerText ?? each?.textContent ?? '').trim().replaceAll(/\\s+/g, ' ');
  const labelled = (each) =>
    (each.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => textOf(document.getElementById(id))).join(' ').trim();
  const nameOf = (each) => each.getAttribute('aria-label') || labelled(each) || textOf(each.labels?.[0]) || textOf(each) ||
    each.getAttribute('placeholder') || '';
  const open = [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')]
    .filter((each) => isShown(each) && !each.closest('main'));
  const top = open.at(-1);
  const scope = top ?? document.querySelector(root);
  const overlay = top ? top.getAttribute('role') + ' ' + (textOf(top.querySelector('h2')) || nameOf(top)).slice(0, 60) : '';
  const wanted = 'button, summary, [role=button], [role=tab], [role=menuitem], [role=option], [role=switch], [role=radio], ' +
    'input[type=checkbox], input[type=radio], input[aria-haspopup=listbox]';
  const leaves = /^(cancel|close|copy|discard|clear|search|go back|try again)\\b/i;
  const rowOf = (each) => each.closest('[role=columnheader], [role=gridcell], [role=row], tr, li, article');
  window.pressable = [...(scope?.querySelectorAll(wanted) ?? [])].filter((each) =>
    isShown(each) && !isOff(each) && !each.matches('a') && (root === 'main' || top || !each.closest('main')) && !each.closest('.cm-editor') && !leaves.test(nameOf(each)) && !each.labels?.[0]?.querySelector('[lang]') &&
    !(each.getAttribute('role') === 'option' && each.getAttribute('aria-selected') === 'true'));
  const controls = window.pressable.map((each, at) => {
    const label = nameOf(each).slice(0, 80);
    const row = rowOf(each);
    const kind = each.getAttribute('role') ?? each.tagName.toLowerCase();
    const within = row && scope.contains(row)
      ? 'row ' + [...row.querySelectorAll(wanted)].filter((other) => rowOf(other) === row).indexOf(each) + ' ' + label.split(' ')[0]
      : label;
    const key = kind === 'option' ? 'option' : kind + ' ' + within.replaceAll(/\\d+/g, '#');
    const turn = each.matches('[role=tab], [role=radio], [type=radio]') ? 2 : each.matches('[type=submit]') ? 1 : 0;
    return { at, key, label, turn };
  });
  // a tab takes away what the one before it shows
  return { overlay, controls: controls.sort((one, other) => one.turn - other.turn) };
})`;

/** Writes something into every empty field, and more into the first that is not, so that forms can be sent. */
const fillScript = `((root) => {
  const open = [...document.querySelectorAll('[role=dialog]')].filter((each) => each.getClientRects().length > 0);
  const scope = open.at(-1) ?? document.querySelector(root);
  const fields = [...(scope?.querySelectorAll('input, textarea') ?? [])].filter((each) =>
    each.matches(':enabled:not([readonly]):not([type=checkbox]):not([type=radio]):not([type=file]):not([type=hidden]):not([type=search]):not([aria-haspopup])') &&
    each.getClientRects().length > 0 && !/search|filter|keep this view/i.test([each.getAttribute('aria-label'), each.placeholder, each.labels?.[0]?.innerText].join(' ')));
  const write = (field, text) => {
    const owner = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const samples = { number: '1', email: 'somebody@portolan.example', url: 'https://portolan.example', date: '2030-01-02' };
  for (const field of fields) {
    const typed = /^Type (.+) to go on$/.exec(field.labels?.[0]?.innerText ?? '')?.[1];
    if (typed !== undefined) write(field, typed);
    else if (field.value === '') write(field, samples[field.type] ?? 'crawled');
  }
  const first = fields.find((each) => ['text', 'textarea'].includes(each.type) && each.value !== 'crawled' && each.value !== '');
  if (first && !first.value.endsWith('crawled')) write(first, first.value + 'crawled');
})`;

/**
 * What somebody was offered, so that whoever may do all that they may, and more, need only press the rest. Whatever opened
 * something, showed other controls or asked the server for a change is pressed again: there may be more behind it.
 */
export interface Offered {
  /** Controls by address, what they lie in, and their words. */
  readonly seen: Set<string>;
  /** Those that were pressed, without their words: of what does the same a few are. */
  readonly pressed: Set<string>;
  /** Those of them, without their words, of which somebody else may find more. */
  readonly leadOn: Set<string>;
}

export function nothingOffered(): Offered {
  return { seen: new Set(), pressed: new Set(), leadOn: new Set() };
}

/** Time for what was pressed to answer; no frame, since tabs behind the first have one a second. */
const moment = 'new Promise((done) => setTimeout(() => setTimeout(done, 16), 16))';
const pollMs = 30;

interface PressOptions {
  /** Another root than `main`: what is around the screen. */
  readonly root?: string;
  /** What somebody with fewer rights was offered, which is not pressed again. */
  readonly before?: Offered;
  /** Keeps what is offered now. */
  readonly offered?: Offered;
}

/** Presses everything that a screen offers, what opens then included; `pressed` says where it is. */
export function createPresser(
  page: Page,
  address: string,
  { root = 'main', before, offered = nothingOffered() }: PressOptions = {},
) {
  const waiting = new Map<Request, number>();
  const counts = new Map<string, number>();
  let trail: string[] = [];
  let left = pressesMost;
  let changes = 0;
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) waiting.set(request, Date.now());
    const operation = findOperation(request.method(), request.url());
    if (operation && !onlyReads(operation)) changes += 1;
  });
  const end = (request: Request) => void waiting.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // leaving what was written is asked about
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));

  // what ended with the document that asked for it is told by nobody
  const isWaiting = () => [...waiting.values()].some((since) => Date.now() - since < quietWithinMs);
  const quiet = async () => {
    await page.evaluate(moment);
    while (isWaiting()) {
      // asking the page each time would keep it from what it is doing
      while (isWaiting()) await setTimeout(pollMs);
      await page.evaluate(moment);
    }
  };
  /** Where the address led, which may be another one. */
  let own = '';
  // tabs of a screen lie below it, and what is around screens is everywhere
  const isThere = () => {
    const now = new URL(page.url()).pathname;
    return root !== 'main' || now === own || (own !== '/' && now.startsWith(`${own}/`));
  };
  const look = (): Promise<Scene> => page.evaluate<Scene>(`${lookScript}(${JSON.stringify(root)})`);
  const fill = () => page.evaluate(`${fillScript}(${JSON.stringify(root)})`);
  const arrive = async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await quiet();
    own = new URL(page.url()).pathname;
  };
  /** To the screen from another one, as a link leads there; it loads again where that leaves something open. */
  const comeBack = async () => {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
    await quiet();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await quiet();
    own = new URL(page.url()).pathname;
    if ((await look()).overlay !== '') await arrive();
  };
  const placeOf = (within: string, { key }: Control): string => `${address} › ${within} › ${key}`;
  // a box, a tab or a choice may show more to whoever may do more with it
  const isKnown = (within: string, control: Control): boolean =>
    /^(button|menuitem|summary) /.test(control.key) &&
    (before?.seen.has(`${placeOf(within, control)} › ${control.label}`) ?? false) &&
    (before?.pressed.has(placeOf(within, control)) ?? false) &&
    !before?.leadOn.has(placeOf(within, control));
  const note = (within: string, { controls }: Scene): void => {
    for (const control of controls) offered.seen.add(`${placeOf(within, control)} › ${control.label}`);
  };
  /** Presses a control, and answers what there is then. */
  const press = async (within: string, control: Control, { overlay, controls }: Scene): Promise<Scene> => {
    trail = [...trail, control.label];
    left -= 1;
    offered.pressed.add(placeOf(within, control));
    const changesBefore = changes;
    await page.evaluate(`window.pressable[${control.at}]?.focus(); window.pressable[${control.at}]?.click()`);
    await quiet();
    const now = await look();
    const known = new Set(controls.map(({ key, label }) => `${key} ${label}`));
    const showsMore =
      now.overlay === overlay
        ? now.controls.some(({ key, label }) => !known.has(`${key} ${label}`))
        : now.overlay !== '';
    if (changes > changesBefore || (isThere() && showsMore)) offered.leadOn.add(placeOf(within, control));
    return now;
  };
  const takeNext = (within: string, scene: Scene): Control | undefined => {
    note(within, scene);
    const next = scene.controls.find(
      (control) => (counts.get(`${within} ${control.key}`) ?? 0) < alikeMost && !isKnown(within, control),
    );
    if (next) counts.set(`${within} ${next.key}`, (counts.get(`${within} ${next.key}`) ?? 0) + 1);
    return next;
  };
  /** Works through what is open on top, level by level; answers whether there was anything left to press. */
  const workThrough = async (opener: string, depth = 0): Promise<boolean> => {
    let hasPressed = false;
    while (left > 0) {
      let scene = await look();
      if (scene.overlay === '') return hasPressed;
      if (scene.overlay.startsWith('dialog')) {
        await fill();
        scene = await look();
      }
      const within = `${opener} › ${scene.overlay.split(' ').slice(0, 3).join(' ')}`;
      const next = depth < 4 ? takeNext(within, scene) : undefined;
      if (!next) break;
      hasPressed = true;
      const trailBefore = trail;
      const now = await press(within, next, scene);
      if (now.overlay !== '' && now.overlay !== scene.overlay) await workThrough(within, depth + 1);
      trail = trailBefore;
    }
    await page.keyboard.press('Escape');
    await quiet();
    return hasPressed;
  };
  const pressAll = async () => {
    if (page.url().startsWith('http')) await comeBack();
    else await arrive();
    await fill();
    while (left > 0) {
      trail = [];
      if (!isThere()) await comeBack();
      const scene = await look();
      if (scene.overlay !== '') {
        await workThrough('', 1);
        if ((await look()).overlay !== '') await arrive();
        continue;
      }
      const next = takeNext('', scene);
      if (!next) break;
      // a menu closes with each of its entries
      for (
        let again: Control | undefined = next, openings = 0;
        again && left > 0 && openings < openingsMost;
        openings += 1
      ) {
        trail = [];
        const there: Scene = openings === 0 ? scene : await look();
        await press('', again, there);
        if (!(await workThrough(next.key)) || !isThere()) break;
        again = (await look()).controls.find(({ key, label }) => key === next.key && label === next.label);
      }
      if (isThere()) await fill();
    }
    for (const keys of ['Control+s', 'Control+Enter', 'e', 'i']) {
      trail = [keys];
      if (!isThere()) await comeBack();
      await page.keyboard.press(keys);
      await quiet();
      await workThrough(keys);
    }
  };
  return { pressAll, pressed: () => [address, ...trail].join(' › ') };
}
