import { type RefObject, useEffect, useRef } from 'react';
import { useFocusBack } from '../../kit/use-focus-back.ts';

/**
 * Takes the focus as the panel opens and gives it back; arrow keys go from notice to notice, and Escape closes. The whole
 * panel listens, its head too.
 */
export function useNoticeKeys(close: () => void): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useFocusBack(true);
  useEffect(() => {
    const root = panel.current;
    const around = root?.closest('aside') ?? root;
    if (!root || !around) return;
    root.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        closing.current();
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      const subjects = [...root.querySelectorAll<HTMLElement>('[data-notice]')];
      const item = (event.target as Element).closest('li');
      const at = subjects.findIndex((each) => item?.contains(each));
      const next = subjects[at === -1 ? (step === 1 ? 0 : subjects.length - 1) : at + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    around.addEventListener('keydown', onKey as EventListener);
    return () => around.removeEventListener('keydown', onKey as EventListener);
  }, []);
  return panel;
}
