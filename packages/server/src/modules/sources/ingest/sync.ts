import type { ImportCounts } from '@portolan/contract/imports';
import type { SourceProblem, SourceSync, SyncCounts } from '@portolan/contract/sources';
import type { JqValue } from '@portolan/jq';
import type { ColumnPlan, CsvForm } from '@portolan/tables';
import type { IngestOptions } from '../../entities/index.ts';

/** How the bodies of a sync are written. */
export interface WritingOptions {
  readonly mode: 'merge' | 'replace' | 'create';
  readonly missingTargets: 'refuse' | 'create' | 'omit';
  readonly onError: 'continue' | 'stop';
  /** For lines that name none. */
  readonly blueprint?: string | undefined;
  /** Of an import of CSV. */
  readonly table?: ImportedTable | undefined;
}

/** How the rows of a table are read, so that another request goes on as the first began. */
export interface ImportedTable extends ColumnPlan {
  readonly form: CsvForm;
  readonly headings: readonly string[];
}

export type Counts = SyncCounts & Pick<ImportCounts, 'waiting'>;

/** One pass over a source, or one import. */
export interface StoredSync {
  readonly key: number;
  readonly id: string;
  /** Null for an import that belongs to no source. */
  readonly sourceKey: number | null;
  readonly mode: SourceSync['mode'];
  readonly isPlan: boolean;
  readonly status: SourceSync['status'] | 'open' | 'undone';
  readonly options: WritingOptions;
  /** Lines, or items, that are counted. */
  readonly lines: number;
  readonly chunks: number;
  readonly counts: Counts;
  /** Where the next page begins. */
  readonly cursor: JqValue | null;
  /** What the next pass of changes begins with, once this one has ended. */
  readonly nextState: JqValue | null;
  readonly isWhole: boolean;
  readonly note: string | null;
  readonly problem: SourceSync['problem'];
  readonly startedAt: Date;
  readonly touchedAt: Date;
  readonly endedAt: Date | null;
  readonly createdBy: string;
}

export const noCounts: Counts = {
  read: 0,
  created: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  waiting: 0,
  deleted: 0,
  released: 0,
  marked: 0,
  contested: 0,
  problems: 0,
  requests: 0,
};

export function addCounts(counts: Counts, more: Partial<Counts>): Counts {
  const sum = { ...counts };
  for (const name of Object.keys(more) as (keyof Counts)[]) sum[name] += more[name] ?? 0;
  return sum;
}

/** A problem of a sync; `line` counts lines of an import. */
export interface SyncProblem {
  readonly severity: SourceProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly itemKey?: string | undefined;
  readonly blueprint?: string | undefined;
  readonly identifier?: string | undefined;
  readonly place?: SourceProblem['place'] | undefined;
}

export function ingestOptions({ mode, missingTargets }: WritingOptions): Omit<IngestOptions, 'isPlanned'> {
  return {
    mode: mode === 'merge' ? 'merge' : 'replace',
    expects: mode === 'create' ? 'new' : 'either',
    createMissingRelated: missingTargets === 'create',
  };
}
