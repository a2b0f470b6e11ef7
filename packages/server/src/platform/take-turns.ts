/** Called between steps of work that never waits; something to await once others are due. */
export type TakeTurns = () => Promise<void> | undefined;

/**
 * Lets requests and jobs of this process go on between the steps of long work: at the first call after each `ms` of it.
 * Where awaiting nothing is dear, because there are very many steps, look at the result before.
 */
export function createTurns(ms: number): TakeTurns {
  let since = performance.now();
  return () => {
    if (performance.now() - since < ms) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}
