import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';

/** Acts on an item together with others of its key, and answers with what became of it. */
export type Gather<Item, Outcome> = (key: string, item: Item) => Promise<Outcome>;

type Enter = ReturnType<typeof AsyncLocalStorage.snapshot>;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  /** Calls in the chain of whoever brought the item; kept of the first in the queue. */
  readonly enter: Enter | undefined;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

const itemsMax = 500;

export interface GatheringOptions<Item> {
  /** Bounds an action by more than the number of its items; an item that is too heavy for it is acted on alone. */
  readonly weight?: { of(item: Item): number; readonly max: number };
  /** How long the next action waits for items after one that had several: whoever sends them needs a moment for more. */
  readonly settleMs?: number;
}

/**
 * One action at a time for each key: the first item is acted on at once, and those that arrive meanwhile make up the
 * next action, in order of arrival. So nothing waits when little happens, and actions grow instead of the queue when
 * much does. An action that fails fails for all its items. It runs in the call chain of one that waited longest, to which
 * its trace belongs.
 * @param act answers with one outcome for each item, in their order
 */
export function createGathering<Item, Outcome>(
  act: (items: readonly [Item, ...Item[]]) => Promise<readonly Outcome[]>,
  { weight, settleMs }: GatheringOptions<Item> = {},
): Gather<Item, Outcome> {
  const queues = new Map<string, Waiting<Item, Outcome>[]>();

  /** How many of the first items one action takes, at least one. */
  function countNext(queue: readonly Waiting<Item, Outcome>[]): number {
    if (!weight) return itemsMax;
    let sum = 0;
    for (const [index, { item }] of queue.entries()) {
      sum += weight.of(item);
      if (index === itemsMax || (index > 0 && sum > weight.max)) return index;
    }
    return queue.length;
  }

  async function drain(key: string, queue: Waiting<Item, Outcome>[]): Promise<void> {
    let enter: Enter = (call, ...args) => call(...args);
    while (queue.length > 0) {
      const batch = queue.splice(0, countNext(queue));
      enter = batch[0]?.enter ?? enter;
      try {
        const items = batch.map(({ item }) => item) as [Item, ...Item[]];
        const outcomes = await enter(() => act(items));
        for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (settleMs !== undefined && batch.length > 1) await setTimeout(settleMs);
    }
    queues.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      if (queue) {
        // 12 µs, so not for each
        const enter = queue.length === 0 ? AsyncLocalStorage.snapshot() : undefined;
        queue.push({ item, enter, resolve, reject });
        return;
      }
      const begun = [{ item, enter: undefined, resolve, reject }];
      queues.set(key, begun);
      void drain(key, begun);
    });
}
