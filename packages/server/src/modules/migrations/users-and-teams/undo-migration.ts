import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '@portolan/contract/errors';
import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { type Permitted, unchanged } from '../../accounts/index.ts';
import { countServiceAccounts, listAllTeams, setTeamIdentifiers } from '../../accounts/maintenance.ts';
import {
  blueprintProperties,
  blueprintRelations,
  listBlueprintRows,
  listDerivedKeys,
  type StoredBlueprint,
} from '../../blueprints/index.ts';
import { deleteBlueprintRow, lockBlueprintsInOrder, restoreBlueprint } from '../../blueprints/maintenance.ts';
import { dueAfterTeams, lockDerivation } from '../../derived/maintenance.ts';
import { lockModel, setMigrationPhase, setModel } from '../../organizations/maintenance.ts';
import { dropBlueprintPages } from '../../pages/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { findMigration, type Image, listImages, lockMigration, updateMigration } from './migration.store.ts';
import type { StartedMigration } from './migration.ts';
import { isUnderWay, type StoredMigration } from './migration.ts';
import { deleteOldRelations } from './old-relations.store.ts';
import { dropBlueprintEntities } from './people-entities.store.ts';
import { listUnreturnable, restoreTeams } from './restore-teams.store.ts';
import type { RunMigration } from './run-migration.types.ts';

type Definition = StoredBlueprint['definition'];

const listedMax = 100;

/**
 * Starts to undo the migration: the old model is back within seconds, and later writes are kept.
 * @throws AppError `not_found`, `migration_in_progress`; `not_undoable` after the window, or with a list of everything
 * that the old model cannot hold
 */
export async function startUndo(
  deps: MigrationsDeps & { readonly runJob: RunMigration },
  actor: Permitted<Actor>,
): Promise<StartedMigration> {
  const { database, unitOfWork, runJob, clock } = deps;
  const known = await findMigration(database, actor.orgId);
  if (!known) throw notFound('Migration', actor.orgId, 'organization');
  if (known.status === 'ROLLED_BACK') return { migrationId: known.id, status: known.status };
  if (isUnderWay(known)) {
    if (known.stage === 'UNDOING' || known.followUp.isUndone) return { migrationId: known.id, status: known.status };
    throw new AppError('migration_in_progress', 'The migration is under way; undo it when it is complete');
  }
  const isInTime = known.undoUntil !== null && clock.now() < known.undoUntil;
  if (known.flippedAt === null || !isInTime) {
    const reason =
      known.flippedAt === null ? 'nothing was migrated' : `it could be undone until ${known.undoUntil?.toISOString()}`;
    throw new AppError('not_undoable', `The migration cannot be undone: ${reason}`);
  }
  refuse(await undoIssues(database, known));
  return unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    await lockModel(tx, actor.orgId);
    const held = await lockMigration(tx, actor.orgId);
    if (!held || held.id !== known.id || isUnderWay(held)) {
      throw new AppError('migration_in_progress', 'The migration is under way');
    }
    await setMigrationPhase(tx, actor.orgId, 'flipping');
    await updateMigration(tx, held, { status: 'RUNNING', stage: 'UNDOING', message: null }, now);
    await work.enqueue(runJob, { migrationId: held.id });
    return { migrationId: held.id, status: 'RUNNING' as const };
  });
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const message = `The old model cannot hold what was written since: ${issues.map((issue) => issue.message).join('; ')}`;
  throw new AppError('not_undoable', message.slice(0, 2_000), { details: [...issues] });
}

async function undoIssues(reader: Reader, migration: StoredMigration): Promise<Issue[]> {
  const { orgId, id, fromModel } = migration;
  const blueprints = await listBlueprintRows(reader, orgId);
  const images = await listImages(reader, orgId, id);
  const issues: Issue[] = [];
  for (const { relation, isMany, blueprint, ownership } of returning(migration, blueprints, images)) {
    const path = `/blueprint/${blueprint.identifier}`;
    const keys = [
      ...Object.keys(blueprintProperties(blueprint)),
      ...Object.keys(blueprintRelations(blueprint)),
      ...listDerivedKeys(blueprint),
    ];
    if (keys.includes(relation))
      issues.push({ path, message: `"${relation}" of "${blueprint.identifier}" is something else now` });
    if (!isDeepStrictEqual(blueprint.definition.ownership, ownership)) {
      issues.push({ path, message: `the ownership of "${blueprint.identifier}" was changed since` });
    }
    const found = await listUnreturnable(reader, orgId, { blueprintKey: blueprint.key, relation, isMany }, listedMax);
    issues.push(
      ...found.map((identifier) => ({
        path: `${path}/entity/${identifier}`,
        message: `"${identifier}" of "${blueprint.identifier}" has teams that its relation "${relation}" cannot hold`,
      })),
    );
  }
  if (fromModel === 'legacy') issues.push(...(await legacyIssues(reader, orgId, blueprints, images)));
  return issues;
}

async function legacyIssues(
  reader: Reader,
  orgId: string,
  blueprints: readonly StoredBlueprint[],
  images: readonly Image[],
): Promise<Issue[]> {
  const created = images.filter(({ kind }) => kind === 'created');
  const own = blueprints.filter(({ key }) => created.some(({ name }) => name === String(key)));
  const names = own.map(({ identifier }) => identifier);
  const changed = own.filter(
    ({ key, definition }) => !isDeepStrictEqual(definition, created.find(({ name }) => name === String(key))?.after),
  );
  const pointing = blueprints.filter(
    ({ identifier, isSystem, definition }) =>
      !isSystem &&
      !names.includes(identifier) &&
      [...Object.values(definition.relations ?? {}), ...Object.values(definition.aggregationProperties ?? {})].some(
        ({ target }) => names.includes(target),
      ),
  );
  const accounts = await countServiceAccounts(reader, orgId);
  return [
    ...changed.map(({ identifier }) => ({
      path: `/blueprint/${identifier}`,
      message: `"${identifier}" was extended, and would be gone with what was added`,
    })),
    ...pointing.map(({ identifier }) => ({
      path: `/blueprint/${identifier}`,
      message: `"${identifier}" points at users or teams, which would be no blueprints`,
    })),
    ...(accounts > 0
      ? [
          {
            path: '/blueprint/_user',
            message: `there are ${accounts} service accounts, which the old model does not have`,
          },
        ]
      : []),
  ];
}

/** Relations to restore, with the current version of their blueprints. */
function returning(migration: StoredMigration, blueprints: readonly StoredBlueprint[], images: readonly Image[]) {
  return (migration.followUp.relations ?? []).flatMap(({ blueprintKey, relation }) => {
    const blueprint = blueprints.find(({ key }) => key === blueprintKey);
    const image = images.find(({ kind, name }) => kind === 'definition' && name === String(blueprintKey));
    if (!blueprint || !image) return [];
    const isMany = (image.before as Definition).relations?.[relation]?.many === true;
    return [{ blueprintKey, relation, isMany, blueprint, ownership: (image.after as Definition).ownership }];
  });
}

/**
 * Restores the old model in one transaction. Documents unchanged since the flip are restored byte for byte; in others
 * only the migration's own changes are reverted.
 */
export async function undoMigration(work: Work, migration: StoredMigration): Promise<void> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const { fromModel } = migration;
  if (fromModel === 'legacy') await lockModel(tx, orgId);
  const names = (await listBlueprintRows(tx, orgId)).map(({ identifier }) => identifier);
  await lockBlueprintsInOrder(tx, orgId, names);
  await lockModel(tx, orgId);
  await lockDerivation(tx, orgId);
  refuse(await undoIssues(tx, migration));
  const before = await listBlueprintRows(tx, orgId);
  const images = await listImages(tx, orgId, migration.id);
  for (const relation of returning(migration, before, images)) {
    await restoreTeams(tx, orgId, migration.id, relation);
  }
  const created = new Set(images.flatMap(({ kind, name }) => (kind === 'created' ? [Number(name)] : [])));
  const after: StoredBlueprint[] = [];
  for (const blueprint of before) {
    if (created.has(blueprint.key)) {
      await dropBlueprintEntities(tx, orgId, blueprint.key);
      await dropBlueprintPages(tx, orgId, blueprint.key);
      await deleteBlueprintRow(tx, orgId, blueprint.key);
      continue;
    }
    const next = restored(blueprint, images);
    after.push(next);
    if (next === blueprint) continue;
    await restoreBlueprint(tx, unchanged(next));
    work.record({
      event: 'blueprint.updated',
      action: 'UPDATE',
      resourceType: 'blueprint',
      identifier: blueprint.identifier,
      context: { blueprint: blueprint.identifier },
      before: { ...blueprint.definition, permissions: blueprint.rights },
      after: { ...next.definition, permissions: next.rights },
      message: 'Moved back with users and teams',
    });
  }
  await restoreIdentifiers(work, images);
  await setModel(tx, orgId, fromModel);
  await deleteOldRelations(tx, orgId);
  const due = dueAfterTeams(before, after);
  const followUp = { isUndone: true, due, at: { index: 0, afterKey: 0 } };
  await updateMigration(tx, migration, { stage: 'RECOMPUTING', followUp }, now);
}

async function restoreIdentifiers({ tx, actor }: Work, images: readonly Image[]): Promise<void> {
  const teams = await listAllTeams(tx, actor.orgId);
  const moved = new Map(
    images.flatMap(({ kind, name, before, after }): [string, string][] =>
      kind === 'team' && teams.some(({ key, identifier }) => key === name && identifier === after)
        ? [[name, before as string]]
        : [],
    ),
  );
  // an identifier that another team has taken since stays with that team
  for (const { key, identifier } of teams) {
    if (moved.has(key)) continue;
    for (const [name, before] of moved) if (before === identifier) moved.delete(name);
  }
  await setTeamIdentifiers(tx, actor.orgId, moved);
}

function restored(blueprint: StoredBlueprint, images: readonly Image[]): StoredBlueprint {
  const imageOf = (kind: Image['kind']) =>
    images.find((each) => each.kind === kind && each.name === String(blueprint.key));
  const definition = imageOf('definition');
  const rights = imageOf('rights');
  if (!definition && !rights) return blueprint;
  return {
    ...blueprint,
    definition: definition ? (backwards(blueprint.definition, definition) as Definition) : blueprint.definition,
    rights: rights ? (backwards(blueprint.rights, rights) as StoredBlueprint['rights']) : blueprint.rights,
  };
}

/**
 * Reverts the change of an image within the current value: a value still equal to `after` becomes `before`; otherwise
 * its members are reverted one by one.
 */
function backwards(current: unknown, { before, after }: Pick<Image, 'before' | 'after'>): unknown {
  if (isDeepStrictEqual(current, after)) return before;
  if (!isRecord(current) || (!isRecord(before) && !isRecord(after))) return current;
  const was = isRecord(before) ? before : {};
  const became = isRecord(after) ? after : {};
  const next: Record<string, unknown> = { ...current };
  for (const key of new Set([...Object.keys(was), ...Object.keys(became)])) {
    if (isDeepStrictEqual(was[key], became[key])) continue;
    const value = backwards(next[key], { before: was[key], after: became[key] });
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}
