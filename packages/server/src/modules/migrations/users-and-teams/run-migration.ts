import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { listAllTeams } from '../../accounts/maintenance.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { markDue } from '../../derived/maintenance.ts';
import { findOrganization } from '../../organizations/index.ts';
import { setMigrationPhase } from '../../organizations/maintenance.ts';
import { followTeamsInScorecards } from '../../scorecards/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { applyNextAccepted } from './apply-accepted.ts';
import { clearRelation, convertOwnership } from './convert-ownership.store.ts';
import { findProblems } from './find-problems.ts';
import { flip } from './flip.ts';
import { findMigration, lockMigration, putManual, updateMigration } from './migration.store.ts';
import { isUnderWay, type StoredMigration } from './migration.ts';
import { resolvedNames } from './move-rights.ts';
import { resolveName } from './owned-entities.store.ts';
import { planBlueprints } from './plan-blueprints.ts';
import { readDocuments } from './read-documents.ts';
import { type Facts, readFacts } from './read-facts.ts';
import { listManualItems } from './read-plan.ts';
import { withSamples } from './read-samples.ts';
import { revertLastSuggestion } from './revert-suggestions.ts';
import { type RunMigration, runMigrationInput } from './run-migration.types.ts';
import { silently } from './silent-work.ts';
import { undoMigration } from './undo-migration.ts';

/** Entities per transaction: bounds how long their writers wait. */
const batchSize = 1_000;

/**
 * Moves a migration through its stages. Each step is one transaction that does what is left of a stage and advances it,
 * so an interrupted run resumes where it stopped, and a repeated one finds nothing to do.
 */
export function runMigrationJob(deps: MigrationsDeps): RunMigration {
  return defineJob({
    name: 'migrations.move-users-and-teams',
    input: runMigrationInput,
    attempts: 20,
    timeoutMs: 60 * 60_000,
    dedupeBy: ({ migrationId }) => migrationId,
    run: async ({ migrationId }, { orgId, attempt, signal }) => {
      try {
        for (;;) {
          signal.throwIfAborted();
          if (await runStep(deps, orgId, migrationId, signal)) return;
        }
      } catch (error) {
        if (signal.aborted) throw error;
        const isHopeless = error instanceof AppError && !error.isRetryable;
        if (isHopeless || attempt >= 20) await fail(deps, orgId, migrationId, error);
        throw error;
      }
    },
  });
}

/** Runs one transaction; true if the migration has ended. */
async function runStep(deps: MigrationsDeps, orgId: string, id: string, signal: AbortSignal): Promise<boolean> {
  const migration = await findMigration(deps.database, orgId);
  const actor = migration && (await findMigrationActor(deps, migration));
  if (!migration || !actor || migration.id !== id || !isUnderWay(migration)) return true;
  if (migration.followUp.isUndone && (await revertLastSuggestion(deps, actor, migration))) return false;
  if (migration.stage === 'APPLYING' && (await applyNextAccepted(deps, actor, migration))) return false;
  // waits until every replica has dropped its cached model and reads it with each request
  if (migration.stage === 'FLIPPING' || migration.stage === 'UNDOING')
    await delay(deps.announceMs, undefined, { signal });
  const facts =
    migration.stage === 'PREFLIGHT' ? await readFacts(deps.database, orgId, migration.fromModel) : undefined;
  // outside the transaction, because it parses every expression
  const documents = facts && (await readDocuments(deps.database, facts));
  const manual = documents && (await withSamples(deps.database, facts, documents, listManualItems(facts, documents)));
  return deps.unitOfWork(actor, async (open) => {
    const held = await lockMigration(open.tx, orgId);
    // another process did this step: start over
    if (!held || held.id !== id || held.stage !== migration.stage || !isUnderWay(held)) return false;
    const work = silently(open, id);
    switch (held.stage) {
      case 'PREFLIGHT':
        if (manual) await putManual(work.tx, orgId, held.id, manual);
        return prepare(work, held, facts);
      case 'PREPARING':
        return convertNextPage(work, held);
      case 'FLIPPING':
        await flip(deps, work, held);
        return false;
      case 'APPLYING':
        await updateMigration(work.tx, held, { stage: 'CLEARING' }, work.now);
        return false;
      case 'CLEARING':
        return clear(work, held);
      case 'RECOMPUTING':
        return recompute(work, held);
      case 'UNDOING':
        await undoMigration(work, held);
        return false;
      case 'DONE':
        return true;
    }
  });
}

/** The actor who started the migration, with the current model and administrator rights. */
async function findMigrationActor(
  { database }: MigrationsDeps,
  { orgId, actor }: StoredMigration,
): Promise<Actor | undefined> {
  const organization = await findOrganization(database, orgId);
  return (
    organization && {
      ...actor,
      orgId,
      model: organization.model,
      kind: 'system',
      roles: ['Admin'],
      origin: 'MIGRATION',
    }
  );
}

/** Checks for blockers again, and freezes changes of teams. */
async function prepare(
  { tx, actor, now }: Work,
  migration: StoredMigration,
  facts: Facts | undefined,
): Promise<boolean> {
  if (!facts) return false;
  const withTeams = new Set(facts.withTeams.keys());
  const plan = planBlueprints({ ...facts, withTeams });
  const { blockers } = findProblems({ ...facts, choices: migration.choices }, plan);
  if (blockers.length > 0) {
    await updateMigration(tx, migration, { status: 'BLOCKED', blockers }, now);
    return true;
  }
  await setMigrationPhase(tx, actor.orgId, 'frozen');
  const names = new Map(facts.blueprints.map(({ key, identifier }) => [key, identifier]));
  const counts = Object.fromEntries(
    [...facts.withTeams].map(([key, count]) => [`entities:${names.get(key) ?? key}`, count]),
  );
  const relations = plan.going.map(({ blueprintKey, relation }) => ({ blueprintKey, relation }));
  const followUp = { preparedSince: now.toISOString(), relations };
  const total = { teams: facts.teams.length, users: facts.users, ...counts };
  await updateMigration(
    tx,
    migration,
    { status: 'RUNNING', stage: 'PREPARING', counts: total, blockers, followUp },
    now,
  );
  return false;
}

/** Converts the next page of teams, which is invisible before the flip; at the end announces the flip. */
async function convertNextPage({ tx, actor, now }: Work, migration: StoredMigration): Promise<boolean> {
  const { relations = [], at = { index: 0, afterKey: 0 } } = migration.followUp;
  const relation = relations[at.index];
  if (relation) {
    const page = { afterKey: at.afterKey, limit: batchSize };
    const last = await convertOwnership(tx, actor.orgId, migration.id, relation, page);
    await moveOn(tx, migration, at, last, now);
    return false;
  }
  await setMigrationPhase(tx, actor.orgId, 'flipping');
  await updateMigration(tx, migration, { stage: 'FLIPPING' }, now);
  return false;
}

/** Replaces ambiguous names by the chosen teams, then deletes values of removed relations. */
async function clear({ tx, actor, now }: Work, migration: StoredMigration): Promise<boolean> {
  const { orgId } = actor;
  for (const [mark, key] of resolvedNames(migration.choices, await listAllTeams(tx, orgId))) {
    if ((await resolveName(tx, orgId, mark.slice(1), key, batchSize)) > 0) {
      await updateMigration(tx, migration, {}, now);
      return false;
    }
  }
  const { relations = [], at = { index: 0, afterKey: 0 } } = migration.followUp;
  const relation = relations[at.index];
  if (!relation) {
    const followUp = { ...migration.followUp, at: { index: 0, afterKey: 0 } };
    await updateMigration(tx, migration, { stage: 'RECOMPUTING', followUp }, now);
    return false;
  }
  const goneSince = migration.flippedAt ?? now;
  const last = await clearRelation(tx, orgId, relation, { goneSince, afterKey: at.afterKey, limit: batchSize });
  await moveOn(tx, migration, at, last, now);
  return false;
}

/** Schedules the recompute of values that depend on teams, then ends the migration. */
async function recompute(work: Work, migration: StoredMigration): Promise<boolean> {
  const { tx, actor, now } = work;
  const { due = [], at = { index: 0, afterKey: 0 } } = migration.followUp;
  const values = due[at.index];
  if (values) {
    const last = await markDue(work, values, { afterKey: at.afterKey, limit: batchSize });
    await moveOn(tx, migration, at, last, now);
    return false;
  }
  const blueprints = await listBlueprintRows(tx, actor.orgId);
  const blueprint = blueprints.sort((a, b) => a.key - b.key).find(({ key }) => key > at.afterKey);
  if (blueprint) {
    await followTeamsInScorecards(work, blueprint);
    const followUp = { ...migration.followUp, at: { index: at.index, afterKey: blueprint.key } };
    await updateMigration(tx, migration, { followUp }, now);
    return false;
  }
  const { isUndone } = migration.followUp;
  const status = isUndone ? 'ROLLED_BACK' : 'COMPLETED';
  await updateMigration(tx, migration, { status, stage: 'DONE', finishedAt: now }, now);
  work.record({
    event: isUndone ? 'users-and-teams-migration.undone' : 'users-and-teams-migration.completed',
    action: 'OTHER',
    resourceType: 'organization',
    identifier: actor.orgId,
    context: {},
  });
  return true;
}

async function moveOn(
  tx: Work['tx'],
  migration: StoredMigration,
  at: { readonly index: number },
  last: number | undefined,
  now: Date,
): Promise<void> {
  const next = last === undefined ? { index: at.index + 1, afterKey: 0 } : { index: at.index, afterKey: last };
  await updateMigration(tx, migration, { followUp: { ...migration.followUp, at: next } }, now);
}

/** Marks a run that cannot continue as failed and unfreezes teams; starting the migration again resumes it. */
async function fail(deps: MigrationsDeps, orgId: string, id: string, error: unknown): Promise<void> {
  const migration = await findMigration(deps.database, orgId);
  const actor = migration && (await findMigrationActor(deps, migration));
  if (!actor) return;
  await deps.unitOfWork(actor, async ({ tx, now }) => {
    const held = await lockMigration(tx, orgId);
    if (!held || held.id !== id || !isUnderWay(held)) return;
    const message = error instanceof AppError ? error.message : 'Something failed inside';
    if (held.stage === 'UNDOING') {
      // a failed undo leaves the migration complete
      await updateMigration(tx, held, { status: 'COMPLETED', stage: 'DONE', message }, now);
    } else await updateMigration(tx, held, { status: 'FAILED', message }, now);
    await setMigrationPhase(tx, orgId, null);
  });
}
