import type { Authority } from '../../../platform/authority.ts';
import type { SavedAuthority } from '../../accounts/index.ts';

export type RunStatus = 'IN_PROGRESS' | 'CANCELLING' | 'COMPLETED';
export type Result = 'SUCCESS' | 'FAILED' | 'CANCELLED';

export interface StatusLabel {
  readonly text: string;
  readonly variant?: 'success' | 'alert';
}

/** A run of one version of a workflow. It is at one node run at a time. */
export interface StoredWorkflowRun {
  /** `wfr_…` */
  readonly id: string;
  readonly workflowKey: number;
  readonly workflowIdentifier: string;
  readonly version: number;
  readonly status: RunStatus;
  readonly result: Result | null;
  readonly statusLabel: StatusLabel | null;
  readonly message: string | null;
  /** What it said before it said which compensations failed; null where it does not say so. */
  readonly messageBefore: { readonly message: string | null } | null;
  readonly atNodeRun: string | null;
  /** Every transition is a compare-and-set on it. */
  readonly rev: number;
  readonly triggerNode: string;
  /** Null of runs from before it was kept. */
  readonly triggerKind: string | null;
  /** The entity that it is about: of its event, or of its form. */
  readonly blueprint: string | null;
  readonly entity: string | null;
  /** Inputs of the form (encrypted ones sealed), the event, or the tick: `.outputs.trigger`. */
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly depth: number;
  readonly rootId: string;
  readonly causedBy: string | null;
  /** The run whose steps it took over. */
  readonly rerunOf: string | null;
  /** The run and its step that began this one. */
  readonly parentRun: string | null;
  readonly parentNodeRun: string | null;
  /** Place among the children of the step, from 0. */
  readonly itemIndex: number | null;
  /** The way to the body that it follows in the place of the whole definition. */
  readonly body: readonly string[] | null;
  /** How many parents it has. */
  readonly nesting: number;
  readonly cancel: 'graceful' | 'force' | null;
  /** What it ends as once its steps are compensated; null while it goes forward. */
  readonly endsAs: Result | null;
  /** The run of a body whose steps it compensates, in the place of steps of its own. */
  readonly compensates: string | null;
  readonly cancelledBy: string | null;
  /** Who had compensations that failed carried out again, last. */
  readonly repeatedBy: string | null;
  readonly steps: number;
  readonly bytes: number;
  readonly authority: SavedAuthority;
  readonly textAuthors: readonly string[];
  readonly requestedWith: Authority | null;
  readonly idempotencyKey: string | null;
  /** What was asked with the key. */
  readonly idempotencyHash: string | null;
  readonly createdBy: string;
  readonly createdByKind: 'person' | 'machine' | 'system';
  readonly impersonatedBy: string | null;
  readonly deadlineAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}

/** All but `ENDED` are `IN_PROGRESS` on the wire. */
export type Phase =
  | 'READY'
  | 'DISPATCHING'
  | 'RETRY_AT'
  | 'WAIT_REPORT'
  | 'WAIT_RESPONSE'
  | 'WAIT_TIME'
  | 'WAIT_CHILD'
  | 'ENDED';

/** One attempt at one node. */
export interface StoredNodeRun {
  /** `wfnr_…` */
  readonly id: string;
  readonly runId: string;
  readonly step: number;
  readonly node: string;
  readonly attempt: number;
  readonly type: string;
  readonly phase: Phase;
  readonly result: Result | null;
  readonly outlet: string | null;
  /** It failed, and the run goes on all the same. */
  readonly goesOn: boolean;
  /** It ends the whole run. */
  readonly endsRun: 'SUCCESS' | 'FAILED' | null;
  readonly statusLabel: StatusLabel | null;
  readonly message: string | null;
  /** What the node gave. */
  readonly raw: unknown;
  /** What the node's variables made of it; null where they are the same. */
  readonly output: unknown;
  /** The rendered request or form, with secrets masked. */
  readonly input: unknown;
  readonly links: readonly string[];
  readonly tries: number;
  readonly installationId: string | null;
  readonly claimedUntil: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly externalRunId: string | null;
  readonly dueAt: Date | null;
  readonly responders: Responders | null;
  /** The node run that was carried out, of one that a re-run took over. */
  readonly copiedFrom: string | null;
  /** The node run that it undoes, or failed to. */
  readonly compensates: string | null;
  /** It failed to undo it, and another attempt takes its place. */
  readonly isRepeated: boolean;
  /** The idempotency key of its calls where it is not its own id. */
  readonly callKey: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Who may respond to an `INPUT`, as resolved when it began to wait; asked again at the response. */
export interface Responders {
  /** E-mails, lower case. */
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly teams: readonly string[];
  readonly excluded: readonly string[];
}
