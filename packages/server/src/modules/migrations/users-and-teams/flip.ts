import type { AuditResource } from '@portolan/contract/audit';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockPeople, unchanged } from '../../accounts/index.ts';
import { listAllTeams, setTeamIdentifiers } from '../../accounts/maintenance.ts';
import { actionReferencesOf, listActionRows, presentActionRights, setActionRights } from '../../actions/maintenance.ts';
import {
  insertChecked,
  listBlueprintRows,
  referencesIn,
  type StoredBlueprint,
  systemBlueprint,
} from '../../blueprints/index.ts';
import {
  lockBlueprintsInOrder,
  presentBlueprint,
  presentPermissions,
  restoreBlueprint,
} from '../../blueprints/maintenance.ts';
import { dueAfterTeams, lockDerivation } from '../../derived/maintenance.ts';
import { deleteOldWriters, lockModel, setModel } from '../../organizations/maintenance.ts';
import { listPageRows, pageReferencesOf, presentPageRights, setPageRights } from '../../pages/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { convertMarked, convertOwnership, convertWritten } from './convert-ownership.store.ts';
import { type Image, insertImages, updateMigration } from './migration.store.ts';
import type { StoredMigration } from './migration.ts';
import { mapRights, resolvedNames, shownBy, withResolvedTeams } from './move-rights.ts';
import { rememberOldRelations } from './old-relations.store.ts';
import { listBlueprintsWithTeams } from './owned-entities.store.ts';
import { insertTeamEntities, insertUserEntities } from './people-entities.store.ts';
import { type PlannedBlueprint, planBlueprints } from './plan-blueprints.ts';
import { nextTeams } from './read-facts.ts';

const dayMs = 24 * 3_600_000;

/** For this many days, writes of integrations under removed relations are read as teams. */
const understoodDays = 30;

/**
 * Changes the model of the organization in one transaction, whatever the number of entities: readers see the old model
 * until the commit and the new one after it. Writers wait only from the point where the blueprints are locked.
 */
export async function flip(deps: MigrationsDeps, work: Work, migration: StoredMigration): Promise<void> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const { fromModel } = migration;
  const images: Image[] = [];
  // lock order of writers of people: blueprints before the organization, once people are entities
  if (fromModel === 'legacy') {
    await lockPeople(tx, orgId);
    await lockModel(tx, orgId);
    images.push(...(await makePeople(deps, work, migration)));
  }
  const names = (await listBlueprintRows(tx, orgId)).map(({ identifier }) => identifier);
  await lockBlueprintsInOrder(tx, orgId, names);
  await lockModel(tx, orgId);
  await lockDerivation(tx, orgId);
  const before = await listBlueprintRows(tx, orgId);
  const withTeams = await listBlueprintsWithTeams(tx, orgId);
  const made = new Set(images.flatMap(({ kind, name }) => (kind === 'created' ? [Number(name)] : [])));
  const plan = planBlueprints({ model: fromModel, blueprints: before, withTeams });
  for (const relation of plan.going) {
    const isPrepared = migration.followUp.relations?.some(
      (each) => each.blueprintKey === relation.blueprintKey && each.relation === relation.relation,
    );
    if (isPrepared) await convertWritten(tx, orgId, migration.id, relation, writtenSince(migration));
    // the relation came to define ownership after the preparation began
    else await convertOwnership(tx, orgId, migration.id, relation, { afterKey: 0, limit: allOfThem });
    await convertMarked(tx, orgId, relation);
  }
  const teams = await readTeams(work, migration);
  const after = before.map((blueprint) => movedBlueprint(blueprint, plan.blueprints, teams));
  for (const [index, blueprint] of before.entries()) {
    const next = after[index] as StoredBlueprint;
    if (next === blueprint) continue;
    await restoreBlueprint(tx, unchanged(next));
    const { key } = blueprint;
    if (plan.blueprints.some((each) => each.before.key === blueprint.key)) {
      images.push({ kind: 'definition', name: String(key), before: blueprint.definition, after: next.definition });
    }
    if (next.rights !== blueprint.rights) {
      images.push({ kind: 'rights', name: String(key), before: blueprint.rights, after: next.rights });
    }
  }
  await insertImages(tx, orgId, migration.id, images);
  await recordMoved(work, migration, { before, after, plan: plan.blueprints, teams });
  await setModel(tx, orgId, 'blueprints');
  await deleteOldWriters(tx, orgId, 'blueprints');
  await rememberOldRelations(tx, orgId, plan.going, new Date(now.getTime() + understoodDays * dayMs));
  const followUp = {
    relations: plan.going.map(({ blueprintKey, relation }) => ({ blueprintKey, relation })),
    due: dueAfterTeams(
      before.filter(({ key }) => !made.has(key)),
      after,
    ),
    at: { index: 0, afterKey: 0 },
  };
  const undoUntil = new Date(now.getTime() + deps.undoDays * dayMs);
  const change = { stage: 'APPLYING', flippedAt: now, undoUntil, followUp } as const;
  await updateMigration(
    tx,
    migration,
    { ...change, counts: { ...migration.counts, blueprints: plan.blueprints.length } },
    now,
  );
}

const allOfThem = 2_147_483_647;

/** A journal entry has the time at which its write began, by the clock of its process: allows for skew and duration. */
const slackMs = 2 * 60_000;

function writtenSince({ followUp, createdAt }: StoredMigration): Date {
  const { preparedSince } = followUp;
  const since = preparedSince === undefined ? createdAt : new Date(preparedSince);
  return new Date(since.getTime() - slackMs);
}

/** Creates blueprints, entities and pages of users and teams for an organization on the legacy model (R0). */
async function makePeople(deps: MigrationsDeps, work: Work, { choices }: StoredMigration): Promise<Image[]> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const all = await listAllTeams(tx, orgId);
  const moved = nextTeams({ teams: all, choices, model: 'legacy' }).filter(({ source }) => source !== 'kept');
  await setTeamIdentifiers(tx, orgId, new Map(moved.map(({ key, identifier }) => [key, identifier])));
  const images: Image[] = moved.map(({ key, identifier }) => {
    const before = all.find((team) => team.key === key)?.identifier;
    return { kind: 'team', name: key, before, after: identifier };
  });
  for (const identifier of ['_user', '_team'] as const) {
    const structure = systemBlueprint(identifier);
    if (!structure) throw new Error(`There is no structure of the system blueprint ${identifier}`);
    const created = await insertChecked(work, structure, true);
    const making = { orgId, blueprintKey: created.key, by: actor.id, at: now };
    if (identifier === '_user') await insertUserEntities(tx, making);
    else await insertTeamEntities(tx, making);
    await deps.pageListener.addCatalogPage(work, created);
    images.push({ kind: 'created', name: String(created.key), before: null, after: created.definition });
  }
  return images;
}

interface Teams {
  readonly titles: ReadonlyMap<string, string>;
  readonly identifiers: ReadonlyMap<string, string>;
  /** The chosen team per ambiguous name, keyed by the marked name. */
  readonly resolved: ReadonlyMap<string, string>;
}

async function readTeams({ tx, actor }: Work, { choices }: StoredMigration): Promise<Teams> {
  const all = await listAllTeams(tx, actor.orgId);
  return {
    titles: new Map(all.map(({ key, title }) => [key, title])),
    identifiers: new Map(all.map(({ key, identifier }) => [key, identifier])),
    resolved: resolvedNames(choices, all),
  };
}

function movedBlueprint(blueprint: StoredBlueprint, plan: readonly PlannedBlueprint[], teams: Teams): StoredBlueprint {
  const planned = plan.find(({ before }) => before.key === blueprint.key);
  const definition = planned?.definition ?? blueprint.definition;
  const rights = withResolvedTeams(planned ? planned.rights : blueprint.rights, teams.resolved);
  return definition === blueprint.definition && rights === blueprint.rights
    ? blueprint
    : { ...blueprint, definition, rights };
}

interface MovedModel {
  readonly before: readonly StoredBlueprint[];
  readonly after: readonly StoredBlueprint[];
  readonly plan: readonly PlannedBlueprint[];
  readonly teams: Teams;
}

/** One entry per changed configuration document, and one summary of entities per blueprint. */
async function recordMoved(
  work: Work,
  migration: StoredMigration,
  { before, after, plan, teams }: MovedModel,
): Promise<void> {
  const { tx, actor } = work;
  const { identifiers } = teams;
  const { titles } = teams;
  const note = (resourceType: AuditResource, event: string, identifier: string, old: unknown, next: unknown) =>
    work.record({
      event,
      action: 'UPDATE',
      resourceType,
      identifier,
      context: { [resourceType]: identifier },
      before: old,
      after: next,
      message: 'Moved with users and teams',
    });
  for (const [index, old] of before.entries()) {
    const next = after[index] as StoredBlueprint;
    if (plan.some((each) => each.before.key === old.key)) {
      note('blueprint', 'blueprint.updated', old.identifier, presentBlueprint(old), presentBlueprint(next));
    }
    if (referencesIn(old.rights).length > 0 || next.rights !== old.rights) {
      const shown = { permissions: presentPermissions(old, shownBy(titles, referencesIn(old.rights))) };
      const shownNext = { permissions: presentPermissions(next, shownBy(identifiers, referencesIn(next.rights))) };
      note('blueprint', 'blueprint-permissions.updated', old.identifier, shown, shownNext);
    }
  }
  for (const action of await listActionRows(tx, actor.orgId)) {
    const references = actionReferencesOf(action);
    if (references.length === 0) continue;
    const next = { ...action, rights: mapRights(action.rights, teams.resolved) };
    if (references.some((each) => teams.resolved.has(each)) && next.rights) {
      await setActionRights(tx, actor.orgId, action.key, unchanged(next.rights));
    }
    const shown = { permissions: presentActionRights(action, shownBy(titles, references)) };
    const shownNext = { permissions: presentActionRights(next, shownBy(identifiers, actionReferencesOf(next))) };
    note('action', 'action-permissions.updated', action.identifier, shown, shownNext);
  }
  for (const page of await listPageRows(tx, actor.orgId)) {
    const references = pageReferencesOf(page);
    if (references.length === 0) continue;
    const next = { ...page, rights: mapRights(page.rights, teams.resolved) };
    if (references.some((each) => teams.resolved.has(each)) && next.rights && page.key !== undefined) {
      await setPageRights(tx, actor.orgId, page.key, unchanged(next.rights));
    }
    const shown = { permissions: presentPageRights(page, shownBy(titles, references)) };
    const shownNext = { permissions: presentPageRights(next, shownBy(identifiers, pageReferencesOf(next))) };
    note('page', 'page-permissions.updated', page.identifier, shown, shownNext);
  }
  for (const [name, entities] of Object.entries(migration.counts)) {
    if (!name.startsWith('entities:')) continue;
    const identifier = name.slice('entities:'.length);
    work.record({
      event: 'blueprint.teams-moved',
      action: 'OTHER',
      resourceType: 'blueprint',
      identifier,
      context: { blueprint: identifier },
      message: `Teams of ${entities} entities are shown by identifier`,
    });
  }
  work.record({
    event: 'users-and-teams-migration.flipped',
    action: 'UPDATE',
    resourceType: 'organization',
    identifier: actor.orgId,
    context: {},
    before: { model: migration.fromModel },
    after: { model: 'blueprints' },
  });
}
