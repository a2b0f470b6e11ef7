import type { Budget } from '../budget.ts';
import type { BudgetLimit, SourcePosition } from '../errors.ts';
import type { JqValue } from '../value/value.ts';

/** One evaluation asked for. */
export interface BatchItem {
  readonly expression: string;
  readonly input: JqValue;
  readonly variables?: Readonly<Record<string, JqValue>>;
}

export type BatchErrorKind = 'syntax' | 'runtime' | 'budget' | 'refused' | 'internal';

/** An error as it crosses threads: the message, and what the kind of error adds to it. */
export interface BatchError {
  readonly kind: BatchErrorKind;
  readonly message: string;
  readonly limit?: BudgetLimit | 'deadline' | 'memory';
  readonly position?: SourcePosition;
  readonly value?: JqValue;
}

export type BatchResult =
  | { readonly ok: true; readonly outputs: JqValue[] }
  | { readonly ok: false; readonly error: BatchError };

/** To the worker: items with their place in the batch, and the budget every one of them gets. */
export interface WorkRequest {
  readonly id: number;
  readonly items: readonly BatchItem[];
  readonly budget: Partial<Budget>;
  readonly firstOnly: boolean;
  /** Counts finished items; shared, so that the pool sees how far a stuck worker came. */
  readonly progress: Int32Array;
}

export interface WorkAnswer {
  readonly id: number;
  readonly results: readonly BatchResult[];
}
