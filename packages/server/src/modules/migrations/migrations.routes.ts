import * as contract from '@portolan/contract/users-and-teams';
import type { Actor } from '../../platform/actor.ts';
import { HttpAnswer, type Route, route } from '../../platform/http/route.ts';
import { type Permitted, permitWhole } from '../accounts/index.ts';
import { findOrganization } from '../organizations/index.ts';
import { listOldWriters } from '../organizations/maintenance.ts';
import type { MigrationsDeps } from './migrations.deps.ts';
import { acceptSuggestions } from './users-and-teams/accept-suggestions.ts';
import { applySuggestion, revertSuggestion } from './users-and-teams/apply-suggestion.ts';
import { findMigration } from './users-and-teams/migration.store.ts';
import { presentMigration, type StartedMigration } from './users-and-teams/migration.ts';
import { readPlan } from './users-and-teams/read-plan.ts';
import { rehearse } from './users-and-teams/rehearse.ts';
import type { RunMigration } from './users-and-teams/run-migration.types.ts';
import { chooseForMigration, startMigration } from './users-and-teams/start-migration.ts';
import { startUndo } from './users-and-teams/undo-migration.ts';
import { verifyMigration } from './users-and-teams/verify-migration.ts';

export function migrationRoutes(deps: MigrationsDeps, runJob: RunMigration): Route[] {
  const withJob = { ...deps, runJob };
  // 202 while the migration is running, 200 once it has ended
  const answer = (started: StartedMigration) =>
    new HttpAnswer(started, { status: ['PENDING', 'RUNNING'].includes(started.status) ? 202 : 200 });
  return [
    route(contract.startUsersAndTeams, async (_input, { actor }) =>
      answer(await startMigration(withJob, moving(actor))),
    ),
    route(contract.getUsersAndTeams, async (_input, { actor }) => {
      const organization = await findOrganization(deps.database, actor.orgId);
      const migration = await findMigration(deps.database, actor.orgId);
      const model = organization?.model ?? actor.model;
      return presentMigration(migration, model, await listOldWriters(deps.database, actor.orgId, model));
    }),
    route(contract.planUsersAndTeams, async (_input, { actor }) => ({ plan: await readPlan(deps, actor) })),
    route(contract.chooseForUsersAndTeams, async ({ body }, { actor }) => ({
      choices: await chooseForMigration(deps, moving(actor), body),
    })),
    route(contract.acceptUsersAndTeamsSuggestions, async ({ body }, { actor }) => ({
      accepted: await acceptSuggestions(deps, moving(actor), body),
    })),
    route(contract.rehearseUsersAndTeams, async (_input, { actor }) => ({ rehearsal: await rehearse(deps, actor) })),
    route(contract.verifyUsersAndTeams, async (_input, { actor }) => ({
      verification: await verifyMigration(deps, actor),
    })),
    route(contract.applyUsersAndTeamsSuggestion, async ({ params, query }, { actor }) => ({
      suggestion: await applySuggestion(deps, moving(actor), params.item_id, { isDryRun: query.dry_run }),
    })),
    route(contract.revertUsersAndTeamsSuggestion, async ({ params }, { actor }) => ({
      suggestion: await revertSuggestion(deps, moving(actor), params.item_id),
    })),
    route(contract.undoUsersAndTeams, async (_input, { actor }) => answer(await startUndo(withJob, moving(actor)))),
  ];
}

/**
 * The migration changes rights, roles and team membership, so it needs an unrestricted token.
 * @throws AppError `insufficient_scope`
 */
function moving(actor: Actor): Permitted<Actor> {
  return permitWhole(actor, actor, 'moving users and teams to blueprints');
}
