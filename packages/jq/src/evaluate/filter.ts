import type { PathNode } from '../value/path.ts';
import type { JqValue } from '../value/value.ts';
import type { Run, Scope } from './run.ts';

/**
 * Every expression can be compiled in three forms, each on demand:
 * - `single`, for expressions that provably give exactly one value: a plain function, by far the fastest;
 * - `each`, which passes every value to a callback (no generator objects; stopping early is an exception);
 * - `path`, which also tracks the value's place in the input, for `path(...)` and assignments.
 */
export type Single = (run: Run, scope: Scope | null, input: JqValue) => JqValue;
export type Emit = (value: JqValue) => void;
/** Nothing is left to do; callbacks that answer something else are fine too. */
// biome-ignore lint/suspicious/noConfusingVoidType: callbacks may answer anything
export type Done = void;
export type Each = (run: Run, scope: Scope | null, input: JqValue, emit: Emit) => Done | typeof tailMark;
export type EmitPath = (path: PathNode | null, value: JqValue) => void;
export type EachPath = (run: Run, scope: Scope | null, path: PathNode | null, input: JqValue, emit: EmitPath) => void;

/** Returned by a tail call instead of making it: the caller's loop makes the call, so the stack does not grow. */
export const tailMark: unique symbol = Symbol('tail call');

/** A compiled expression; forms are compiled on first use and cached. */
export interface Filter {
  readonly isSingle: boolean;
  readonly single: Single;
  readonly each: Each;
  readonly path: EachPath;
  /** For a function body: like `single` and `each`, but tail calls return the tail mark. */
  readonly singleTail: (run: Run, scope: Scope | null, input: JqValue) => JqValue | typeof tailMark;
  readonly eachTail: Each;
}
