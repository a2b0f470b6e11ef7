import type { Actor } from '../../../platform/actor.ts';

/** Something to be done for a run of an action or a node of a workflow, with its templates rendered. */
export interface Errand {
  /** Of the run: the idempotency key of every try. */
  readonly id: string;
  /** With the rights of whoever saved what is done here; writes record the run. */
  readonly actor: Actor;
  /** As its author wrote it: what templates filled in reaches less. */
  readonly written: Readonly<Record<string, unknown>>;
  /** The same rendered, with secrets. */
  readonly method: Readonly<Record<string, unknown>>;
  /** What templates read, without secrets. */
  readonly context: unknown;
  /** How many runs started one another up to this one. */
  readonly depth: number;
  /** The actor with whose rights an assistant is asked; undefined if there is none any more. */
  readonly asker: (caller: Actor) => Promise<Actor | undefined>;
  readonly signal: AbortSignal;
  /** Of one call; that of all outgoing requests unless told. */
  readonly timeoutMs?: number;
  /** Of ours, beside those of the author. */
  readonly headers?: Readonly<Record<string, string>>;
}
