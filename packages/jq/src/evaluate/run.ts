import type { Budget } from '../budget.ts';
import { type BudgetLimit, JqBudgetError } from '../errors.ts';
import type { RegexEngine } from '../regex/regex-engine.ts';
import type { JqValue } from '../value/value.ts';
import type { Filter } from './filter.ts';

const stepsBetweenClockReads = 1_024;

/** Variables and closure arguments of one activation, innermost first. Cells never change, so closures may keep them. */
export interface Scope {
  readonly value: unknown;
  readonly parent: Scope | null;
}

/** An argument passed by name: the filter and the scope it was written in. */
export interface Closure {
  readonly filter: Filter;
  readonly scope: Scope | null;
}

/** A jq error inside the engine; without a stack trace, because programs raise and catch them in loops. */
export class Raised {
  readonly value: JqValue;

  constructor(value: JqValue) {
    this.value = value;
  }
}

/** An active `label`, `first` or `limit`; thrown to leave it. */
export class Exit {
  readonly isExit = true;
}

/** Counts the spending of one evaluation. Everything that loops or allocates in proportion to data reports here. */
export class Run {
  readonly budget: Budget;
  readonly regex: RegexEngine;
  /** Set by a tail call just before it returns the tail mark; read by the calling loop. */
  tailBody: Filter | undefined;
  tailScope: Scope | null = null;
  tailInput: JqValue = null;
  private readonly startedMs: number;
  private steps = 0;
  private nextLook: number;
  private depth = 0;
  private allocatedBytes = 0;
  private readonly depthMax: number;
  private readonly clock: Date | undefined;
  private nowRead: number | undefined;

  constructor(budget: Budget, regex: RegexEngine, clock: Date | undefined) {
    this.budget = budget;
    this.regex = regex;
    this.clock = clock;
    this.startedMs = performance.now();
    this.depthMax = budget.depthMax;
    this.nextLook = Math.min(stepsBetweenClockReads, budget.stepsMax + 1);
  }

  /** Milliseconds since the epoch, for `now`; constant within an evaluation. */
  get nowMs(): number {
    this.nowRead ??= this.clock?.getTime() ?? Date.now();
    return this.nowRead;
  }

  get stepsSpent(): number {
    return this.steps;
  }

  step(): void {
    if (++this.steps >= this.nextLook) this.look();
  }

  /** Spends `count` steps at once, for work in proportion to the size of a value. */
  spend(count: number): void {
    this.steps += count;
    if (this.steps >= this.nextLook) this.look();
  }

  enter(): void {
    if (++this.depth > this.depthMax) throw new JqBudgetError('depth', this.depthMax);
    if (++this.steps >= this.nextLook) this.look();
  }

  leave(): void {
    this.depth--;
  }

  /** The depth to restore when an exception leaves a call. */
  get depthNow(): number {
    return this.depth;
  }

  set depthNow(depth: number) {
    this.depth = depth;
  }

  /** Call before building or copying an array or object of `length` slots. */
  checkArray(length: number): void {
    if (length > this.budget.arrayLengthMax) throw this.exceeded('arrayLength');
    this.allocate(length * 8 + 32);
    this.spend(length >> 3);
  }

  /** Call before, or at the latest right after, building a string of `length` units. */
  checkString(length: number): void {
    if (length > this.budget.stringLengthMax) throw this.exceeded('stringLength');
    if (length > 256) {
      this.allocate(length);
      this.spend(length >> 6);
    }
  }

  allocate(bytes: number): void {
    this.allocatedBytes += bytes;
    if (this.allocatedBytes > this.budget.allocatedBytesMax) throw this.exceeded('allocatedBytes');
  }

  remainingMs(): number {
    return this.budget.wallTimeMs - (performance.now() - this.startedMs);
  }

  private look(): void {
    if (this.steps > this.budget.stepsMax) throw this.exceeded('steps');
    if (this.remainingMs() < 0) throw this.exceeded('wallTime');
    this.nextLook = Math.min(this.steps + stepsBetweenClockReads, this.budget.stepsMax + 1);
  }

  private exceeded(limit: BudgetLimit): JqBudgetError {
    const field = limit === 'wallTime' ? 'wallTimeMs' : `${limit}Max`;
    return new JqBudgetError(limit, this.budget[field as Exclude<keyof Budget, 'allowsNul'>]);
  }
}
