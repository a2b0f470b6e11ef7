import type { SavedAuthority } from '../../accounts/index.ts';

/** Kinds of nodes that start a run; they have no incoming connection. */
export const triggerTypes = [
  'SELF_SERVE_TRIGGER',
  'EVENT_TRIGGER',
  'SCHEDULE_TRIGGER',
  'WEBHOOK_TRIGGER',
  'RUN_TRIGGER',
  'ITEM_TRIGGER',
] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** Kinds of nodes that Portolan carries out. `CURSOR_AGENT` is stored for others' files and fails when it runs. */
export const stepTypes = [
  'WEBHOOK',
  'KAFKA',
  'INTEGRATION_ACTION',
  'UPSERT_ENTITY',
  'AI',
  'AI_AGENT',
  'CONDITION',
  'INPUT',
  'CURSOR_AGENT',
  'DELAY',
  'TRANSFORM',
  'DELETE_ENTITY',
  'STOP',
  'FETCH',
  'RUN_ACTION',
  'NOTIFY',
  'WAIT_FOR_EVENT',
  'RUN_WORKFLOW',
  'MAP',
  'PARALLEL',
  'REPEAT',
] as const;
export type StepType = (typeof stepTypes)[number];

export type NodeConfig = { readonly type: TriggerType | StepType } & Readonly<Record<string, unknown>>;

/** A step or trigger as its author wrote it. */
export interface WorkflowNode {
  readonly identifier: string;
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly description?: string | null;
  /** Templates that replace the node's output. */
  readonly variables?: Readonly<Record<string, string>> | null;
  readonly links?: readonly string[] | null;
  readonly verbose?: boolean | null;
  /** The step outside the graph that undoes what this one did, once the run fails or is cancelled. */
  readonly compensatedBy?: string | null;
  readonly config: NodeConfig;
}

export interface WorkflowConnection {
  readonly sourceIdentifier: string;
  readonly targetIdentifier: string;
  readonly description?: string | null;
  /** Of the branching kinds `CONDITION` and `INPUT`. */
  readonly sourceOutletIdentifier?: string | null;
  /** The way of a `CONDITION` none of whose outlets is true. */
  readonly fallback?: boolean | null;
}

/** A graph without cycles in which a run is at one node at a time. */
export interface WorkflowDefinition {
  readonly identifier: string;
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly description?: string | null;
  readonly category?: string | null;
  readonly allowAnyoneToViewRuns?: boolean | null;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: readonly WorkflowConnection[];
}

/** One immutable version of a workflow. */
export interface StoredWorkflow {
  readonly key: number;
  /** `wf_…` */
  readonly id: string;
  readonly identifier: string;
  readonly version: number;
  /** `wfv_…` */
  readonly versionId: string;
  readonly definition: WorkflowDefinition;
  readonly hash: string;
  /** What its author could do when saving; its nodes act with what is left of it. */
  readonly authority: SavedAuthority;
  readonly textAuthors: readonly string[];
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}
