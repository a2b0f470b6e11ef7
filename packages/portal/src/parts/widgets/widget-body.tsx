import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../kit/translate.ts';
import classes from './widgets.module.css';

/** The content of a widget. What is longer than its place scrolls, and can then be reached by keys. */
export function WidgetBody({ label, children }: { label: string; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  const scrolls = useScrollsUnreached(body);
  return (
    <div
      ref={body}
      className={classes.body}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': t('Content of {label}', { label }) } : {})}
    >
      {children}
    </div>
  );
}

/** Whether it scrolls and holds nothing that takes the focus. */
function useScrollsUnreached(body: { readonly current: HTMLElement | null }): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const look = () =>
      setScrolls(
        element.scrollHeight > element.clientHeight + 1 &&
          element.querySelector('a[href], button, input, textarea, [tabindex="0"]') === null,
      );
    const sizes = new ResizeObserver(look);
    const observe = () => {
      sizes.disconnect();
      for (const each of [element, ...element.children]) sizes.observe(each);
      look();
    };
    const content = new MutationObserver(observe);
    content.observe(element, { childList: true });
    observe();
    return () => {
      sizes.disconnect();
      content.disconnect();
    };
  }, [body]);
  return scrolls;
}
