import type { Actor } from '../../../../platform/actor.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { FollowedWorkflow } from '../../runs/run.ts';

/** The observed state of a workflow, pipeline or invocation. */
export interface ExternalRunState {
  readonly id: string;
  readonly link?: string | undefined;
  /** Its success, once it has ended. */
  readonly end?:
    | { readonly isGood: boolean; readonly label?: string | undefined; readonly response?: unknown }
    | undefined;
}

/**
 * Polls what a run started, with the actor of the run: undefined while unknown, a sentence if it never will be known.
 * @throws OutgoingFailure
 */
export type Follower = (
  deps: ActionsDeps,
  actor: Actor,
  followed: FollowedWorkflow,
  signal: AbortSignal,
) => Promise<ExternalRunState | undefined | string>;

/** Tolerated clock skew of other services. */
export const skewMs = 10_000;

/** Undefined if it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
