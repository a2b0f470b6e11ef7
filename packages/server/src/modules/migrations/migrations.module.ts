import type { Route } from '../../platform/http/route.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { MigrationsDeps } from './migrations.deps.ts';
import { migrationRoutes } from './migrations.routes.ts';
import { deleteImagesJob } from './users-and-teams/delete-images.ts';
import { runMigrationJob } from './users-and-teams/run-migration.ts';

export interface Migrations {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
}

export function createMigrations(deps: MigrationsDeps): Migrations {
  const runJob = runMigrationJob(deps);
  return {
    routes: migrationRoutes(deps, runJob),
    jobs: [runJob as unknown as JobDeclaration, deleteImagesJob(deps)],
  };
}
