import type { Environment } from '../harness/environment.ts';
import type { Finding } from '../harness/table.ts';

/** One comparison: what is named on the command line, and what it found. */
export interface Scenario {
  readonly name: string;
  run(environment: Environment, size: Size): Promise<Finding[]>;
}

/** How long to measure. */
export interface Size {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Repetitions of sequential measurements. */
  readonly repetitions: number;
  readonly entities: number;
}

export const fullSize: Size = { rounds: 7, roundMs: 3_000, warmUpMs: 4_000, repetitions: 150, entities: 10_000 };
export const quickSize: Size = { rounds: 3, roundMs: 500, warmUpMs: 600, repetitions: 20, entities: 1_000 };
