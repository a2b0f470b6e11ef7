import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { coversAuthority, unscopedAuthority } from '../../../platform/authority.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { findActor } from '../../accounts/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { checkStart } from '../definitions/start-form.ts';
import { startRights } from '../definitions/trigger-rights.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import type { AskedRun } from './asked-run.ts';

/** Who may do what with a draft, as read before any lock. */
export interface DraftStanding {
  /** The current version; undefined once the workflow is deleted. */
  readonly workflow: StoredWorkflow | undefined;
  readonly requester: Actor | undefined;
  /** Whether the requester may still start the workflow with these inputs. */
  readonly requesterMay: boolean;
}

export async function readStanding(deps: DefinitionsDeps, orgId: string, asked: AskedRun): Promise<DraftStanding> {
  const workflow = await findCurrentByKey(deps.database, orgId, asked.workflowKey);
  const requester = await findRequester(deps.database, orgId, asked);
  const requesterMay =
    workflow !== undefined && requester !== undefined && (await mayStart(deps, requester, workflow, asked));
  return { workflow, requester, requesterMay };
}

export function findRequester(reader: Reader, orgId: string, asked: AskedRun): Promise<Actor | undefined> {
  return findActor(reader, orgId, { kind: asked.createdByKind, id: asked.createdBy });
}

async function mayStart(deps: DefinitionsDeps, requester: Actor, workflow: StoredWorkflow, asked: AskedRun) {
  if (!scopesCover(requester.scopes, 'execute:actions')) return false;
  return checkStart(deps, requester, workflow, asked.triggerNode, asked.inputs).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );
}

/** Whoever may start the workflow with these inputs may decide, for themselves and for others. */
export async function mayDecideOn(
  deps: Pick<DefinitionsDeps, 'database' | 'catalog' | 'clock'>,
  actor: Actor,
  workflow: StoredWorkflow | undefined,
  asked: AskedRun,
): Promise<boolean> {
  if (isAdmin(actor)) return true;
  const node = workflow?.definition.nodes.find(({ identifier }) => identifier === asked.triggerNode);
  if (!workflow || !node) return false;
  const rights = await startRights(deps, deps.database, actor, [workflow.key]);
  return rights.mayStart(workflow, node, asked.inputs);
}

/** True if the actor still has all the roles and teams read before. */
export function isAsMuch(now: Actor | undefined, seen: Actor | undefined): boolean {
  if (!now || !seen) return false;
  return coversAuthority(unscopedAuthority(now), unscopedAuthority(seen));
}
