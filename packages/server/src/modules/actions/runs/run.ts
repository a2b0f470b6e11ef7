import type { ActionRun, RunDraft, RunStatus } from '@portolan/contract/action-runs';
import type { Authority } from '../../../platform/authority.ts';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import type { SavedAuthority } from '../../accounts/index.ts';
import type { ActionDefinition } from '../action.ts';
import { presentAuthority } from '../action-authority.ts';

export interface ActionSnapshot {
  readonly id: string;
  readonly version: number;
  readonly definition: ActionDefinition;
}

/** A workflow of GitHub, or a pipeline of another service, that a run started. */
export interface FollowedWorkflow {
  /** GitHub by default. */
  readonly service?: 'GITLAB' | 'AZURE_DEVOPS';
  /** Owner of `repo`: an organization at GitHub and Azure DevOps, a group at GitLab. */
  readonly org: string;
  readonly repo: string;
  readonly workflow: string;
  readonly ref: string;
  /** When it was started; older workflows belong to other starts. */
  readonly since: string;
  readonly id?: string;
}

/** An invocation that a run asked for and waits for. */
export interface FollowedInvocation {
  readonly service: 'INVOCATION';
  readonly since: string;
  readonly id: string;
}

export type FollowedWork = FollowedWorkflow | FollowedInvocation;

/** The requester of a run; their rights are checked again before execution. */
export interface Requester {
  readonly id: string;
  readonly kind: 'machine' | 'person' | 'system';
}

export interface RunInvocation {
  readonly id: string;
  readonly call: string;
  readonly agent?: string;
}

export interface StoredRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly statusLabel: string | null;
  /** Null if the action is deleted. */
  readonly actionKey: number | null;
  readonly actionIdentifier: string;
  readonly action: ActionSnapshot;
  /** The action's authority at that time; null for older runs. */
  readonly authority: SavedAuthority | null;
  /** The requester's authority at that time. */
  readonly requestedWith: Authority | null;
  /** Who changed it as a draft or asked for it beside the requester: they approve nothing of it. */
  readonly editedBy: readonly string[];
  readonly blueprint: string | null;
  readonly entity: string | null;
  /** Inputs with defaults; encrypted ones in their stored form. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly source: 'UI' | 'API' | 'AUTOMATION';
  readonly link: readonly string[];
  readonly summary: string | null;
  readonly externalRunId: string | null;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly response: readonly unknown[] | null;
  readonly draft: RunDraft | null;
  /** Set if an assistant created the run. */
  readonly invocation: RunInvocation | null;
  /** What the assistant's call was decided by. */
  readonly decision: CallDecision | null;
  readonly requiredApproval: { readonly type: 'ALL' | 'ANY' } | null;
  readonly event: unknown;
  readonly installationId: string | null;
  readonly claimedUntil: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly dispatchedAt: Date | null;
  /** Length of the chain of runs that led to this one. */
  readonly depth: number;
  /** External work that the platform polls; its end ends the run. */
  readonly followed: FollowedWork | null;
  readonly createdBy: string;
  readonly createdByKind: Requester['kind'];
  readonly impersonatedBy: string | null;
  readonly updatedBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

export interface Approval {
  readonly userId: string;
  readonly gate: 'DRAFT' | 'APPROVAL';
  readonly state: 'APPROVED' | 'DECLINED';
  readonly description: string | null;
}

/** Presents a run; the older version has only identifiers of action, blueprint and entity (api contract §3.6.1). */
export function presentRun(
  run: StoredRun,
  version: string | undefined,
  approvals: readonly Approval[] = [],
): ActionRun {
  const isNew = version === 'v2';
  const { title, icon } = run.action.definition;
  const decided = approvals.at(-1);
  const shown = {
    identifier: run.actionIdentifier,
    ...(title ? { title } : {}),
    ...(icon ? { icon } : {}),
    ...(run.actionKey === null ? { deleted: true } : {}),
  };
  const reference = (identifier: string | null) => (identifier === null || !isNew ? identifier : { identifier });
  return {
    id: run.id,
    status: run.status,
    ...(run.statusLabel === null ? {} : { statusLabel: run.statusLabel }),
    action: isNew ? shown : run.actionIdentifier,
    blueprint: reference(run.blueprint),
    entity: reference(run.entity),
    properties: run.properties as ActionRun['properties'],
    source: run.source,
    requiredApproval: run.requiredApproval ?? { type: 'ANY' },
    ...(decided
      ? { approval: { description: decided.description ?? '', userId: decided.userId, state: decided.state } }
      : {}),
    link: [...run.link],
    ...(run.summary === null ? {} : { summary: run.summary }),
    ...(run.payload === null ? {} : { payload: run.payload as NonNullable<ActionRun['payload']> }),
    ...(run.response === null ? {} : { response: run.response as NonNullable<ActionRun['response']> }),
    ...(run.installationId === null
      ? {}
      : {
          installationId: run.installationId,
          pendingExecution: run.status === 'IN_PROGRESS' && run.acknowledgedAt === null,
          claimedUntil: run.claimedUntil?.toISOString() ?? null,
        }),
    ...(run.externalRunId === null ? {} : { externalRunId: run.externalRunId }),
    ...(run.draft === null ? {} : { draft: run.draft }),
    ...(run.authority === null ? {} : { authority: presentAuthority(run.authority) }),
    ...(run.invocation === null ? {} : { invocation: presentOrigin(run.invocation) }),
    ...(run.decision === null ? {} : { decision: run.decision as NonNullable<ActionRun['decision']> }),
    endedAt: run.endedAt?.toISOString() ?? null,
    createdBy: run.createdBy,
    ...(run.impersonatedBy === null ? {} : { impersonatedBy: run.impersonatedBy }),
    updatedBy: run.updatedBy,
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
  };
}

function presentOrigin({ id, call, agent }: RunInvocation): NonNullable<ActionRun['invocation']> {
  return { identifier: id, toolCall: call, ...(agent === undefined ? {} : { agent }) };
}
