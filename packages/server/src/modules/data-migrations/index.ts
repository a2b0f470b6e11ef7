export { dataMigrationRoutes } from './data-migrations.routes.ts';
export { deleteOldImages } from './delete-expired-images.ts';
export { runDataMigrationJob } from './run-data-migration.ts';
