export { createMigrations } from './migrations.module.ts';
export { followOldRelations } from './users-and-teams/map-old-relations.ts';
