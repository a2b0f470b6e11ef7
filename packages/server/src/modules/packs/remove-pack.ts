import { deleteAction } from '@portolan/contract/actions';
import { blueprintPatch, patchBlueprint } from '@portolan/contract/blueprints';
import { deleteEntity } from '@portolan/contract/entities';
import { deletePage } from '@portolan/contract/pages';
import { deleteScorecard } from '@portolan/contract/scorecards';
import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { AppError } from '../../platform/errors.ts';
import { requireScope } from '../../platform/scopes.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { deleteActionWithin } from '../actions/index.ts';
import { deleteBlueprintWithin, patchWithin } from '../blueprints/index.ts';
import { deleteEntitiesWithin } from '../entities/index.ts';
import { deletePageWithin } from '../pages/index.ts';
import { deleteScorecardWithin } from '../scorecards/index.ts';
import { foundPack, patchParts, recordPack } from './install-pack.ts';
import { type Definitions, readDefinitions } from './installed-definitions.ts';
import { deletePack, listEntityIdentifiers, listInstalledPacks, listMadeItems, lockPacks } from './pack.store.ts';
import { type Item, isPart } from './pack-item.ts';
import type { PacksDeps } from './packs.deps.ts';
import { planRemoval, type RemovalChoices } from './plan-removal.ts';

/** A token that may not delete something itself does not delete it with a pack. */
const neededToRemove = [patchBlueprint, deleteScorecard, deleteAction, deletePage];

/**
 * Deletes what the pack made and nobody changed or uses, all or nothing, with the rights of the caller. What stays is
 * from then on the organization's own.
 * @throws AppError `not_found` if it is not installed, and as the functions that delete blueprints, entities, scorecards,
 * actions and pages
 */
export function removePack(deps: PacksDeps, actor: Actor, id: string, choices: RemovalChoices) {
  const pack = foundPack(deps, id);
  for (const operation of neededToRemove) requireScope(actor, operation);
  if (Object.keys(choices.deleteEntities).length > 0) requireScope(actor, deleteEntity);
  return deps.unitOfWork(actor, async (work) => {
    const { orgId } = actor;
    await lockPacks(work.tx, orgId);
    assertInstalled(id, await listInstalledPacks(work.tx, orgId));
    const definitions = await readDefinitions(work.tx, orgId);
    const made = await listMadeItems(work.tx, orgId);
    const { listener } = deps.blueprints;
    const planned = await planRemoval(work.tx, orgId, id, { definitions, made, listener }, choices);
    const going = planned.filter(({ change }) => change === 'removed').map(({ item }) => item);
    await deleteItems(deps, work, definitions, going);
    await deletePack(work.tx, orgId, id);
    recordPack(work, pack, 'DELETE');
    return planned;
  });
}

/** @throws AppError `not_found` */
export function assertInstalled(id: string, installed: readonly { readonly pack: string }[]): void {
  if (installed.some(({ pack }) => pack === id)) return;
  throw new AppError('not_found', `The starter model "${id}" is not installed`);
}

/** The reverse of how they were made. */
async function deleteItems(deps: PacksDeps, work: Work, definitions: Definitions, going: readonly Item[]) {
  for (const { identifier } of going.filter(({ kind }) => kind === 'page')) await deletePageWithin(work, identifier);
  for (const { identifier } of going.filter(({ kind }) => kind === 'action')) {
    await deleteActionWithin(work, identifier);
  }
  for (const { kind, blueprint, identifier } of going) {
    if (kind === 'scorecard') await deleteScorecardWithin(deps.catalog, work, blueprint, identifier);
  }
  const blueprints = going.filter(({ kind }) => kind === 'blueprint').map(({ identifier }) => identifier);
  for (const identifier of blueprints) await deleteAllEntities(work, definitions, identifier);
  const parts = groupBy(going.filter(isPart), ({ blueprint }) => blueprint);
  for (const identifier of blueprints) {
    // it may lie over a relation that goes before the blueprint does
    const { ownership } = definitions.blueprints.get(identifier)?.definition ?? {};
    if (ownership?.type === 'Inherited') {
      await patchWithin(deps.blueprints, work, identifier, blueprintPatch.parse({ ownership: null }));
    }
  }
  for (const [identifier, all] of parts) {
    await patchParts(
      deps,
      work,
      identifier,
      all.filter(({ kind }) => kind !== 'property' && kind !== 'relation'),
      true,
    );
  }
  for (const [identifier, all] of parts) {
    const properties = blueprints.includes(identifier) ? [] : all.filter(({ kind }) => kind === 'property');
    await patchParts(deps, work, identifier, [...properties, ...all.filter(({ kind }) => kind === 'relation')], true);
  }
  for (const identifier of blueprints) {
    await deleteBlueprintWithin(deps.blueprints, work, identifier, { withActions: false });
  }
}

/** The plan lets a blueprint go only if it has no entities, or as many as somebody confirmed. */
async function deleteAllEntities(work: Work, { blueprints }: Definitions, identifier: string): Promise<void> {
  const blueprint = blueprints.get(identifier);
  if (!blueprint) return;
  const identifiers = await listEntityIdentifiers(work.tx, work.actor.orgId, blueprint.key);
  if (identifiers.length === 0) return;
  await deleteEntitiesWithin(work, identifier, identifiers, { deleteDependents: false });
}
