/** Runs reads and answers with their results in order. */
export type Together = <Result>(reads: readonly (() => Promise<Result>)[]) => Promise<Result[]>;

/**
 * Reads of one caller run one after another, and several at once while there are spare connections: all callers together
 * take no more of them than `spare`, beside one each. So one alone is fast, and many leave the pool to others. Nobody
 * waits for a spare one.
 */
export function createTogether(spare: number): Together {
  let free = spare;
  return async <Result>(reads: readonly (() => Promise<Result>)[]) => {
    const results: Result[] = [];
    let next = 0;
    const readOn = async (): Promise<void> => {
      try {
        for (let read = reads[next]; read; read = reads[next]) {
          const place = next;
          next += 1;
          results[place] = await read();
        }
      } catch (error) {
        next = reads.length;
        throw error;
      }
    };
    const helpers = Math.min(free, Math.max(0, reads.length - 1));
    free -= helpers;
    const helping = Array.from({ length: helpers }, () =>
      readOn().finally(() => {
        free += 1;
      }),
    );
    await Promise.all([readOn(), ...helping]);
    return results;
  };
}
