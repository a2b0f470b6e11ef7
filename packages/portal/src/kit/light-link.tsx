import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { buildHref, type LinkTarget } from '../frame/link-target.ts';
import classes from './kit.module.css';

/**
 * A link to a screen, for lists with hundreds of them: the router's own link subscribes to the location, which costs
 * more than the rest of a row. Preloads on hover and focus; modified clicks are left to the browser.
 */
export function LightLink({
  target,
  title,
  className = '',
  isItem = false,
  children,
}: {
  target: LinkTarget;
  title?: string | undefined;
  className?: string | undefined;
  /** One of several that share a tab stop (`useOneTabStop`). */
  isItem?: boolean;
  children: ReactNode;
}) {
  const router = useRouter();
  const prepare = () => void router.preloadRoute(target).catch(() => undefined);
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate(target);
  };
  return (
    <a
      href={buildHref(target)}
      title={title}
      className={`${classes.lightLink} ${className}`}
      onClick={follow}
      onMouseEnter={prepare}
      onFocus={prepare}
      {...(isItem ? { 'data-item': true, tabIndex: -1 } : {})}
    >
      {children}
    </a>
  );
}
