import type { Actor } from '../../../../platform/actor.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { FollowedWorkflow } from '../../runs/run.ts';

export interface ExternalRunState {
  readonly id: string;
  readonly link?: string | undefined;
  readonly end?:
    | {
        readonly isGood: boolean;
        readonly label?: string | undefined;
        readonly response?: unknown;
        /** The whole answer of an assistant. */
        readonly text?: string | undefined;
      }
    | undefined;
}

/**
 * Polls the work that a run started, with the actor of the run. Returns undefined while its state is unknown, and a
 * sentence if it will stay unknown.
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

/** Returns undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
