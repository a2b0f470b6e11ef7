import type { WorkflowTest } from '@portolan/contract/workflow-test';
import type { WorkflowIssue } from '@portolan/contract/workflows';
import type { Actor } from '../../../platform/actor.ts';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import type { WorkflowDefinition } from '../definitions/workflow.ts';

/** A workflow that a call of a tool drew up. It is data: nothing reads it but people who decide on it. */
export interface Proposal {
  /** `wfp_…` */
  readonly id: string;
  readonly key: number;
  /** An open one is void once it has expired. */
  readonly state: 'OPEN' | 'ACCEPTED' | 'DISMISSED';
  readonly goal: string;
  readonly identifier: string;
  readonly definition: WorkflowDefinition;
  /** The workflow that it would change, and the version that its author had seen. */
  readonly workflowKey: number | null;
  readonly baseVersion: number | null;
  readonly warnings: readonly WorkflowIssue[];
  readonly test: WorkflowTest | null;
  readonly questions: readonly string[];
  readonly invocation: string | null;
  /** The call within the invocation; the same call proposes once. */
  readonly call: string | null;
  readonly agent: string | null;
  readonly decision: CallDecision | null;
  readonly textAuthors: readonly string[];
  readonly createdBy: string;
  readonly createdByKind: Actor['kind'];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly comment: string | null;
}

export const proposalLimits = {
  /** Bytes of a proposed definition, and of the sample that it is tested with, as JSON. */
  bytes: 256 * 1024,
  /** Characters kept of what one step of the test gave. */
  outputCharacters: 2_000,
  openPerCreator: 20,
  openPerOrganization: 200,
  days: 30,
} as const;

export function isOpenAt({ state, expiresAt }: Pick<Proposal, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'OPEN' && expiresAt > now;
}
