import { useLayoutEffect } from 'react';

/** The opener of a menu if the element is inside one, since menu items disappear with the menu. */
function lasting(element: Element | null): Element | null {
  const opener = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return opener ? document.getElementById(opener) : element;
}

/**
 * Returns the focus when a dialog closes or unmounts: to the element that had it, or to the opener of the menu that led
 * to the dialog. Keeps the focus if the user has moved it elsewhere.
 */
export function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const page = document;
    const had = lasting(page.activeElement);
    const before = had instanceof HTMLElement ? had : null;
    return () => {
      const atClose = page.activeElement;
      // wait until the dialog is unmounted and its close handlers have moved the focus
      setTimeout(() => {
        // the page may be gone by now, and its globals with it
        const now = page.activeElement;
        const isLost = !now || now === page.body || now === atClose;
        if (isLost && before?.isConnected) before.focus({ preventScroll: true });
      }, 10);
    };
  }, [isOpen]);
}
