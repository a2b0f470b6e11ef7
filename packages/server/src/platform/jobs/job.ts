import type { z } from 'zod';
import type { Reader } from '../db/database.ts';
import type { EachRecord } from './each-record.ts';

/** One kind of background work, as data. Handlers may run twice: each says in a line why that is harmless. */
export interface JobDeclaration<Input extends z.ZodType = z.ZodType> {
  /** `module.verb-noun`, unique. */
  readonly name: string;
  /** Parsed when enqueued and again when run: queued work outlives the code that wrote it. */
  readonly input: Input;
  readonly attempts: number;
  readonly timeoutMs: number;
  /**
   * Waiting jobs of one organization with an equal key become one: the first to be taken runs, the others go. Work
   * enqueued while it runs is not lost, it runs again.
   */
  dedupeBy?(input: z.output<Input>): string;
  /**
   * Whether it mostly waits for others on the network. Such jobs have places of their own, so that those who answer
   * slowly take none from the rest.
   */
  readonly waitsOutside?: true;
  /** Runs by itself at this interval, once per interval across all replicas; the input is `{}`, `orgId` is empty. */
  readonly everyMs?: number;
  /** Asked once the interval has passed. As long as there is none the job is not due, and nothing is written. */
  hasWork?(reader: Reader, now: Date): Promise<boolean>;
  run(input: z.output<Input>, context: JobContext): Promise<void>;
}

/** The part of a declaration that enqueuing needs. */
export type JobHead<Input extends z.ZodType = z.ZodType> = Pick<
  JobDeclaration<Input>,
  'name' | 'input' | 'attempts' | 'dedupeBy'
>;

export interface JobContext {
  readonly orgId: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Aborted when the time is up or the process stops; the job is then taken as failed, or handed to another process. */
  readonly signal: AbortSignal;
  /** Handles records of several organizations without one holding up another. */
  readonly each: EachRecord;
}

/** Thrown by a job that cannot run yet: it runs again at that moment, and the attempt does not count. */
export class Postponed extends Error {
  readonly until: Date;

  constructor(until: Date, message: string) {
    super(message);
    this.name = 'Postponed';
    this.until = until;
  }
}

export function defineJob<Input extends z.ZodType>(declared: JobDeclaration<Input>): JobDeclaration<Input> {
  return declared;
}
