import { useState } from 'react';
import { useSession } from '../../api/session.ts';

/** Which manual items were looked at, by their stable ids; kept in this browser, through every new plan. */
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
        // a browser without storage keeps them while the page is open
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
