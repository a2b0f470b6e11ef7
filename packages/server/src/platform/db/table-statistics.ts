import type { Database } from './database.ts';
import type { EngineLog } from './engine.ts';
import { analyzeTable, listOutgrown } from './table-statistics.store.ts';

/**
 * Has tables analyzed soon after they have grown. Until then the planner takes a table for as small as it was, and
 * sessions keep the plans they made then: an import into an empty catalog read the whole organization for each
 * entity. PostgreSQL itself looks once a minute, and the embedded engine never does.
 */
export interface TableStatistics {
  /** Says that so many records were committed; now and then that leads to a look at the tables. */
  note(records: number): void;
  /** Resolves when no look is under way; there is none afterwards. */
  close(): Promise<void>;
}

export interface TableStatisticsPorts {
  readonly database: Database;
  readonly log: EngineLog;
  readonly limits?: Partial<typeof common>;
}

const common = {
  /** Records of this process between two looks. */
  recordsMin: 500,
  /** Time from those records to the look: sessions report what they changed once a second. */
  waitMs: 1_500,
  /** Rows that have to be new or changed since a table was analyzed. */
  rowsMin: 500,
  /** Time from the start to a first look; none without it. */
  firstMs: undefined as number | undefined,
};
/** Nobody else ever analyzes the tables of the embedded engine, and a restart forgets how they have grown. */
const limitsDefault = {
  postgres: common,
  embedded: { ...common, recordsMin: 50, rowsMin: 50, firstMs: 3_000 },
};

export function createTableStatistics({ database, log, limits = {} }: TableStatisticsPorts): TableStatistics {
  const { recordsMin, waitMs, rowsMin, firstMs } = { ...limitsDefault[database.engine.kind], ...limits };
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  const look = async (): Promise<void> => {
    try {
      for (const name of await listOutgrown(database, rowsMin)) {
        if (isClosed) return;
        await analyzeTable(database, name);
      }
    } catch (error) {
      log.warn({ error }, 'tables that have grown could not be analyzed');
    }
  };

  const lookIn = (milliseconds: number): void => {
    timer = setTimeout(() => {
      timer = undefined;
      looking = look().finally(() => {
        looking = undefined;
      });
    }, milliseconds);
    timer.unref();
  };

  if (firstMs !== undefined) lookIn(firstMs);
  return {
    note(count) {
      records += count;
      if (records < recordsMin || timer || looking || isClosed) return;
      records = 0;
      lookIn(waitMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
