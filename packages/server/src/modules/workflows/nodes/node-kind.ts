import type { Actor } from '../../../platform/actor.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import type { Responders, StatusLabel, StoredNodeRun, StoredWorkflowRun } from '../runs/workflow-run.ts';
import type { BegunChildren, Children, GoesOn } from './child-runs.ts';

/** What a node may read when the run reaches it. */
export interface NodeCall {
  readonly workflow: StoredWorkflow;
  readonly run: StoredWorkflowRun;
  readonly nodeRun: StoredNodeRun;
  readonly node: WorkflowNode;
  /** Outputs of the ended nodes of this run, by node; `trigger` is that of the trigger. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Named after the requester, with what is left of the version's authority; writes record the run. */
  readonly actor: Actor;
  /** One moment for the whole step, the database's. */
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** What the engine stores of a node. Everything in it is masked by then. */
export type NodeOutcome =
  | {
      readonly kind: 'ended';
      readonly result: 'SUCCESS' | 'FAILED';
      /** As the node gave it; the engine applies `variables` afterwards. */
      readonly raw?: unknown;
      /** Required of a branching node that succeeded; null where no way leads on. */
      readonly outlet?: string | null;
      readonly statusLabel?: StatusLabel;
      readonly workflowStatusLabel?: StatusLabel;
      /** A sentence for readers of the run; required if failed. */
      readonly message?: string;
      readonly input?: unknown;
      readonly links?: readonly string[];
      readonly log?: readonly string[];
      /** Of a failed node with `onFailure: continue`: the run goes on along its connection. */
      readonly goesOn?: true;
      /** Ends the whole run here (`STOP`). */
      readonly endsRun?: 'SUCCESS' | 'FAILED';
    }
  | {
      readonly kind: 'waits';
      readonly for: 'report' | 'response' | 'time';
      /** When the engine goes on by itself: the wait ends (`time`), or the deadline passes. */
      readonly dueAt: Date;
      readonly input?: unknown;
      readonly raw?: unknown;
      readonly links?: readonly string[];
      readonly externalRunId?: string;
      readonly installationId?: string;
      readonly responders?: Responders;
      readonly log?: readonly string[];
    }
  | {
      /** The call failed in a way that may pass. */
      readonly kind: 'again';
      readonly message: string;
      readonly input?: unknown;
      /** Where the receiver said when. */
      readonly notBefore?: Date;
    };

export type EndedNode = Extract<NodeOutcome, { kind: 'ended' }>;

/** How a kind of node is carried out. */
export type NodeKind =
  /** Reads at most; the outcome is stored by the engine. */
  | {
      readonly effect: 'none';
      /** Asks nothing but what the run knows, so that whoever starts the run may wait for it. */
      readonly computes?: true;
      plan(call: NodeCall): Promise<NodeOutcome>;
    }
  /**
   * Writes in our database: `settle` stores the outcome in the same transaction, and throws where the run has moved on,
   * so that neither is kept. Answers the outcome where nothing was written.
   */
  | {
      readonly effect: 'ours';
      carryOut(
        call: NodeCall,
        settle: (work: Work, outcome: NodeOutcome) => Promise<void>,
      ): Promise<NodeOutcome | 'settled'>;
    }
  /** Begins runs in the transaction in which it begins to wait for them. */
  | {
      readonly effect: 'children';
      begin(call: NodeCall): Promise<EndedNode | BegunChildren>;
      /** What becomes of it as its children are; asked again whenever one has ended. */
      count(call: NodeCall, children: Children): Promise<EndedNode | GoesOn>;
    }
  /** Calls somebody else: at least once, always with the same idempotency key. */
  | { readonly effect: 'outside'; send(call: NodeCall): Promise<NodeOutcome> };

export type NodeKinds = Readonly<Record<string, NodeKind>>;
