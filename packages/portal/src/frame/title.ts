import { useEffect } from 'react';

/** Titles the browser tab. Undefined while it is not known yet. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === 'Home' ? 'Portolan' : `${title} · Portolan`;
  }, [title]);
}
