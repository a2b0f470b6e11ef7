import { isDeepStrictEqual } from 'node:util';
import type { UsersAndTeamsSuggestion } from '@portolan/contract/users-and-teams';
import {
  applyEdits,
  type EditedPlace,
  editedPlaces,
  editsBack,
  holdsEdited,
  type JsonObject,
  type ManualItem,
  type Resource,
  valueAt,
} from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { rehearse } from '../../../platform/rehearse.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { Permitted } from '../../accounts/index.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { deleteAcceptances } from './acceptance.store.ts';
import { changeDocument, type DocumentDeps } from './change-document.ts';
import { findManualItem, findMigration, lockMigration } from './migration.store.ts';
import { isUnderWay, type StoredMigration } from './migration.ts';
import { deleteApplied, findApplied, putApplied } from './suggestion.store.ts';

type Deps = DocumentDeps & Pick<MigrationsDeps, 'database' | 'unitOfWork'>;

export interface ApplyOptions {
  /** Applies the suggestion, returns the result, and rolls back. */
  readonly isDryRun: boolean;
}

/**
 * Applies the suggestion for one item that the migration left to people, through the use case of its document.
 * Idempotent.
 * @throws AppError `not_found` (the item, or its document), `not_migrated`, `migration_in_progress`, `stale_version` if
 * the value has changed, `invalid_request` if the item has no suggestion, and any refusal of the use case
 */
export async function applySuggestion(
  { unitOfWork, ...deps }: Deps,
  actor: Permitted<Actor>,
  itemId: string,
  { isDryRun }: ApplyOptions,
): Promise<UsersAndTeamsSuggestion> {
  const item = await requireItem(deps.database, actor.orgId, itemId);
  const apply = (work: Work) => applyWithin(deps, work, item);
  if (!isDryRun) return unitOfWork(actor, apply);
  return { ...(await rehearse(unitOfWork, actor, apply)), applied: null };
}

/** Like `applySuggestion`, within the caller's unit of work; `by` is stored as the person who applied it. */
export async function applyWithin(
  deps: DocumentDeps,
  work: Work,
  item: ManualItem,
  by = work.actor.id,
): Promise<UsersAndTeamsSuggestion> {
  const { tx, actor, now } = work;
  const { id: itemId, resource, suggestion } = item;
  const migration = await lockedMigration(work);
  if (!suggestion) {
    const message = `Nothing is suggested for this place of ${resourceName(resource)}: change it by hand`;
    throw new AppError('invalid_request', message, { details: [{ path: '/item_id', message }] });
  }
  const before = await findApplied(tx, actor.orgId, migration.id, itemId);
  let places: EditedPlace[] = [];
  await changeDocument(deps, withSuggestionRecord(work, migration), resource, (document) => {
    if (before && holdsEdited(document, before.places)) return undefined;
    assertAsPlanned(document, item);
    places = editedPlaces(document, suggestion.edits);
    return applyEdits(document, suggestion.edits);
  });
  if (before && places.length === 0) return present(before, { at: before.appliedAt, by: before.appliedBy });
  const applied = { itemId, resource, places, appliedAt: now, appliedBy: by };
  await putApplied(tx, actor.orgId, migration.id, applied);
  return present(applied, { at: now, by });
}

/** The value is still as it was when the migration began, and the accompanying edits do not overwrite other values. */
function assertAsPlanned(document: JsonObject, { pointer, before, resource, suggestion }: ManualItem): void {
  const others = (suggestion?.edits ?? []).filter((edit) => edit.pointer !== pointer);
  const isKept = isDeepStrictEqual(valueAt(document, pointer) ?? null, before);
  const isFree = others.every((edit) => {
    const there = valueAt(document, edit.pointer);
    return there === undefined || isDeepStrictEqual(there, edit.value);
  });
  if (!isKept || !isFree) throw stale(resource);
}

/**
 * Reverts an applied suggestion; other changes of the document stay.
 * @throws AppError as `applySuggestion`; `not_found` if it was not applied
 */
export async function revertSuggestion(
  { unitOfWork, ...deps }: Deps,
  actor: Permitted<Actor>,
  itemId: string,
): Promise<UsersAndTeamsSuggestion> {
  return unitOfWork(actor, async (work) => {
    const migration = await lockedMigration(work);
    const applied = await findApplied(work.tx, actor.orgId, migration.id, itemId);
    if (!applied) throw notFound('Applied suggestion', itemId, 'item_id');
    await revertChange(deps, withSuggestionRecord(work, migration), applied);
    await deleteApplied(work.tx, actor.orgId, migration.id, itemId);
    // its acceptance goes too, so that the next migration does not apply it
    await deleteAcceptances(work.tx, actor.orgId, [itemId]);
    return present(applied, null);
  });
}

/** Restores the edited values if they are still as the suggestion left them. @throws AppError `stale_version` */
export async function revertChange(
  deps: DocumentDeps,
  work: Work,
  { resource, places }: { readonly resource: Resource; readonly places: readonly EditedPlace[] },
): Promise<void> {
  await changeDocument(deps, work, resource, (document) => {
    if (!holdsEdited(document, places)) throw stale(resource);
    return applyEdits(document, editsBack(places));
  });
}

function stale(resource: Resource): AppError {
  const message = `${resourceName(resource)} was changed since: read GET …/verify again, and change it by hand`;
  return new AppError('stale_version', message);
}

function resourceName({ kind, identifier }: Resource): string {
  return `The ${kind.replace('-', ' ')} "${identifier}"`;
}

async function requireItem(reader: Reader, orgId: string, itemId: string): Promise<ManualItem> {
  const migration = await findMigration(reader, orgId);
  if (!migration) throw notMigrated();
  const item = await findManualItem(reader, orgId, migration.id, itemId);
  if (!item) throw notFound('Item', itemId, 'item_id');
  return item as ManualItem;
}

/**
 * Locks the migration and requires that its new model is in force.
 * @throws AppError `not_migrated`, `migration_in_progress`
 */
async function lockedMigration({ tx, actor }: Work): Promise<StoredMigration> {
  const migration = await lockMigration(tx, actor.orgId);
  if (!migration) throw notMigrated();
  const isLeaving = migration.stage === 'UNDOING' || migration.followUp.isUndone === true;
  if (migration.flippedAt !== null && !isLeaving && migration.status !== 'ROLLED_BACK') return migration;
  if (isUnderWay(migration)) throw new AppError('migration_in_progress', 'The migration is under way');
  throw notMigrated();
}

function notMigrated(): AppError {
  return new AppError('not_migrated', 'Suggestions are for after the migration, and users and teams are no blueprints');
}

/** Adds the migration as the reason to every record. */
function withSuggestionRecord(work: Work, { id }: StoredMigration): Work {
  return {
    ...work,
    record: (entry) =>
      work.record({
        ...entry,
        context: { ...entry.context, migrationId: id },
        message: 'A suggestion of the migration of users and teams',
      }),
  };
}

function present(
  { itemId, resource, places }: { itemId: string; resource: Resource; places: readonly EditedPlace[] },
  applied: { readonly at: Date; readonly by: string } | null,
): UsersAndTeamsSuggestion {
  const { kind, identifier, title } = resource;
  return {
    itemId,
    resource: { kind, identifier, title },
    changes: places.map(({ pointer, before = null, after = null }) => ({ pointer, before, after })),
    applied: applied && { at: applied.at.toISOString(), by: applied.by },
  } as UsersAndTeamsSuggestion;
}
