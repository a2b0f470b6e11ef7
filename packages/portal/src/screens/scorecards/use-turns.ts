import { useCallback, useEffect, useState } from 'react';

const atOnce = 3;

/** Lets rows ask for their own figures a few at a time, in the order in which they are shown. */
export function useTurns(names: readonly string[]) {
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const onSettled = useCallback((name: string) => setSettled((before) => new Set([...before, name])), []);
  const turns = new Set(names.filter((name) => !settled.has(name)).slice(0, atOnce));
  return { mayRead: (name: string) => settled.has(name) || turns.has(name), onSettled };
}

/** Ends the turn of a row once its figures have come, or failed. */
export function useTurnEnd(
  name: string,
  { data, isError }: { readonly data: unknown; readonly isError: boolean },
  onSettled: (name: string) => void,
): void {
  const isSettled = data !== undefined || isError;
  useEffect(() => {
    if (isSettled) onSettled(name);
  }, [isSettled, name, onSettled]);
}
