import { type Actor, systemActor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { findActor, findOrganization } from '../../identity/index.ts';
import { findActionByKey } from '../action.store.ts';
import type { StoredRun } from '../runs/run.ts';

interface Deps {
  readonly database: Database;
}

/**
 * Runs act for the organization, with an administrator's rights, but under the rules that bind people: evidence and
 * managed fields stay the platform's. Undefined once the organization is gone.
 */
export async function organizationActor(deps: Deps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  if (!organization) return undefined;
  return {
    ...systemActor(orgId, organization.model),
    kind: 'machine',
    id: run.createdBy,
    origin: run.source === 'AUTOMATION' ? 'AUTOMATION' : 'API',
    runId: run.id,
  };
}

/**
 * Whose rights an assistant gets that a run asks: the person who runs the action, and for automations whoever saved it
 * last, as they stand now. An AI step must not be a way to the rights of an administrator (decisions: identity of
 * automations that invoke). What nobody saved, having come with an import, asks as the organization.
 */
export async function askerOf(deps: Deps, organization: Actor, run: StoredRun): Promise<Actor | undefined> {
  const { orgId } = organization;
  const { origin, depth, runId } = organization;
  const marks = { origin, ...(depth === undefined ? {} : { depth }), ...(runId === undefined ? {} : { runId }) };
  if (run.action.definition.trigger.type === 'self-service') {
    // a run that another run started still bears the name of the person who began
    const kind = run.depth === 0 ? run.createdByKind : 'person';
    const asker = await findActor(deps.database, orgId, { kind, id: run.createdBy });
    if (asker || run.depth === 0) return asker && { ...asker, ...marks };
  }
  const asker = await keeperOf(deps, organization, run);
  return asker && { ...asker, ...marks };
}

/**
 * The organization as a run may start others in its name: with the rights of whoever saved the action last, as they
 * stand now, and never more. Undefined once they, or the action, are gone.
 */
export async function starterOf(deps: Deps, organization: Actor, run: StoredRun): Promise<Actor | undefined> {
  const keeper = await keeperOf(deps, organization, run);
  return keeper && { ...organization, roles: keeper.roles, teamKeys: keeper.teamKeys };
}

/** Who stands behind an action: whoever saved it last. What nobody saved, having come with an import, is the organization's. */
async function keeperOf(deps: Deps, organization: Actor, { actionKey }: StoredRun): Promise<Actor | undefined> {
  const { orgId } = organization;
  const action = actionKey === null ? undefined : await findActionByKey(deps.database, orgId, actionKey);
  if (!action) return undefined;
  const id = action.updatedBy;
  if (id === systemActor(orgId).id) return organization;
  const person = await findActor(deps.database, orgId, { kind: 'person', id });
  return person ?? findActor(deps.database, orgId, { kind: 'machine', id });
}
