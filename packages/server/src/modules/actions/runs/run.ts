import type { ActionRun, RunDraft, RunStatus } from '@portolan/contract';
import type { Authority } from '../../../platform/authority.ts';
import type { SavedAuthority } from '../../identity/index.ts';
import type { ActionDefinition } from '../action.ts';
import { presentAuthority } from '../action-authority.ts';

/** The action as it was when the run was made; it survives the action. */
export interface ActionSnapshot {
  readonly id: string;
  readonly version: number;
  readonly definition: ActionDefinition;
}

/** A workflow of GitHub, or a pipeline of another service, that a run started. */
export interface FollowedWorkflow {
  /** GitHub unless told. */
  readonly service?: 'GITLAB' | 'AZURE_DEVOPS';
  /** Organization and repository, group and project, or organization and project. */
  readonly org: string;
  readonly repo: string;
  readonly workflow: string;
  readonly ref: string;
  /** When it was asked for; workflows that began before are others. */
  readonly since: string;
  /** Its number, once it is known. */
  readonly id?: string;
}

/** An invocation of an assistant that a run asked for, and waits for. */
export interface FollowedInvocation {
  readonly service: 'INVOCATION';
  readonly since: string;
  readonly id: string;
}

export type Followed = FollowedWorkflow | FollowedInvocation;

/** Who runs, for whom rights are asked again before anything happens. */
export interface Requester {
  readonly id: string;
  readonly kind: 'machine' | 'person' | 'system';
}

/** The tool call of an invocation that a run came from. */
export interface RunInvocation {
  readonly id: string;
  readonly call: string;
  readonly agent?: string;
}

/** A run as the module works with it. */
export interface StoredRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly statusLabel: string | null;
  /** Null once the action is gone. */
  readonly actionKey: number | null;
  readonly actionIdentifier: string;
  readonly action: ActionSnapshot;
  /** What the action was saved with, as it was then; null for runs from before that was kept. */
  readonly authority: SavedAuthority | null;
  /** What whoever asked for it could do then. */
  readonly requestedWith: Authority | null;
  /** Who changed its inputs while it was a draft. */
  readonly editedBy: readonly string[];
  readonly blueprint: string | null;
  readonly entity: string | null;
  /** Inputs with their defaults; encrypted ones as they are stored. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly source: 'UI' | 'API' | 'AUTOMATION';
  readonly link: readonly string[];
  readonly summary: string | null;
  readonly externalRunId: string | null;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly response: readonly unknown[] | null;
  readonly draft: RunDraft | null;
  /** Null where no assistant had a part in it. */
  readonly invocation: RunInvocation | null;
  readonly requiredApproval: { readonly type: 'ALL' | 'ANY' } | null;
  readonly event: unknown;
  readonly installationId: string | null;
  readonly claimedUntil: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly dispatchedAt: Date | null;
  /** How many runs, each started by the one before, led to this one. */
  readonly depth: number;
  /** The workflow or invocation whose end becomes that of the run, where the platform looks for it. */
  readonly followed: Followed | null;
  readonly createdBy: string;
  readonly createdByKind: Requester['kind'];
  readonly impersonatedBy: string | null;
  readonly updatedBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

/** A decision that was taken on a run. */
export interface Approval {
  readonly userId: string;
  readonly gate: 'DRAFT' | 'APPROVAL';
  readonly state: 'APPROVED' | 'DECLINED';
  readonly description: string | null;
}

/** The run as it is answered; the older version names the action, blueprint and entity alone (api contract §3.6.1). */
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
