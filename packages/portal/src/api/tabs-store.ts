import type { PositionStore } from '@portolan/contract/position';

/** A text that the tabs of this browser share; none where the browser keeps nothing. */
export function tabsStore(key: string): PositionStore {
  return {
    read: () => {
      try {
        return localStorage.getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    keep: (text) => {
      try {
        localStorage.setItem(key, text);
      } catch {
        // this tab goes on with its own
      }
    },
  };
}
