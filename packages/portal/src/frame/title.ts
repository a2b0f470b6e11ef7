import { useEffect } from 'react';

/** Titles the browser tab; undefined while the title is unknown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === 'Home' ? 'Portolan' : `${title} · Portolan`;
  }, [title]);
}
