import type { BlueprintPatch } from '@portolan/contract/blueprints';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { deleteBlueprintWithin, listBlueprintRows, patchWithin, type StoredBlueprint } from '../../blueprints/index.ts';
import { deleteAppWithin, findAppWithin } from '../../identity/index.ts';
import { deleteIntegrationWithin, findIntegration } from '../../integrations/index.ts';
import { deleteInstallRow, lockInstall } from './install.store.ts';
import type { InstallsDeps } from './installs.deps.ts';
import type { MadeBlueprint } from './made-blueprint.ts';

export interface RemovedInstall {
  readonly removed: string[];
  readonly kept: { readonly identifier: string; readonly reason: string }[];
}

/**
 * Ends the credentials and deletes the integration, and of the blueprints it created those that are as they were, empty,
 * and pointed at by no others. Entities stay.
 * @throws AppError `not_found`, `credential_in_use`
 */
export function deleteInstall(
  { unitOfWork, blueprints }: InstallsDeps,
  actor: Actor,
  id: string,
): Promise<RemovedInstall> {
  return unitOfWork(actor, async (work) => {
    const { tx } = work;
    const install = await lockInstall(tx, actor.orgId, id);
    if (!install) throw notFound('Install', id);
    if (await findAppWithin(work, install.clientId)) await deleteAppWithin(work, install.clientId);
    if (await findIntegration(tx, actor.orgId, id)) await deleteIntegrationWithin(work, id);
    await deleteInstallRow(tx, actor.orgId, id);
    return removeBlueprints(
      blueprints,
      work,
      install.created.filter(({ change }) => change === 'create'),
    );
  });
}

/** Those that others point at stay, and so does what they point at; relations among those that go do not count. */
async function removeBlueprints(
  deps: InstallsDeps['blueprints'],
  work: Work,
  made: readonly MadeBlueprint[],
): Promise<RemovedInstall> {
  const kept = new Map<string, string>();
  const all = await listBlueprintRows(work.tx, work.actor.orgId);
  const stored = all.filter(({ identifier }) => made.some((each) => each.identifier === identifier));
  for (const blueprint of stored) {
    const reason = await reasonToKeep(deps, work, blueprint, made);
    if (reason !== undefined) kept.set(blueprint.identifier, reason);
  }
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const { identifier } of stored) {
      const user = all.find((other) => isKept(other, stored, kept) && pointsAt(other, identifier));
      if (user && !kept.has(identifier)) kept.set(identifier, `"${user.identifier}" points at it`);
    }
  }
  const leaving = stored.filter(({ identifier }) => !kept.has(identifier));
  for (const blueprint of leaving) await patchWithin(deps, work, blueprint.identifier, withoutComputed(blueprint));
  for (const blueprint of leaving) await patchWithin(deps, work, blueprint.identifier, withoutRelations(blueprint));
  for (const { identifier } of leaving) await deleteBlueprintWithin(deps, work, identifier, { withActions: false });
  return {
    removed: leaving.map(({ identifier }) => identifier),
    kept: [...kept].map(([identifier, reason]) => ({ identifier, reason })),
  };
}

async function reasonToKeep(
  { listener }: InstallsDeps['blueprints'],
  work: Work,
  blueprint: StoredBlueprint,
  made: readonly MadeBlueprint[],
): Promise<string | undefined> {
  if (await listener.hasEntities(work.tx, blueprint)) return 'It has entities';
  if (made.find(({ identifier }) => identifier === blueprint.identifier)?.version !== blueprint.version) {
    return 'It was changed since';
  }
  try {
    // does nothing where there are no actions, and refuses where there are
    await listener.leave(work, blueprint, false);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'has_dependents') return 'It has actions';
    throw error;
  }
}

function isKept(
  { identifier }: StoredBlueprint,
  stored: readonly StoredBlueprint[],
  kept: ReadonlyMap<string, string>,
): boolean {
  return kept.has(identifier) || !stored.some((each) => each.identifier === identifier);
}

function pointsAt({ identifier, definition }: StoredBlueprint, target: string): boolean {
  const { relations = {}, aggregationProperties = {} } = definition;
  const targets = [...Object.values(relations), ...Object.values(aggregationProperties)].map((each) => each.target);
  return identifier !== target && targets.includes(target);
}

function withoutComputed({ definition }: StoredBlueprint): BlueprintPatch {
  const { mirrorProperties, calculationProperties, aggregationProperties } = definition;
  return {
    mirrorProperties: cleared(mirrorProperties),
    calculationProperties: cleared(calculationProperties),
    aggregationProperties: cleared(aggregationProperties),
    ...(definition.ownership ? { ownership: null } : {}),
  };
}

function withoutRelations({ definition }: StoredBlueprint): BlueprintPatch {
  return { relations: cleared(definition.relations) };
}

function cleared(map: object = {}): Record<string, null> {
  return Object.fromEntries(Object.keys(map).map((key) => [key, null]));
}
