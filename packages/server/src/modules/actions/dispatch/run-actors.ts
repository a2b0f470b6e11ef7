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
  const asSaved = async (id: string): Promise<Actor | undefined> => {
    if (id === systemActor(orgId).id) return organization;
    const person = await findActor(deps.database, orgId, { kind: 'person', id });
    return person ?? findActor(deps.database, orgId, { kind: 'machine', id });
  };
  if (run.action.definition.trigger.type === 'self-service') {
    // a run that another run started still bears the name of the person who began
    const kind = run.depth === 0 ? run.createdByKind : 'person';
    const asker = await findActor(deps.database, orgId, { kind, id: run.createdBy });
    if (asker || run.depth === 0) return asker && { ...asker, ...marks };
  }
  const action = run.actionKey === null ? undefined : await findActionByKey(deps.database, orgId, run.actionKey);
  const asker = action && (await asSaved(action.updatedBy));
  return asker && { ...asker, ...marks };
}
