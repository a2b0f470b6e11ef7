import type { UsersAndTeamsChoices } from '@portolan/contract/users-and-teams';
import type { Actor } from '../../../platform/actor.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Permitted } from '../../accounts/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { lockModel } from '../../organizations/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { resetAcceptances } from './acceptance.store.ts';
import { findProblems } from './find-problems.ts';
import { findMigration, insertMigration, lockMigration, putChoices, updateMigration } from './migration.store.ts';
import { isUnderWay, type StartedMigration, type StoredMigration } from './migration.ts';
import { planBlueprints } from './plan-blueprints.ts';
import { type Facts, readFacts } from './read-facts.ts';
import type { RunMigration } from './run-migration.types.ts';

/**
 * Starts the migration of the caller's organization. A running one is joined, a failed one resumed, and a complete one
 * reported.
 * @throws AppError `already_on_new_model`; `migration_blocked` with everything to decide first
 */
export async function startMigration(
  deps: MigrationsDeps & { readonly runJob: RunMigration },
  actor: Permitted<Actor>,
): Promise<StartedMigration> {
  const { database, unitOfWork, runJob } = deps;
  const known = await findMigration(database, actor.orgId);
  const found = known && joined(known);
  if (found) return found;
  const model = await findModel(deps, actor.orgId);
  const isFlipped = known?.status === 'FAILED' && known.flippedAt !== null;
  if (model === 'blueprints' && !isFlipped) throw alreadyThere();
  // read before the transaction to keep that one short; the run checks again
  const facts = model === 'blueprints' ? undefined : await readFacts(database, actor.orgId, model);
  const blockers = facts ? findBlockers(facts) : [];
  const started = await unlessJoined(() =>
    unitOfWork(actor, async (work): Promise<StartedMigration> => {
      const { tx, now } = work;
      await lockModel(tx, actor.orgId);
      const before = await lockMigration(tx, actor.orgId);
      const running = before && joined(before);
      if (running) return running;
      const status = blockers.length > 0 ? 'BLOCKED' : 'PENDING';
      const choices = facts?.choices ?? before?.choices ?? {};
      const isAgain = before !== undefined && before.status !== 'ROLLED_BACK';
      const id = isAgain ? before.id : newId('m_');
      if (isAgain) {
        // before the flip it starts over; after it, it resumes its stage
        const stage = before.flippedAt === null ? 'PREFLIGHT' : before.stage;
        await updateMigration(tx, before, { status, stage, choices, blockers, message: null }, now);
      } else {
        const { orgId, model: _model, ...asked } = actor;
        const fromModel = model === 'legacy' ? 'legacy' : 'beta';
        await resetAcceptances(tx, orgId);
        await insertMigration(tx, { orgId, id, status, fromModel, actor: asked, choices, blockers }, now);
      }
      if (status === 'PENDING') {
        await work.enqueue(runJob, { migrationId: id });
        work.record({
          event: 'users-and-teams-migration.started',
          action: 'OTHER',
          resourceType: 'organization',
          identifier: actor.orgId,
          context: { migrationId: id },
          isSilent: true,
        });
      }
      return { migrationId: id, status };
    }),
  );
  if (started.status !== 'BLOCKED') return started;
  const list = blockers.map(({ message }) => message).join('; ');
  throw new AppError('migration_blocked', `The migration cannot begin: ${list}`, {
    details: blockers.map(({ code, message, fix, resource }) => ({
      path: resource ? `/${resource.kind}/${resource.identifier}` : '',
      message: `${message}. ${fix}`,
      code,
    })),
  });
}

function findBlockers(facts: Facts) {
  const withTeams = new Set(facts.withTeams.keys());
  return findProblems(facts, planBlueprints({ ...facts, withTeams })).blockers;
}

/** A running or complete migration, which a second call reports instead of starting another. */
function joined({ id, status }: StoredMigration): StartedMigration | undefined {
  return isUnderWay({ status }) || status === 'COMPLETED' ? { migrationId: id, status } : undefined;
}

async function unlessJoined(start: () => Promise<StartedMigration>): Promise<StartedMigration> {
  try {
    return await start();
  } catch (error) {
    // another call was first: the second attempt joins it
    if (error instanceof DatabaseError && error.constraint === 'people_migrations_open') return start();
    throw error;
  }
}

async function findModel({ database }: MigrationsDeps, orgId: string): Promise<Actor['model']> {
  return (await findOrganization(database, orgId))?.model ?? 'blueprints';
}

export function alreadyThere(): AppError {
  return new AppError('already_on_new_model', 'Users and teams of this organization are blueprints already');
}

/** Stores the choices of people before the run. @throws AppError `already_on_new_model`, `migration_in_progress` */
export async function chooseForMigration(
  deps: MigrationsDeps,
  actor: Permitted<Actor>,
  choices: UsersAndTeamsChoices,
): Promise<UsersAndTeamsChoices> {
  if ((await findModel(deps, actor.orgId)) === 'blueprints') throw alreadyThere();
  await deps.unitOfWork(actor, async ({ tx, now, record }) => {
    await lockModel(tx, actor.orgId);
    const migration = await findMigration(tx, actor.orgId);
    if (migration && isUnderWay(migration)) {
      throw new AppError('migration_in_progress', 'The migration is under way; it works with what was decided before');
    }
    await putChoices(tx, actor.orgId, choices, actor.id, now);
    record({
      event: 'users-and-teams-migration.decided',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: actor.orgId,
      context: {},
      after: choices,
      isSilent: true,
    });
  });
  return choices;
}
