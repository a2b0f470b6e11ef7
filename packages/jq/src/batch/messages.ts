import type { Budget } from '../budget.ts';
import type { BudgetLimit, SourcePosition } from '../errors.ts';
import type { JqValue } from '../value/value.ts';

export interface BatchItem {
  readonly expression: string;
  readonly input: JqValue;
  readonly variables?: Readonly<Record<string, JqValue>>;
}

export type BatchErrorKind = 'syntax' | 'runtime' | 'budget' | 'refused' | 'internal';

/** An error as sent between threads: its message and the fields of its class. */
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

/** A request to the worker: items with their index in the batch, and the budget of each. */
export interface WorkRequest {
  readonly id: number;
  readonly items: readonly BatchItem[];
  readonly budget: Partial<Budget>;
  readonly firstOnly: boolean;
  /** Count of finished items, shared so that the pool knows how far a stuck worker got. */
  readonly progress: Int32Array;
}

export interface WorkAnswer {
  readonly id: number;
  readonly results: readonly BatchResult[];
}
