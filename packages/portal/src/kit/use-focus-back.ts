import { useLayoutEffect } from 'react';

/** What opened a menu, for a thing in it that goes away with the menu. */
function lasting(element: Element | null): Element | null {
  const opener = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return opener ? document.getElementById(opener) : element;
}

/**
 * Gives the focus back to what had it when a dialog opened, or to what opened the menu it was chosen in. Also where the
 * dialog is shown from its first moment on, and is taken away while it is open. Who has gone elsewhere meanwhile stays there.
 */
export function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = lasting(document.activeElement);
    return () => {
      const atClose = document.activeElement;
      // by then what is taken away is gone, and what the closing led to has had its turn
      setTimeout(() => {
        const now = document.activeElement;
        const isLost = !now || now === document.body || now === atClose;
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      }, 10);
    };
  }, [isOpen]);
}
