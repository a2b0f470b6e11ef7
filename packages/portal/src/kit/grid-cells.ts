import type { Place } from './grid-moves.ts';

const widgets = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [data-widget]';

/** Marks the button that edits a cell in place: Enter and F2 press it. */
export const editsCell = { 'data-edits-cell': true } as const;

/** Marks the button in a heading with the menu of its column: Shift and Enter press it. */
export const opensColumnMenu = { 'data-opens-column-menu': true } as const;

export function cellAt(grid: HTMLElement | null, { row, column }: Place): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`) ?? null;
}

export function findPlace(target: EventTarget | null): Place | undefined {
  const cell = (target as Element | null)?.closest?.<HTMLElement>('[data-column]');
  const row = cell?.closest<HTMLElement>('[data-row]');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) };
}

/** The links, buttons and inputs of a cell that can be seen. */
export function listControls(cell: Element): readonly HTMLElement[] {
  return [...cell.querySelectorAll<HTMLElement>(widgets)];
}

/** Takes what is inside the cells out of the order of Tab: a grid is one stop. */
export function untab(part: Element): void {
  const all = part.matches(widgets) ? [part as HTMLElement, ...listControls(part)] : listControls(part);
  for (const each of all) if (each.tabIndex >= 0) each.tabIndex = -1;
}

export function isTextInput(target: EventTarget): boolean {
  const element = target as HTMLElement;
  if (element.matches('textarea, select, [contenteditable="true"]')) return true;
  return element.matches('input') && !['checkbox', 'radio'].includes((element as HTMLInputElement).type);
}

/** Does what a cell is for: edits it, presses its only control, or enters it if it has several. False if it has none. */
export function act(cell: HTMLElement, { isEditFirst }: { readonly isEditFirst: boolean }): boolean {
  const editor = cell.querySelector<HTMLElement>('[data-edits-cell]');
  const all = listControls(cell).filter((each) => each !== editor);
  if (editor && (isEditFirst || all.length === 0 || !cell.matches('[role="rowheader"]'))) {
    editor.click();
    return true;
  }
  const [first] = all;
  if (!first) return false;
  // focused first, so that what opens returns the focus here
  first.focus({ preventScroll: true });
  if (all.length === 1) first.click();
  return true;
}

export function isHeading(cell: Element): boolean {
  return cell.matches('[role="columnheader"]');
}

/** Sorts by a heading, or whatever else it is for; `isMenu` opens its menu instead. */
export function actOnHeading(cell: HTMLElement, { isMenu }: { readonly isMenu: boolean }): void {
  const menu = cell.querySelector<HTMLElement>('[data-opens-column-menu]');
  const control = isMenu ? menu : (listControls(cell).find((each) => each !== menu) ?? menu);
  control?.focus({ preventScroll: true });
  control?.click();
}

/** The text of a cell if a part of it is cut off. */
export function cutText(cell: HTMLElement): string | undefined {
  const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
    (each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !each.matches('svg, svg *, input'),
  );
  return isCut
    ? (cell.innerText || cell.textContent || '').replaceAll(/\s*\n\s*/g, ', ').trim() || undefined
    : undefined;
}
