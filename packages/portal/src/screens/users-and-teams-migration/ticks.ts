import { useState } from 'react';
import { useSession } from '../../api/session.ts';

/** Reviewed manual items by stable id, stored in this browser so that they survive a new plan. */
export function useTicks(): {
  readonly isTicked: (id: string) => boolean;
  readonly tick: (id: string, isOn: boolean) => void;
} {
  const { organization } = useSession();
  const key = `portolan-migration-reviewed ${organization.id}`;
  const [ticked, setTicked] = useState(() => read(key));
  return {
    isTicked: (id) => ticked.has(id),
    tick: (id, isOn) => {
      const next = new Set([...ticked, ...read(key)]);
      if (isOn) next.add(id);
      else next.delete(id);
      setTicked(next);
      try {
        localStorage.setItem(key, JSON.stringify([...next]));
      } catch {
        // storage is disabled: the ticks last as long as the page
      }
    },
  };
}

function read(key: string): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []);
  } catch {
    return new Set();
  }
}
