import { type Actor, systemActor } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { actWith, authorityToday, findActor, findSavedAuthority, type SavedAuthority } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { findActionByKey } from '../action.store.ts';
import type { StoredRun } from '../runs/run.ts';

interface Deps {
  readonly database: Reader;
}

/**
 * The actor for the run's own record: status, log, notification of approvers. It never executes anything that people
 * wrote. Undefined once the organization is deleted.
 */
export async function findBookkeepingActor(deps: Deps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  if (!organization) return undefined;
  return { ...systemActor(orgId, organization.model), ...toRunMarks(run), kind: 'machine' };
}

/**
 * The actor of a run: named after the requester, with the rights that the action's last author had when saving it and
 * still has. Undefined if that author is removed or disabled, or the organization is deleted.
 */
export async function runActor(deps: Deps, orgId: string, run: StoredRun): Promise<Actor | undefined> {
  const organization = await findOrganization(deps.database, orgId);
  return organization && runActorIn(deps, { orgId, model: organization.model }, run);
}

/** Like `runActor`, for an organization already read. */
export async function runActorIn(
  deps: Deps,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  run: StoredRun,
): Promise<Actor | undefined> {
  const authority = await authorityOfRun(deps, orgId, run);
  return authority && actWith(authority, { orgId, model, datasource: 'portolan', ...toRunMarks(run) });
}

/** The part still held today of the authority that the run was created with. */
async function authorityOfRun(deps: Deps, orgId: string, run: StoredRun): Promise<SavedAuthority | undefined> {
  const saved = run.authority ?? (await authorityOfBefore(deps, orgId, run));
  return saved && authorityToday(deps.database, orgId, saved);
}

/** For older runs: the authority of their action, unless the action has changed since. */
async function authorityOfBefore({ database }: Deps, orgId: string, { actionKey, action: snapshot }: StoredRun) {
  const action = actionKey === null ? undefined : await findActionByKey(database, orgId, actionKey);
  return action?.version === snapshot.version ? findSavedAuthority(database, orgId, action) : undefined;
}

/** The message for a run whose action has no active author, with the remedy. */
export function nobodyBehind({ actionIdentifier, authority }: StoredRun): string {
  const who = authority ? `"${authority.by.id}", who saved it last,` : 'Whoever saved it last';
  return `Nobody stands behind the action "${actionIdentifier}" any more: ${who} was removed or disabled. Somebody who may do what it does has to save it again`;
}

/**
 * The actor with which a run asks an assistant: the person who runs the action, limited to the authority they ran it
 * with; for automations, their last author. An AI step must not be a way to administrators' rights (compatibility
 * choices, Actions).
 */
export async function findAssistantActor(deps: Deps, caller: Actor, run: StoredRun): Promise<Actor | undefined> {
  const { orgId, origin, depth, runId } = caller;
  const marks = { origin, ...(depth === undefined ? {} : { depth }), ...(runId === undefined ? {} : { runId }) };
  if (run.action.definition.trigger.type === 'self-service') {
    // runs started by runs carry the name of the person who started the first
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

function toRunMarks({ id, createdBy, source }: StoredRun) {
  return { id: createdBy, origin: source === 'AUTOMATION' ? 'AUTOMATION' : 'API', runId: id } as const;
}
