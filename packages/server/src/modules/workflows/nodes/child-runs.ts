import type { TextAuthor } from '../../../platform/text-authors.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';

/** A run that a step begins. */
export interface NewChild {
  readonly workflow: StoredWorkflow;
  /** The way to the body that it follows; null for the whole workflow. */
  readonly body: readonly string[] | null;
  readonly triggerNode: string;
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly index: number;
  /** Of what its form made of the inputs, beside those of the call. */
  readonly authors?: readonly TextAuthor[];
}

/** The step waits for the runs that it begins. */
export interface BegunChildren {
  readonly kind: 'children';
  readonly runs: readonly NewChild[];
  /** How many of them go on at a time, in their order. */
  readonly atOnce: number;
  readonly input?: unknown;
}

/** A run that a step began, as far as it has come. */
export interface Child {
  readonly id: string;
  readonly index: number;
  readonly isEnded: boolean;
  /** Whether it has made its first transition. */
  readonly isBegun: boolean;
  readonly result: 'SUCCESS' | 'FAILED' | 'CANCELLED' | null;
  readonly message: string | null;
  readonly endedAt: Date | null;
}

export interface Children {
  readonly all: readonly Child[];
  /** What the last step of each ended one gave, by its index. */
  readOutputs(): Promise<ReadonlyMap<number, unknown>>;
}

/** The step goes on waiting. */
export interface GoesOn {
  readonly kind: 'goes-on';
  /** Those that may go on, if they have not. */
  readonly sendOn?: readonly Child[];
  readonly begins?: NewChild;
  /** When it looks again by itself. */
  readonly dueAt?: Date;
}

/** Why a child that did not succeed failed the step. */
export function failureOfChild(what: string, { result, message }: Child): string {
  if (result === 'CANCELLED') return `${what} was cancelled`;
  return `${what} failed: ${message ?? 'no reason is known'}`;
}

/** The children in their order, of which only so many are open at a time. */
export function inWindow(children: readonly Child[], atOnce: number): readonly Child[] {
  return children.filter(({ isEnded }) => !isEnded).slice(0, atOnce);
}
