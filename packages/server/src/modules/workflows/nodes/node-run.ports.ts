import type { NodeRunAnswer } from '@portolan/contract/workflow-runs';
import type { Actor } from '../../../platform/actor.ts';
import type { Result, StoredNodeRun, StoredWorkflowRun } from '../runs/workflow-run.ts';
import type { NodeCall } from './node-kind.ts';

/** The call of a stored node run, with its actor as of now; undefined if it or what it is of is gone. */
export type ReadCall = (orgId: string, nodeRunId: string, signal?: AbortSignal) => Promise<NodeCall | undefined>;

export interface LogLine {
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
  readonly tags?: unknown;
}

export interface NodeRunReport {
  readonly status?: 'IN_PROGRESS' | 'COMPLETED';
  readonly result?: Result;
  readonly output?: unknown;
  readonly links?: readonly string[];
  readonly externalRunId?: string;
  readonly logs?: readonly LogLine[];
}

/** Stores a report; an equal end again is accepted. @throws AppError `not_found`, `node_run_ended` */
export type ReportNode = (actor: Actor, nodeRunId: string, report: NodeRunReport) => Promise<StoredNodeRun>;

/** What programs that execute node runs need of the engine. */
export interface NodeRunPorts {
  readonly readCall: ReadCall;
  readonly report: ReportNode;
  /** @throws AppError `not_found` unless the caller may see its run */
  find(actor: Actor, nodeRunId: string): Promise<{ readonly run: StoredWorkflowRun; readonly nodeRun: StoredNodeRun }>;
  present(actor: Actor, nodeRun: StoredNodeRun): Promise<NodeRunAnswer>;
}
