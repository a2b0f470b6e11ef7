import { type IndexedValue, type Slot, writeSlot } from '../../entity-query/index.ts';

/** Uses since the last flush. */
export interface Use extends IndexedValue {
  readonly uses: number;
}

/** Counts in memory, so that a search never waits for a write; a crash loses the counts since the last flush. */
export interface UseCounter {
  note(orgId: string, blueprintKey: number, slot: Slot): void;
  /** Saves the counts; on failure they are kept for the next flush. */
  flush(): Promise<void>;
  /** Flushes once more and stops counting. */
  close(): Promise<void>;
}

export interface UseCounterPorts {
  save(uses: readonly Use[]): Promise<void>;
  readonly log: { warn(context: object, message: string): void };
}

const flushMs = 30_000;
/** Bound on memory: further values before the next flush are not counted. */
const valuesMax = 10_000;

export function createUseCounter({ save, log }: UseCounterPorts): UseCounter {
  let counts = new Map<string, Use>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const add = ({ uses, ...value }: Use): void => {
    const key = JSON.stringify([value.orgId, value.blueprintKey, value.slot]);
    const known = counts.get(key);
    if (known === undefined && counts.size >= valuesMax) return;
    counts.set(key, { ...value, uses: uses + (known?.uses ?? 0) });
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const saved = counts;
    if (saved.size === 0) return;
    counts = new Map();
    try {
      await save([...saved.values()]);
    } catch (error) {
      log.warn({ error }, 'how often values were searched by could not be saved; it is counted on');
      for (const use of saved.values()) add(use);
    }
  };

  return {
    note(orgId, blueprintKey, slot) {
      if (isClosed) return;
      add({ orgId, blueprintKey, slot: writeSlot(slot), uses: 1 });
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
    async close() {
      isClosed = true;
      await flush();
    },
  };
}
