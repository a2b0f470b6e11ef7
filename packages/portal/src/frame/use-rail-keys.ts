import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { useOneTabStop } from '../kit/arrow-keys.ts';

const fields = 'input, textarea, select';

/**
 * Makes the entries of the rail (`[data-item]`) one tab stop. Arrow keys, Home and End move, left and right close and open
 * folders, Shift+Enter opens the menu of an entry. Letters jump to an entry that begins with them, once somebody moved with the
 * arrow keys: before, they are shortcuts as everywhere.
 */
export function useRailKeys(root: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  useOneTabStop(root);
  useVisibleStop(root);
  const isWalking = useRef(false);
  return (event) => {
    const at = event.target as HTMLElement;
    if (at.matches(fields) || event.altKey || event.ctrlKey || event.metaKey) return;
    const items = visibleItems(root.current);
    const item = at.closest<HTMLElement>('[data-entry]')?.querySelector<HTMLElement>('[data-item]') ?? at;
    const place = items.indexOf(at.matches('[data-item]') ? at : item);
    if (place < 0) return;
    const goTo = (next: HTMLElement | undefined): void => {
      event.preventDefault();
      isWalking.current = true;
      next?.focus();
    };
    const current = items[place];
    switch (event.key) {
      case 'ArrowDown':
        return goTo(items[place + 1]);
      case 'ArrowUp':
        return goTo(items[place - 1]);
      case 'Home':
        return goTo(items[0]);
      case 'End':
        return goTo(items.at(-1));
      case 'ArrowRight':
      case 'ArrowLeft':
        if (current) goTo(fold(current, event.key === 'ArrowRight', items[place + 1]));
        return;
      case 'Enter': {
        isWalking.current = false;
        const menu = current?.closest('[data-entry]')?.querySelector<HTMLElement>(':scope > [data-more]');
        if (!event.shiftKey || !menu) return;
        event.preventDefault();
        menu.focus();
        menu.click();
        return;
      }
      default:
        if (!isWalking.current || event.key.length !== 1 || event.key === ' ') return;
        goTo([...items.slice(place + 1), ...items.slice(0, place)].find((each) => begins(each, event.key)));
    }
  };
}

/** Opens or closes the folder that is meant, and says where the focus goes. */
function fold(item: HTMLElement, opens: boolean, next: HTMLElement | undefined): HTMLElement | undefined {
  const own = item.matches('summary') ? (item.parentElement as HTMLDetailsElement) : undefined;
  if (opens) {
    if (own?.open) return next;
    if (own) own.open = true;
    return item;
  }
  if (own?.open) {
    own.open = false;
    return item;
  }
  return (own?.parentElement ?? item).closest('details')?.querySelector('summary') ?? item;
}

function visibleItems(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].filter((each) => each.checkVisibility());
}

function begins(item: HTMLElement, letter: string): boolean {
  return (item.textContent ?? '').trim().toLocaleLowerCase().startsWith(letter.toLocaleLowerCase());
}

/**
 * The outermost closed folder that hides an entry. Told from the elements alone: to ask whether they are visible would
 * compute the styles of the page at each change.
 */
function closedAround(item: HTMLElement): HTMLElement | undefined {
  const closed = 'details:not([open])';
  // a folder's own summary stays visible
  let folder = (item.matches('summary') ? item.parentElement : item)?.parentElement?.closest<HTMLElement>(closed);
  for (let next = folder; next; next = next.parentElement?.closest<HTMLElement>(closed)) folder = next;
  return folder ?? undefined;
}

/** A tab stop in a closed folder is handed to the folder. */
function useVisibleStop(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const inside = root.current;
    const settle = () => {
      const stop = inside?.querySelector<HTMLElement>('[data-item][tabindex="0"]');
      const folder = stop && closedAround(stop);
      if (!folder) return;
      stop.setAttribute('tabindex', '-1');
      folder.querySelector('summary')?.setAttribute('tabindex', '0');
    };
    if (!inside) return;
    const watcher = new MutationObserver(settle);
    watcher.observe(inside, { childList: true, subtree: true });
    // the event of `details` does not bubble
    inside.addEventListener('toggle', settle, true);
    settle();
    return () => {
      watcher.disconnect();
      inside.removeEventListener('toggle', settle, true);
    };
  }, [root]);
}
