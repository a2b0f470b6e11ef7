import type { ActionPolicy } from '@portolan/contract/action-policy';
import { toRecord } from '@portolan/contract/json-value';
import type { JqValue } from '@portolan/jq';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import type { ResolveTeams } from '../../accounts/index.ts';
import { evaluateActionPolicy, policyUser } from '../../policies/index.ts';
import { type Grant, namedBy } from '../../rights/index.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { meetsPolicy, type QueryPolicy } from './meets-policy.ts';
import { findTriggerGrants } from './trigger.store.ts';
import type { StoredWorkflow, WorkflowNode } from './workflow.ts';

/** Who may start a run by a form, as written. */
export interface TriggerPermissions {
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
  readonly teams?: readonly string[];
  readonly policy?: ActionPolicy | QueryPolicy;
}

/** The permissions of a node of a checked definition; empty ones if it has none. */
export function readPermissions(node: WorkflowNode | undefined): TriggerPermissions {
  const written = toRecord(node?.config['permissions']);
  return Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== null && value !== undefined),
  ) as TriggerPermissions;
}

/** The lists as they are asked later: teams by key, so that a team made later under a name is granted nothing. */
export function toGrant({ users, roles, teams }: TriggerPermissions, resolve: ResolveTeams): Grant {
  return { users: users ?? [], roles: roles ?? [], teams: resolve(teams ?? []).references };
}

/** The inputs of a form as policies read them; absent before there are any. */
type FormValues = Readonly<Record<string, unknown>> | undefined;

/** What lets somebody start a workflow: being an administrator, a list of its form, or the policy of the form. */
export type StartRule = 'admin' | 'role' | 'team' | 'user' | 'policy';

/** Decides who may start which workflow, for one actor. */
export interface StartRights {
  /** What lets the actor start a run by this trigger, with these inputs if they are known; undefined if nothing does. */
  ruleFor(workflow: StoredWorkflow, node: WorkflowNode, form?: FormValues): Promise<StartRule | undefined>;
  /** Whether the actor may start a run by this trigger, with these inputs if they are known. */
  mayStart(workflow: StoredWorkflow, node: WorkflowNode, form?: FormValues): Promise<boolean>;
  /** Whether a published trigger of the workflow is open to the actor, or they may change it. */
  maySee(workflow: StoredWorkflow): Promise<boolean>;
}

export async function startRights(
  deps: Pick<DefinitionsDeps, 'catalog' | 'clock'>,
  reader: Reader,
  actor: Actor,
  workflowKeys?: readonly number[],
): Promise<StartRights> {
  const grants = isAdmin(actor) ? new Map() : await grantsByTrigger(reader, actor.orgId, workflowKeys);
  let user: Promise<JqValue> | undefined;
  const ruleFor: StartRights['ruleFor'] = async (workflow, node, form) => {
    if (isAdmin(actor)) return 'admin';
    const grant = grants.get(nameTrigger(workflow.key, node.identifier));
    const list = grant && namedBy(actor, grant);
    if (list) return list;
    const { policy } = readPermissions(node);
    if (!policy) return undefined;
    if ('rules' in policy) {
      user ??= policyUser(deps.catalog, actor);
      return meetsPolicy(policy, { user: await user, form }) ? 'policy' : undefined;
    }
    const outcome = await evaluateActionPolicy(deps.catalog, actor, 'execute', policy, {
      blueprint: null,
      action: { identifier: workflow.identifier, node: node.identifier },
      inputs: (form ?? {}) as JqValue,
      trigger: { at: deps.clock.now().toISOString(), user: { email: actor.userId ?? null } },
    });
    return outcome.isGranted ? 'policy' : undefined;
  };
  const mayStart: StartRights['mayStart'] = async (...asked) => (await ruleFor(...asked)) !== undefined;
  return {
    ruleFor,
    mayStart,
    async maySee(workflow) {
      if (isAdmin(actor)) return true;
      for (const node of publishedForms(workflow)) if (await mayStart(workflow, node)) return true;
      return false;
    },
  };
}

/** Triggers with a form that are open to somebody. */
export function publishedForms({ definition }: Pick<StoredWorkflow, 'definition'>): readonly WorkflowNode[] {
  return definition.nodes.filter(isPublishedForm);
}

export function isPublishedForm({ config }: WorkflowNode): boolean {
  return config.type === 'SELF_SERVE_TRIGGER' && config['published'] !== false;
}

function nameTrigger(workflowKey: number, node: string): string {
  return `${workflowKey} ${node}`;
}

async function grantsByTrigger(reader: Reader, orgId: string, keys: readonly number[] | undefined) {
  const rows = await findTriggerGrants(reader, orgId, keys);
  return new Map(rows.map(({ workflowKey, node, permitted }) => [nameTrigger(workflowKey, node), permitted]));
}
