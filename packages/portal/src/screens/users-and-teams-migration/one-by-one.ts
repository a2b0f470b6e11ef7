import { useCallback, useEffect, useRef, useState } from 'react';

/** Progress of a batch; `refused` lists what was skipped and why. */
export interface Walk {
  readonly total: number;
  readonly done: number;
  readonly refused: readonly { readonly name: string; readonly message: string }[];
  readonly isOver: boolean;
}

/**
 * Writes items one after another and counts them. Refused items are skipped. Stops on request, or on unmount after the
 * current item.
 */
export function useOneByOne<Each>(
  write: (each: Each) => Promise<unknown>,
  nameOf: (each: Each) => string,
): {
  readonly walk: Walk | undefined;
  readonly begin: (all: readonly Each[]) => Promise<void>;
  readonly stop: () => void;
} {
  const [walk, setWalk] = useState<Walk>();
  const isOn = useRef(false);
  const stop = useCallback(() => {
    isOn.current = false;
  }, []);
  useEffect(() => stop, [stop]);
  return {
    walk,
    stop,
    begin: async (all) => {
      isOn.current = true;
      let now: Walk = { total: all.length, done: 0, refused: [], isOver: false };
      setWalk(now);
      for (const each of all) {
        if (!isOn.current) break;
        try {
          await write(each);
          now = { ...now, done: now.done + 1 };
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          now = { ...now, refused: [...now.refused, { name: nameOf(each), message }] };
        }
        setWalk(now);
      }
      isOn.current = false;
      setWalk({ ...now, isOver: true });
    },
  };
}
