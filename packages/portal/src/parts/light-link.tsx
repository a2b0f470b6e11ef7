import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import classes from './parts.module.css';

/**
 * A link to another screen, for places with hundreds of them: the router's own follows where it is, which costs more than
 * the rest of a row. It fetches what it leads to when it is pointed at, and leaves to the browser what is the browser's.
 */
export function LightLink({
  to,
  title,
  className = '',
  children,
}: {
  to: string;
  title?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}) {
  const router = useRouter();
  const prepare = () => void router.preloadRoute({ to }).catch(() => undefined);
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to });
  };
  return (
    <a
      href={to}
      title={title}
      className={`${classes.lightLink} ${className}`}
      onClick={follow}
      onMouseEnter={prepare}
      onFocus={prepare}
    >
      {children}
    </a>
  );
}
