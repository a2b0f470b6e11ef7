import { useState } from 'react';
import { useUrlState } from '../../frame/url-state.ts';

/** Whether the page at hand is edited in its place, and what of it; the address says so, and can be linked. */
export function usePageEditing() {
  const [part, setPart] = useUrlState('/catalog/$page', 'edit');
  /** The place in the header for the tools of the editor. */
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return {
    part,
    tools,
    setTools,
    begin: () => setPart('widgets', { isStep: true }),
    show: (next: string) => setPart(next),
    end: () => setPart(undefined),
  };
}

export type PageEditing = ReturnType<typeof usePageEditing>;
