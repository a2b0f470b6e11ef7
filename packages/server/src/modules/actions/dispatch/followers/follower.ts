import type { Actor } from '../../../../platform/actor.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { FollowedWorkflow } from '../../runs/run.ts';

/** How a workflow, a pipeline or an invocation goes on. */
export interface Seen {
  readonly id: string;
  readonly link?: string | undefined;
  /** Whether it was good, once it has ended. */
  readonly end?:
    | { readonly isGood: boolean; readonly label?: string | undefined; readonly response?: unknown }
    | undefined;
}

/**
 * Looks at what a run started, as whom the run acts: undefined while that cannot be told, a sentence if it never will be.
 * @throws OutgoingFailure
 */
export type Follower = (
  deps: ActionsDeps,
  actor: Actor,
  followed: FollowedWorkflow,
  signal: AbortSignal,
) => Promise<Seen | undefined | string>;

/** Clocks of others may be behind by this much. */
export const skewMs = 10_000;

/** JSON, or undefined for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
