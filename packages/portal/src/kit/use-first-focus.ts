import { type RefObject, useEffect } from 'react';

/** How long a form may stay disabled, until it is known what the user may do. */
const patienceMs = 2_000;

/**
 * Gives the focus of a new screen to its first text field, while nobody has moved it. Not on a phone, where it would
 * raise the keyboard over the form.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>, isOn = true): void {
  useEffect(() => {
    if (!isOn || !matchMedia('(pointer: fine)').matches) return;
    const begun = performance.now();
    let frame = 0;
    const attempt = (now: number) => {
      const isFree = document.activeElement?.matches('body, main') ?? true;
      if (!isFree || now - begun > patienceMs) return;
      form.current?.querySelector<HTMLElement>('input[type="text"], input:not([type])')?.focus();
      frame = requestAnimationFrame(attempt);
    };
    // after the frame, which gives the focus to the content of a screen that was navigated to
    frame = requestAnimationFrame(attempt);
    return () => cancelAnimationFrame(frame);
  }, [form, isOn]);
}
