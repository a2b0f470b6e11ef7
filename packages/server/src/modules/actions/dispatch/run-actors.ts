import { type Actor, systemActor } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import type { Reader } from '../../../platform/db/database.ts';
import {
  actWith,
  authorityToday,
  findActor,
  findOrganization,
  type SavedAuthority,
  savedAuthorityOf,
} from '../../identity/index.ts';
import { findActionByKey } from '../action.store.ts';
import type { StoredRun } from '../runs/run.ts';

interface Deps {
  readonly database: Reader;
}

/**
 * The platform keeping a run's own record: its status, its log, what came of telling its approvers. Nothing that people
 * wrote is carried out with it. Undefined once the organization is gone.
 */
export async function bookkeeperOf(deps: Deps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  if (!organization) return undefined;
  return { ...systemActor(orgId, organization.model), ...marksOf(run), kind: 'machine' };
}

/**
 * What a run acts as: it bears the name of whoever asked, with the rights of whoever saved the action last, as far as
 * they had them then and have them today. Undefined once nobody stands behind the action, or the organization is gone.
 */
export async function runActor(deps: Deps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  return organization && runActorIn(deps, { orgId, model: organization.model }, run);
}

/** The same in an organization that was read already. */
export async function runActorIn(
  deps: Deps,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  run: StoredRun,
): Promise<Actor | undefined> {
  const authority = await authorityOfRun(deps, orgId, run);
  return authority && actWith(authority, { orgId, model, datasource: 'portolan', ...marksOf(run) });
}

/** What is left today of the authority that a run was made with. */
async function authorityOfRun(deps: Deps, orgId: string, run: StoredRun): Promise<SavedAuthority | undefined> {
  const saved = run.authority ?? (await authorityOfBefore(deps, orgId, run));
  return saved && authorityToday(deps.database, orgId, saved);
}

/** A run from before that was kept: its action's, unless that is another by now. */
async function authorityOfBefore({ database }: Deps, orgId: string, { actionKey, action: snapshot }: StoredRun) {
  const action = actionKey === null ? undefined : await findActionByKey(database, orgId, actionKey);
  return action?.version === snapshot.version ? savedAuthorityOf(database, orgId, action) : undefined;
}

/** Says why a run of an action that nobody stands behind any more does nothing, and what to do. */
export function nobodyBehind({ actionIdentifier, authority }: StoredRun): string {
  const who = authority ? `"${authority.by.id}", who saved it last,` : 'Whoever saved it last';
  return `Nobody stands behind the action "${actionIdentifier}" any more: ${who} was removed or disabled. Somebody who may do what it does has to save it again`;
}

/**
 * Whose rights an assistant gets that a run asks: the person who runs the action, with no more than they ran it with, and
 * for automations whoever saved it last. An AI step must not be a way to the rights of an administrator (compatibility
 * choices, Actions).
 */
export async function askerOf(deps: Deps, caller: Actor, run: StoredRun): Promise<Actor | undefined> {
  const { orgId, origin, depth, runId } = caller;
  const marks = { origin, ...(depth === undefined ? {} : { depth }), ...(runId === undefined ? {} : { runId }) };
  if (run.action.definition.trigger.type === 'self-service') {
    // a run that another run started still bears the name of the person who began
    const kind = run.depth === 0 ? run.createdByKind : 'person';
    const asker = await findActor(deps.database, orgId, { kind, id: run.createdBy });
    if (asker) return { ...(run.requestedWith ? limitTo(asker, run.requestedWith) : asker), ...marks };
    if (run.depth === 0) return undefined;
  }
  const by = caller.standsBehind;
  if (by === undefined || by.kind === 'system') return caller;
  const editor = await findActor(deps.database, orgId, by);
  return editor && { ...limitTo(editor, caller), ...marks };
}

function marksOf({ id, createdBy, source }: StoredRun) {
  return { id: createdBy, origin: source === 'AUTOMATION' ? 'AUTOMATION' : 'API', runId: id } as const;
}
