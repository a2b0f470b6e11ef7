import { useEffect } from 'react';
import { t } from '../kit/translate.ts';

/** Titles the browser tab; undefined while the title is unknown. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === t('Home') ? 'Portolan' : `${title} · Portolan`;
  }, [title]);
}
